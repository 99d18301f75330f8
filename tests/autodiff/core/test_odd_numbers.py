"""Notes behind operations that may make an infinite number or NaN: what each is given."""

from __future__ import annotations

from enzyme_cc.autodiff.core.odd_numbers import note_odd_numbers
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.text.printer import print_function
from enzyme_cc.ir.values import Instruction, Value
from tests.ir.llvm_check import parsed

TEXT = """
declare double @exp(double)
define double @f(double %a, float %b, i32 %n) {
  %sum = fadd double %a, 1.0
  %square = fmul float %b, %b
  %count = add i32 %n, 1
  %power = call double @exp(double %sum)
  %negative = fcmp olt double %power, 0.0
  ret double %power
}
"""


def test_each_operation_of_numbers_has_a_note_with_its_operands() -> None:
    function = parsed(TEXT).functions["@f"]
    places: list[str] = []

    def place(i: Instruction) -> Value:
        places.append(i.opcode)
        return GlobalRef.of("@place")

    note_odd_numbers(function, place)
    assert places == ["fadd", "fmul", "call"]
    notes = [line.strip() for line in print_function(function).splitlines() if "@__ez_note_number" in line]
    assert "double %sum, double %a, double 1.0" in notes[0]
    assert "double %power, double %sum, " in notes[2] and "@place" in notes[2]
