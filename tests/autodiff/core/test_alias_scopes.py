"""Scopes that tell LLVM that tape, shadow and primal memory do not overlap."""

from __future__ import annotations

from enzyme_cc.autodiff.core.alias_scopes import AliasScopes, MemoryKind
from enzyme_cc.ir.module import Module


def test_an_access_is_in_the_scope_of_its_memory_and_in_no_other() -> None:
    module = Module.parse("")
    found = dict(AliasScopes(module, 0).of(MemoryKind.SHADOW))
    own, others = (set(module.metadata[found[word]][2:-1].split(", ")) for word in ("!alias.scope", "!noalias"))
    assert (len(own), len(others)) == (1, 2)
    assert not own & others


def test_accesses_to_the_same_kind_of_memory_share_their_scopes() -> None:
    scopes = AliasScopes(Module.parse(""), 0)
    assert scopes.of(MemoryKind.TAPE) == scopes.of(MemoryKind.TAPE) != scopes.of(MemoryKind.PRIMAL)


def test_the_scopes_that_an_access_has_are_kept() -> None:
    module = Module.parse("!0 = distinct !{!0}\n!1 = distinct !{!1, !0}\n!2 = !{!1}\n")
    merged = dict(AliasScopes(module, 0).of(MemoryKind.TAPE, (("!alias.scope", "!2"), ("!dbg", "!0"))))
    assert merged["!dbg"] == "!0"
    assert module.metadata[merged["!alias.scope"]].startswith("!{!1, ")


def test_each_round_has_scopes_of_its_own() -> None:
    module = Module.parse("")
    assert AliasScopes(module, 0).of(MemoryKind.SHADOW) != AliasScopes(module, 1).of(MemoryKind.SHADOW)


def test_shadows_of_other_directions_do_not_overlap() -> None:
    module = Module.parse("")
    scopes = AliasScopes(module, 0)
    shadow = scopes.of(MemoryKind.SHADOW)
    first, third = (dict(scopes.of_direction(k, 3, shadow)) for k in (0, 2))

    def nodes(found: dict[str, str], kind: str) -> set[str]:
        return set(module.metadata[found[kind]][2:-1].split(", "))

    assert nodes(first, "!alias.scope") < nodes(third, "!noalias") | nodes(third, "!alias.scope")
    assert len(nodes(first, "!noalias")) == 4  # two kinds of memory, two directions
    assert scopes.of_direction(0, 3, shadow) == scopes.of_direction(0, 3, shadow)
