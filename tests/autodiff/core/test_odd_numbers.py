"""Notes behind operations that may make an infinite number or NaN: what each is given."""

from __future__ import annotations

from collections.abc import Callable

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
  %unused = fsub double %sum, %a
  %power = call double @exp(double %sum)
  %negative = fcmp olt double %power, 0.0
  %narrow = fptrunc double %power to float
  %product = fmul float %narrow, %square
  %result = fpext float %product to double
  ret double %result
}
"""


def _notes(plain: Callable[[str], bool]) -> tuple[list[str], str]:
    """Returns the operations that have a note, in order, and the function's text."""
    module = parsed(TEXT)
    function = module.functions["@f"]
    places: list[str] = []

    def place(i: Instruction) -> Value:
        places.append(i.name)
        return GlobalRef.of("@place")

    note_odd_numbers(module, function, place, plain)
    return places, print_function(function)


def test_each_operation_that_is_used_has_a_note_with_its_operands() -> None:
    places, text = _notes(lambda _: True)
    assert places == ["sum", "square", "power", "product"]
    notes = [line.strip() for line in text.splitlines() if "@__ez_note_number" in line]
    assert "double %sum, double %a, double 1.0" in notes[0]
    assert "double %power, double %sum, " in notes[2] and "@place" in notes[2]


def test_one_test_stands_for_a_chain_of_sums_and_products() -> None:
    """Its result is not finite if an operand is not; `exp` may hide an infinite operand."""
    _, text = _notes(lambda _: True)
    assert text.count("fcmp uno") == 1
    assert "fpext float %product to double" in text.partition("fcmp uno")[0]
    assert "fpext float %square" not in text.partition("fcmp uno")[0]


def test_notes_are_written_before_a_call_that_writes_its_own() -> None:
    _, text = _notes(lambda name: name != "@exp")
    assert text.count("fcmp uno") == 2
    assert text.index("fcmp uno") < text.index("call double @exp")
