"""Changes of linkages in the text of modules."""

from __future__ import annotations

import pytest

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import ModuleText, quoted, scan, unquoted
from enzyme_cc.link.merged_module import protect_requests as requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import marker_name
from enzyme_cc.report import EnzymeError

TEXT = """\
$group = comdat any
@plain = global i32 1, align 4
@"odd name" = hidden global [2 x ptr] [ptr @plain, ptr @f], align 8
@tls = thread_local(initialexec) global i64 2
@text = private constant [13 x i8] c", comdat, @x\\00"
@inline = linkonce_odr constant i32 7, comdat($group)
@alias = weak alias i32, ptr @plain
@away = external global i32

define weak_odr dso_local hidden double @f(double %x) #0 comdat($group) {
  %y = call double @g(double %x, ptr @h)
  ret double %y
}

define linkonce_odr i32 @h() comdat($group) {
  ret i32 3
}

declare double @g(double, ptr)

attributes #0 = { nounwind }
"""


def heads(text: str) -> dict[str, str]:
    module = ModuleText(text)
    return {e.name: linkage.linkage(module.of(e)) for e in module.entities.values() if e.is_definition}


def test_scan_finds_all_entities() -> None:
    found = {entity.name: (entity.is_function, entity.is_definition) for entity in scan(TEXT)}
    assert found == {
        "plain": (False, True),
        "odd name": (False, True),
        "tls": (False, True),
        "text": (False, True),
        "inline": (False, True),
        "alias": (False, True),
        "away": (False, False),
        "f": (True, True),
        "h": (True, True),
        "g": (True, False),
    }


def test_references_and_values() -> None:
    module = ModuleText(TEXT)
    assert module.references(module.entities["odd name"]) == {"plain", "f"}
    assert module.references(module.entities["f"]) == {"g", "h"}
    assert module.values(module.entities["f"]) == {"h"}


def test_restrict_internalises_all_but_what_is_kept() -> None:
    text = linkage.restrict(ModuleText(TEXT), lambda name, _: name in {"plain", "h"})
    llvm_passes.verify(llvm_passes.parse(text))
    assert heads(text) == {
        "plain": "",
        "odd name": "internal",
        "tls": "internal",
        "text": "private",
        "inline": "internal",
        "alias": "internal",
        "f": "internal",
        "h": "weak_odr",
    }
    assert 'c", comdat, @x\\00"' in text


def test_local_definitions_leave_their_groups() -> None:
    """A group with a local symbol would take the place of another object's group, where the symbol is visible."""
    text = TEXT.replace("linkonce_odr constant", "internal constant").replace("linkonce_odr i32 @h", "internal i32 @h")
    restricted = linkage.restrict(ModuleText(text), lambda name, _: name == "f")
    llvm_passes.verify(llvm_passes.parse(restricted))
    assert restricted.count(" comdat($group)") == 1
    assert 'c", comdat, @x\\00"' in restricted


def test_restrict_passes_visibility() -> None:
    hidden: dict[str, bool] = {}
    linkage.restrict(ModuleText(TEXT), lambda name, is_hidden: hidden.setdefault(name, is_hidden))
    assert {name for name, is_hidden in hidden.items() if is_hidden} == {"odd name", "f"}


def test_names_in_assembly_and_used_stay() -> None:
    text = 'module asm ".symver a, a@V1"\n@llvm.used = appending global [1 x ptr] [ptr @b], section "llvm.metadata"\n'
    text += "@a = global i32 1\n@b = global i32 2\n@c = global i32 3\n"
    restricted = linkage.restrict(ModuleText(text), lambda *_: False)
    assert heads(restricted) == {"llvm.used": "appending", "a": "", "b": "", "c": "internal"}


def test_declared() -> None:
    types = {"f": "double (double)", "tls": "i64", "h": "i32 ()"}
    text = linkage.declared(ModuleText(TEXT), types, lambda entity: types[entity.name])
    llvm_passes.verify(llvm_passes.parse(text))
    for line in (
        "declare double @f(double)",
        "@tls = external thread_local(initialexec) global i64",
        "declare i32 @h()",
    ):
        assert line in text.splitlines()


def test_wrapped_reference() -> None:
    text = "declare i32 @f()\ndeclare i32 @__real_f()\n"
    text += "define i32 @__wrap_f() {\n  %1 = call i32 @__real_f()\n  ret i32 %1\n}\n"
    text += "define i32 @main() {\n  %1 = call i32 @f()\n  ret i32 %1\n}\n"
    wrapped = linkage.wrapped(ModuleText(text), ["f"])
    llvm_passes.verify(llvm_passes.parse(wrapped))
    module = ModuleText(wrapped)
    assert module.references(module.entities["main"]) == {"__wrap_f"}
    assert module.references(module.entities["__wrap_f"]) == {"f"}


@pytest.mark.parametrize("symbol", ["f", "_Z1fv", "a.b$c", "1st", "odd name", 'quo"te', "back\\slash", "größe"])
def test_names_round_trip(symbol: str) -> None:
    assert unquoted(quoted(symbol)) == symbol
    assert [entity.name for entity in scan(str(llvm_passes.parse(f"@{quoted(symbol)} = global i32 0\n")))] == [symbol]


def test_assembly_label_prefix_is_no_part_of_a_symbol() -> None:
    assert unquoted('"\\01_f"') == "_f"


@pytest.mark.parametrize(
    ("symbol", "marker"), [("enzyme_dup", "enzyme_dup"), ("_ZL11enzyme_dupv", "enzyme_dupv"), ("my_enzyme_dup", None)]
)
def test_marker_name(symbol: str, marker: str | None) -> None:
    assert marker_name(symbol) == marker


def test_a_request_that_is_left_is_refused() -> None:
    text = "declare double @__enzyme_autodiff(ptr, ...)\n"
    text += "define double @f() {\n  %1 = call double (ptr, ...) @__enzyme_autodiff(ptr @f)\n  ret double %1\n}\n"
    with pytest.raises(EnzymeError, match="EZ0107") as error:
        requests.close_after_requests(text, {}, {}, lambda *_: True)
    assert error.value.diagnostics[0].function == "f"


def test_requests_lose_attributes_and_bodies() -> None:
    text = "define double @__enzyme_autodiff(ptr %f) #0 {\n  ret double 0.0\n}\n"
    text += "define double @f() {\n  %1 = call double @__enzyme_autodiff(ptr @f) #0\n  ret double %1\n}\n"
    text += "@enzyme_dup = linkonce global i32 0\nattributes #0 = { nounwind willreturn memory(none) }\n"
    types = {"__enzyme_autodiff": "double (ptr)", "enzyme_dup": "i32"}
    opened, _ = requests.open_for_requests(text, lambda entity: types[entity.name], lambda _: False)
    module = llvm_passes.parse(opened)
    llvm_passes.verify(module)
    lines = opened.splitlines()
    assert "declare double @__enzyme_autodiff(ptr) nomerge" in lines
    assert "  %1 = call double @__enzyme_autodiff(ptr @f)" in lines
    assert "@enzyme_dup = external constant i32" in lines


def test_what_is_concluded_from_the_body_of_a_registered_function_goes() -> None:
    """flang says that an argument is what comes back, and LLVM would use it in the place of the call."""
    text = '@name = constant [4 x i8] c"sin\\00"\n@__enzyme_function_like_f = constant [2 x ptr] [ptr @f, ptr @name]\n'
    text += "define double @f(double returned %x) {\n  ret double %x\n}\n"
    opened, _ = requests.open_for_requests(text, lambda entity: "", lambda _: False)
    assert "define weak double @f(double %x) {" in opened.splitlines()


def test_nothing_uses_an_alias_that_is_resolved() -> None:
    text = """\
@plain = global [2 x i32] zeroinitializer
@alias = weak alias i32, ptr @plain
@"second one" = alias i32, ptr @alias
@part = alias i32, ptr getelementptr inbounds (i8, ptr @plain, i64 4)
@version = ifunc void (), ptr @resolver
@text = private constant [8 x i8] c" @alias\\00"
@llvm.used = appending global [1 x ptr] [ptr @alias], section "llvm.metadata"

define i32 @f() {
  %1 = load i32, ptr @"second one"
  %2 = load i32, ptr @part
  call void @called()
  call void @version()
  ret i32 %1
}

define void @own() {
  ret void
}

@called = alias void (), ptr @own
define ptr @resolver() {
  ret ptr @own
}
"""
    resolved = linkage.with_aliases_resolved(text)
    assert resolved == (
        text.replace('load i32, ptr @"second one"', "load i32, ptr @plain")
        .replace("load i32, ptr @part", "load i32, ptr getelementptr inbounds (i8, ptr @plain, i64 4)")
        .replace("call void @called", "call void @own")
        .replace("alias i32, ptr @alias", "alias i32, ptr @plain")
    )
    assert linkage.with_aliases_resolved(resolved) == resolved


def test_a_text_without_aliases_stays() -> None:
    assert linkage.with_aliases_resolved("@x = global i32 0\n") == "@x = global i32 0\n"
