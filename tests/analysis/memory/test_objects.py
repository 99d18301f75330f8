"""The objects that pointers may point into, and those whose addresses escape."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.objects import ANYWHERE, NULL, ObjectKind, Objects, escaping_objects
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

TEXT = """
@table = constant [2 x double] zeroinitializer
@cell = global ptr null
declare ptr @malloc(i64)
declare ptr @strchr(ptr, i32)
declare noalias ptr @make()
declare ptr @find()
declare ptr @same(ptr)
define void @f(ptr %p, ptr noalias %q, i1 %c, i64 %n) {{
  %local = alloca [4 x double]
  {}
  ret void
}}
"""


def objects(line: str) -> tuple[Module, Objects]:
    module = Module.parse(TEXT.format(line))
    function = module.body("@f")
    return module, Objects(module, function, ControlFlow(function))


def places(line: str) -> dict[ObjectKind, object]:
    """The kinds of objects of the value %v, with the offset in each."""
    _, found = objects(line)
    return next({o.kind: at for o, at in of.items()} for v, of in found.places.items() if getattr(v, "name", "") == "v")


@pytest.mark.parametrize(
    "line, kind",
    [
        ("%v = call ptr @malloc(i64 8)", ObjectKind.HEAP),
        ("%v = call noalias ptr @make()", ObjectKind.HEAP),
        ("%v = call ptr @find()", ObjectKind.RESULT),
        ("%v = load ptr, ptr @cell", ObjectKind.LOADED),
        ("%v = inttoptr i64 %n to ptr", ObjectKind.UNKNOWN),
        ("%v = getelementptr i8, ptr @cell, i64 %n", ObjectKind.GLOBAL),
        ("%v = call ptr @same(ptr returned %local)", ObjectKind.STACK),
        ("%v = call ptr @strchr(ptr %local, i32 0)", ObjectKind.STACK),
    ],
)
def test_a_pointer_points_into_what_made_it(line: str, kind: ObjectKind) -> None:
    assert list(places(line)) == [kind]


def test_offsets_add_up_and_a_choice_has_both_objects() -> None:
    two = "%u = getelementptr double, ptr %local, i64 1\n  %v = getelementptr double, ptr %u, i64 2"
    assert places(two) == {ObjectKind.STACK: 24}
    assert set(places("%v = select i1 %c, ptr %local, ptr %p")) == {ObjectKind.STACK, ObjectKind.ARGUMENT}


def test_only_objects_of_this_function_and_globals_are_distinct() -> None:
    _, found = objects("")
    kinds = {o.kind: o for of in found.places.values() for o in of}
    assert kinds[ObjectKind.STACK].is_identified
    assert not kinds[ObjectKind.ARGUMENT].is_identified
    assert ANYWHERE.is_foreign
    assert not NULL.is_foreign


def escaping(line: str, *, keeps: bool = True) -> set[ObjectKind]:
    _, found = objects(line)
    escaped = escaping_objects(found, lambda call, k: keeps)
    return {o.kind for o in escaped}


@pytest.mark.parametrize(
    "line",
    [
        "store ptr %local, ptr @cell",
        "%v = ptrtoint ptr %local to i64\n  %w = add i64 %v, 1",
        "%v = call ptr @same(ptr %local)",
    ],
)
def test_an_address_that_is_kept_escapes(line: str) -> None:
    assert escaping(line) == {ObjectKind.STACK}


@pytest.mark.parametrize(
    "line",
    [
        "store double 1.0, ptr %local",
        "%v = icmp eq ptr %local, null",
        "%v = ptrtoint ptr %local to i64\n  %w = sub i64 %v, %v",
    ],
)
def test_an_address_that_is_only_used_does_not(line: str) -> None:
    assert not escaping(line)


def test_a_call_that_keeps_nothing_lets_nothing_escape() -> None:
    assert not escaping("%v = call ptr @same(ptr %local)", keeps=False)


def test_what_nobody_asks_about_is_not_looked_through() -> None:
    _, found = objects("%v = call ptr @same(ptr %local)")

    def keeps(call: object, k: int) -> bool:
        raise AssertionError

    assert not escaping_objects(found, keeps, lambda o: o.kind is ObjectKind.ARGUMENT)
