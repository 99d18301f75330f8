"""Addresses in divided loops as polynomials, and groups of additions."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.storage.apart_additions import ApartAdditions
from enzyme_cc.analysis.storage.linear_places import Counter, LinearPlaces
from enzyme_cc.analysis.storage.team_places import TeamPlaces
from enzyme_cc.analysis.storage.work_loops import Divided
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.values import Function, Instruction

from .test_work_loops import NEXT, OWN, SAME, W, X, body

ROWS = "%r = mul nsw i64 %i, %n\n  %p = getelementptr double, ptr %x, i64 %r\n  %a = load double, ptr %p\n  "
REST = "%r = srem i64 %i, %n\n  %p = getelementptr double, ptr %x, i64 %r\n  %a = load double, ptr %p\n  "
LOADED = "%j = load i64, ptr %w\n  %p = getelementptr double, ptr %x, i64 %j\n  %a = load double, ptr %p\n  "
STORE = "store double 0.0, ptr %p\n  "
OTHER = "%s1 = getelementptr double, ptr %w, i64 %i\n  store double 0.0, ptr %s1\n  "


def terms(lines: str) -> list[tuple[int, int]] | None:
    """Returns how many factors each term of the first number's address has, and what it is multiplied by."""
    function = body(lines)
    flow = ControlFlow(function)
    found = LinearPlaces(flow, Divided(flow)).address(_loads(function)[0].operands[0])
    return None if found is None else sorted((len(m), f) for m, f in found.offset.items())


def _loads(function: Function) -> list[Instruction]:
    return [i for i in function.instructions() if i.opcode == "load" and str(i.type) == "double"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(X, [(1, 8)]), (NEXT, [(0, 8), (1, 8)]), (SAME, []), (ROWS, [(2, 8)]), (REST, [(1, 8), (2, -8)]), (LOADED, None)],
)
def test_address(lines: str, expected: list[tuple[int, int]] | None) -> None:
    assert terms(lines) == expected


def test_the_variable_is_between_the_bounds_of_the_thread() -> None:
    function = body(X)
    flow = ControlFlow(function)
    places = LinearPlaces(flow, Divided(flow))
    load = _loads(function)[0]
    address = places.address(load.operands[0])
    assert address is not None
    (variable,) = places.variables.values()
    assert isinstance(variable, Counter) and (variable.step, variable.less) == (1, 0)


def places_of(function: Function) -> TeamPlaces:
    flow = ControlFlow(function)
    adders = [(load, load.operands[0]) for load in _loads(function)]
    stores = [i for i in function.instructions() if i.opcode == "store" and i.block is not flow.order[0]]
    takers = [(i, i.operands[1], int_constant(8)) for i in stores]
    apart = ApartAdditions(flow, adders, lambda a, n, b, m: True)
    return TeamPlaces(flow, apart, adders, takers, lambda a, n, b, m: True, lambda load: True, has_tickets=False)


@pytest.mark.parametrize(
    ("lines", "is_apart", "has_copy", "has_window"),
    [
        (X + NEXT.replace("%k", "%k2").replace("%q", "%q2").replace("%c", "%c2"), True, True, False),
        (SAME, True, True, False),
        (OWN, False, False, True),
        (LOADED, False, False, True),
        (ROWS, True, True, False),
        (ROWS + STORE, True, False, False),
        (ROWS + OTHER, True, True, False),
        (X + W + SAME.replace("%p", "%p2").replace("%a", "%a2"), False, True, False),
    ],
)
def test_groups(lines: str, is_apart: bool, has_copy: bool, has_window: bool) -> None:
    function = body(lines)
    places = places_of(function)
    group = places.group(_loads(function)[0])
    assert group is not None
    assert (places.apart(group) is not None, places.has_copy(group), places.has_window(group)) == (
        is_apart,
        has_copy,
        has_window,
    )


@pytest.mark.parametrize(
    ("lines", "has_window", "looks"),
    [
        (LOADED + STORE, True, True),
        (LOADED + OTHER, True, False),
        (LOADED + "store i64 0, ptr %p\n  ", False, False),
        (LOADED + "store double 0.0, ptr %p, align 4\n  ", False, False),
        (ROWS + STORE, False, False),
    ],
    ids=["unknown place", "known place", "other numbers", "not aligned", "known places"],
)
def test_stores_look_into_windows(lines: str, has_window: bool, looks: bool) -> None:
    function = body(lines)
    places = places_of(function)
    group = places.group(_loads(function)[0])
    assert group is not None and places.has_window(group) is has_window
    assert [group in groups for groups in places.looks_into.values()] == ([True] if looks else [])
    assert all(i.opcode == "store" for i in places.looks_into)
