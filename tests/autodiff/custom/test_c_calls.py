"""Structs are passed and returned as C's calling convention wants them."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.custom.c_calls import assemble, extensions, numbers_of
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE
from enzyme_cc.ir.values import Value

from .building import built

MODULE = """
%pair = type { double, i32 }
declare void @small(i8 zeroext, i16 noundef signext, i32 noundef)
define double @f(double %x, %pair %p) {
  ret double %x
}
"""


def values() -> tuple[Builder, Value, Value]:
    function = Module.parse(MODULE).body("@f")
    x, pair = function.arguments
    return Builder.first(function.entry), x, pair


def test_a_number_is_its_own_scalar() -> None:
    b, x, _ = values()
    assert assemble(b, DOUBLE, [x]) is x
    assert numbers_of(b, x) == [x]


def test_the_numbers_of_a_struct_are_read_from_memory() -> None:
    b, _, pair = values()
    assert [number.type for number in numbers_of(b, pair)] == [DOUBLE]


def test_a_struct_is_put_together_in_memory() -> None:
    b, x, pair = values()
    made = assemble(b, pair.type, [x, b.extract_value(pair, 1)])
    assert made.type == pair.type
    assert [i.opcode for i in b.block.instructions if i.opcode == "store"] == ["store"] * 2


def test_small_integers_are_extended_as_declared() -> None:
    assert extensions(Module.parse(MODULE).functions["@small"]) == ("zeroext", "signext", "")


IN_MEMORY = """
%taped = type { ptr, double, double }
@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @augment, ptr @reverse]
define { double, double } @f(double %x) {
  ret { double, double } zeroinitializer
}
define void @augment(ptr sret(%taped) %to, double %x) {
  ret void
}
define double @reverse(double %x, double %first, double %second, ptr %tape) {
  ret double %first
}
"""


def test_a_struct_that_comes_back_in_memory_is_read_there() -> None:
    found = built(IN_MEMORY, Form.AUGMENTED)
    call = next(k for k, line in enumerate(found) if "@augment(" in line)
    assert "alloca %taped" in found[call - 1]
    assert sum("load double" in line for line in found[call:]) >= 2
