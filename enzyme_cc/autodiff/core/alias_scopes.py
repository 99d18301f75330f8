"""Alias scopes of derivative code: they tell LLVM that tape, shadow and primal memory never overlap."""

from __future__ import annotations

from ...ir.module import Module

Metadata = tuple[tuple[str, str], ...]

_KINDS = ("tape", "shadow", "primal")


class AliasScopes:
    """Makes the `!alias.scope` and `!noalias` nodes of one module, in one round of nested requests.

    - Each round has its own scopes: the shadow memory of an earlier round is primal memory in this one.
    - A scope describes memory and not one call, so it stays true after inlining and in loops.
    - The kind "shadow" is for adjoint numbers only. Accesses to pointers in shadow memory get no scope: constant memory
      may be its own shadow.
    """

    def __init__(self, module: Module, round_number: int) -> None:
        self._module = module
        self._round_number = round_number
        self._lists: dict[str, str] = {}
        self._others: dict[str, str] = {}
        self._merged: dict[tuple[str, str], str] = {}

    def of(self, kind: str, existing: Metadata = ()) -> Metadata:
        """Returns the metadata of an access with scopes added. `kind`: "tape", "shadow" or "primal" memory."""
        if not self._lists:
            self._make()
        rest = tuple(pair for pair in existing if pair[0] not in ("!alias.scope", "!noalias"))
        old = dict(existing)
        own = self._join(old.get("!alias.scope"), self._lists[kind])
        others = self._join(old.get("!noalias"), self._others[kind])
        return (*rest, ("!alias.scope", own), ("!noalias", others))

    def _make(self) -> None:
        add = self._module.add_metadata
        domain = add(f'!{{!"enzyme-cc memory, round {self._round_number}"}}')
        scopes = {kind: add(f'!{{!"enzyme-cc {kind}", {domain}}}') for kind in _KINDS}
        for kind in _KINDS:
            self._lists[kind] = add(f"!{{{scopes[kind]}}}")
            self._others[kind] = add("!{" + ", ".join(s for k, s in scopes.items() if k != kind) + "}")

    def _join(self, old: str | None, new: str) -> str:
        if old is None or self._module.metadata[old] == "!{}":
            return new
        key = old, new
        if key not in self._merged:
            parts = [self._module.metadata[node].strip("!{}") for node in key]
            self._merged[key] = self._module.add_metadata("!{" + ", ".join(f"!{p}" for p in parts) + "}")
        return self._merged[key]
