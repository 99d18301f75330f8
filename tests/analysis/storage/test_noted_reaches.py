"""Which accesses of a region are noted: those to places that only the run knows, if all that adds can be noted."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from enzyme_cc.analysis.storage.apart_additions import ApartAdditions
from enzyme_cc.analysis.storage.noted_reaches import noted_accesses
from enzyme_cc.analysis.storage.team_places import TeamPlaces
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.values import Function, Instruction

from .test_linear_places import LOADED
from .test_work_loops import X, body

#: a base that is the thread's own
OWN = "%k = getelementptr ptr, ptr %xs, i64 %own\n  %y = load ptr, ptr %k\n  "
INNER = OWN + "%p = getelementptr double, ptr %y, i64 %i\n  %a = load double, ptr %p\n  "
NEAR = "%r = getelementptr double, ptr %y, i64 7\n  %d = load double, ptr %r\n  "
STORE = "%z = load ptr, ptr %ws\n  store double 0.0, ptr %z\n  "
UPDATE = "%z = load ptr, ptr %ws\n  %u = atomicrmw fadd ptr %z, double 0.0 monotonic\n  "


def _numbers(function: Function, opcodes: Iterable[str]) -> list[Instruction]:
    return [i for i in function.instructions() if i.opcode in opcodes and str(i.accessed_type) == "double"]


def noted(lines: str, private: str = "") -> list[int]:
    """Returns the numbers of the noted accesses, in their order. `private`: an access that no other thread reaches."""
    function = body(lines)
    flow = ControlFlow(function)
    adders = [(i, i.accessed_pointer) for i in _numbers(function, ["load", "atomicrmw"])]
    takers = [(i, i.accessed_pointer, int_constant(8)) for i in _numbers(function, ["store"])]
    apart = ApartAdditions(flow, adders, lambda a, n, b, m: True)
    places = TeamPlaces(flow, apart, adders, takers, lambda a, n, b, m: True, lambda load: True, has_tickets=False)
    found = noted_accesses(
        flow,
        places,
        adders,
        takers,
        lambda i: i.opcode == private,
        lambda load: apart.distances(load) == (),
    )
    return list(found.values())


@pytest.mark.parametrize(
    ("lines", "private", "expected"),
    [
        (INNER, "", [0]),
        (INNER + NEAR, "", [0, 0]),  # one base, one loop
        (INNER + STORE, "", [0, 1]),
        (INNER + STORE, "store", [0]),
        (INNER + UPDATE, "", []),  # what else adds cannot be noted
        (X, "", []),  # these additions need no notes
        (LOADED, "", []),
    ],
)
def test_noted_accesses(lines: str, private: str, expected: list[int]) -> None:
    assert noted(lines, private) == expected
