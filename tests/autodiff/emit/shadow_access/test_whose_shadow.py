"""Whose shadow a pointer has: the tests at run time, what stands for the shadow of constant memory, and the place."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.emit.shadow_access.number_places import Purpose
from enzyme_cc.autodiff.emit.shadow_access.shadow_access import ShadowAccess
from enzyme_cc.autodiff.emit.sweep import Sweep
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.types import PTR, VOID, FunctionType
from enzyme_cc.ir.values import Argument, Function, Instruction, Value
from tests.autodiff.sweeps import analysed

from .emitted import program

#: %h was made by other code, %own is made here, and %c is constant
BODY = """%own = alloca double
  store double %x, ptr %own!D
  store double %x, ptr %h!D
  %k = load double, ptr %c!D
  %l = load double, ptr %own!D
  %m = fmul double %k, %l
  %n = load double, ptr %h!D
  %y = fadd double %m, %n"""


class Plain(Sweep):
    """A sweep that emits into an empty function: each value is itself, and each shadow is a new pointer."""

    def __init__(self, *, asks: bool) -> None:
        analyses = analysed(program(BODY, "double %x, ptr %c"), "dup const", Form.TANGENT, asks=asks)
        target = Function("@target", FunctionType(VOID, ()), [], "internal")
        super().__init__(analyses, Builder(target.add_block()))
        self.memory = ShadowAccess(self)
        self.shadows: dict[Value, Value] = {}
        self._scratch = Argument(PTR, "scratch", "", 0)

    def of(self, value: Value) -> Value:
        return value

    def shadow_of(self, value: Value) -> Value:
        return self.shadows.setdefault(value, Argument(PTR, "shadow", "", len(self.shadows)))

    def scratch(self) -> Value:
        return self._scratch

    def value(self, name: str) -> Value:
        function = self.analyses.function
        return next(v for v in [*function.arguments, *function.instructions()] if v.name == name)

    def emitted(self) -> list[str]:
        return [i.opcode for i in self.b.block.instructions]


@pytest.mark.parametrize("name, asks, is_tested", [("h", True, True), ("own", True, False), ("h", False, False)])
def test_only_memory_that_may_have_no_shadow_is_tested_and_only_if_the_run_is_asked(
    name: str, asks: bool, is_tested: bool
) -> None:
    sweep = Plain(asks=asks)
    assert (sweep.memory.is_unshadowed(sweep.value(name)) is not None) is is_tested
    assert sweep.emitted() == ["icmp"] * is_tested


def test_memory_of_a_constant_argument_is_constant_without_a_test() -> None:
    sweep = Plain(asks=True)
    assert sweep.memory.constant_flag(sweep.value("c")) == int_constant(1)
    assert sweep.memory.constant_bytes(sweep.value("c"), int_constant(8)) == int_constant(8)
    assert sweep.memory.constant_flag(sweep.value("own")) is None


def test_nothing_is_written_to_the_shadow_of_unshadowed_memory() -> None:
    sweep = Plain(asks=True)
    chosen = sweep.memory.size_there(sweep.value("h"), int_constant(8))
    assert isinstance(chosen, Instruction)
    assert list(map(str, chosen.operands[1:])) == ["0", "8"]
    assert sweep.memory.size_there(sweep.value("own"), int_constant(8)) == int_constant(8)


def test_unshadowed_memory_passes_null_as_its_shadow() -> None:
    sweep = Plain(asks=True)
    assert isinstance(sweep.memory.other_shadow(sweep.value("h")), Instruction)
    assert sweep.memory.other_shadow(sweep.value("own")) is sweep.shadow_of(sweep.value("own"))


@pytest.mark.parametrize("name, is_looked_up", [("h", True), ("own", False)])
def test_the_runtime_tells_the_place_of_a_number_that_may_be_recorded(name: str, is_looked_up: bool) -> None:
    sweep = Plain(asks=True)
    store = next(i for i in sweep.analyses.function.instructions() if i.opcode == "store")
    place = sweep.memory.place(store, sweep.value(name), 8, Purpose.SET)
    assert (place is not sweep.shadow_of(sweep.value(name))) is is_looked_up
