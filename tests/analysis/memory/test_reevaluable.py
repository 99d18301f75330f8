"""Functions that can be evaluated a second time: they have not overwritten what they read."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.callees import Callees
from enzyme_cc.analysis.memory.dead_writes import DeadWriteAnalysis
from enzyme_cc.analysis.memory.facts import MemoryFacts
from enzyme_cc.analysis.memory.reevaluable import overwrites_inputs

from ..support import Analysed

TEXT = """
@state = global double 0.0
declare void @unknown()

define void @set(ptr %p) {
  store double 1.0, ptr %p
  ret void
}

define double @f(double %x, ptr %in, ptr %out) {
  %v = load double, ptr %in
BODY
  ret double %v
}
"""
CASES = {
    "it writes where it does not read": ("store double %x, ptr %out", None),
    "it writes where it reads": ("store double %x, ptr %in", "store"),
    "it writes its own memory": ("%own = alloca double\n store double %x, ptr %own\n %w = load double, ptr %own", None),
    "it writes a global that it reads": ("store double %x, ptr @state\n %w = load double, ptr @state", "store"),
    "it writes through a function": ("call void @set(ptr %in)", "call"),
    "it lets a function write elsewhere": ("call void @set(ptr %out)", None),
    "it calls what may write anything": ("call void @unknown()", "call"),
    "it writes through a pointer from memory": ("%p = load ptr, ptr %in\n store double %x, ptr %p", "store"),
}


@pytest.mark.parametrize("name", CASES)
def test_overwrites(name: str) -> None:
    body, expected = CASES[name]
    a = Analysed(TEXT.replace("BODY", body))
    f, callees = a.function("f"), Callees(a.module)
    facts = MemoryFacts(a.module, f, a.flow("f"), a.types)
    found = overwrites_inputs(f, facts, callees, DeadWriteAnalysis(a.module, callees), frozenset(["@state"]))
    assert (found and found.opcode) == expected
