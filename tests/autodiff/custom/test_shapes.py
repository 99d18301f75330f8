"""Prototypes of registered derivatives are compared scalar by scalar."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.custom.shapes import derivative, gradient, leaves, shape_of, split_derivative, writes_nothing
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, I32, PTR, ArrayType, StructType, VectorType
from enzyme_cc.report.diagnostics import EnzymeError

MODULE = """
%pair = type { double, double }
@place = global double 0.0
declare double @f(double, ptr)
declare double @pure(double)
declare void @sret(ptr sret(%pair), double)
declare double @variadic(double, ...)
declare { ptr, double } @augmented(double, ptr, ptr)
declare %pair @packed(double, ptr, ptr)
declare double @plain(double, ptr, ptr)
declare void @nothing(double, ptr, ptr)
declare void @pure_nothing(double)
declare double @reverse(double, ptr, ptr, double, ptr)
declare double @no_tape(double, ptr, ptr, double)
declare double @pure_reverse(double, double)
declare double @no_seed(double, ptr, ptr, ptr)
declare double @tangent(double, double, ptr, ptr)
declare %pair @both(double, double, ptr, ptr)
declare double @forward(double, double, ptr, ptr, ptr)
define double @writes(double %x) {
  store double %x, ptr @place
  ret double %x
}
define double @reads(double %x) {
  %y = load double, ptr @place
  ret double %y
}
"""


def module() -> Module:
    return Module.parse(MODULE)


def test_scalars_lie_where_the_abi_puts_them() -> None:
    assert leaves(StructType((I32, DOUBLE))) == [(I32, 0), (DOUBLE, 8)]
    assert leaves(ArrayType(VectorType(DOUBLE, 2), 2), 8) == [(DOUBLE, at) for at in (8, 16, 24, 32)]


def test_a_struct_may_come_back_in_memory() -> None:
    in_memory, in_registers = shape_of(module(), "@sret"), shape_of(module(), "@packed")
    assert in_memory.result_types == in_registers.result_types == [DOUBLE, DOUBLE]
    assert in_memory.parameters == (DOUBLE,)
    assert in_registers.in_memory is None


def test_a_reverse_function_takes_the_tape_of_the_augmented_one() -> None:
    found = gradient(module(), "@f", "@augmented", "@reverse")
    assert found.augmented.prototype.results.tape == PTR
    assert found.reverse.prototype.parameters.tape == PTR


def test_an_augmented_function_may_have_no_tape() -> None:
    assert gradient(module(), "@f", "@plain", "@no_tape").reverse.prototype.parameters.tape is None
    with pytest.raises(EnzymeError, match="EZ0207"):
        gradient(module(), "@f", "@plain", "@reverse")


@pytest.mark.parametrize("reverse", ["@no_seed", "@tangent", "@sret"])
def test_a_reverse_function_with_another_prototype_is_refused(reverse: str) -> None:
    with pytest.raises(EnzymeError, match="EZ0207") as found:
        gradient(module(), "@f", "@augmented", reverse)
    assert "expected: double (double, pointer, pointer, double, pointer)" in str(found.value)


@pytest.mark.parametrize("primal", ["@sret", "@variadic"])
def test_a_function_of_variable_arguments_or_structs_in_memory_has_no_derivative(primal: str) -> None:
    with pytest.raises(EnzymeError, match="can have no derivative of its own"):
        derivative(module(), primal, "@tangent")


def test_a_derivative_returns_the_tangent_alone_or_behind_the_result() -> None:
    assert derivative(module(), "@f", "@tangent").derivative.prototype.results.primal is None
    assert derivative(module(), "@f", "@both").derivative.prototype.results.primal == DOUBLE


def test_the_forward_half_takes_the_tape() -> None:
    assert split_derivative(module(), "@f", "@augmented", "@forward").forward.prototype.parameters.tape == PTR
    with pytest.raises(EnzymeError, match="EZ0207"):
        split_derivative(module(), "@f", "@augmented", "@tangent")


def test_an_augmented_function_returns_nothing_only_if_the_primal_writes_nothing() -> None:
    with pytest.raises(EnzymeError, match="EZ0207"):  # @f may write behind its pointer
        gradient(module(), "@f", "@nothing", "@reverse")
    assert gradient(module(), "@pure", "@pure_nothing", "@pure_reverse").augmented.shape.result == ()


@pytest.mark.parametrize("name, is_true", [("@writes", False), ("@reads", True), ("@pure", True), ("@f", False)])
def test_a_function_writes_nothing_if_its_body_or_its_parameters_show_it(name: str, is_true: bool) -> None:
    found = module()
    assert writes_nothing(found, found.functions[name], name) is is_true
