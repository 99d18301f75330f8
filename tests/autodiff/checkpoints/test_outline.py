"""The body of a loop becomes a function of the closure and the index."""

from __future__ import annotations

from enzyme_cc.autodiff.checkpoints.drive import drive
from enzyme_cc.autodiff.checkpoints.outline import Iteration, outline
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE
from enzyme_cc.ir.verify import verify_module

from ..normalise.rewriting import body
from .stepping import LOOP, loop_of, module


def outlined(text: str = LOOP) -> tuple[Module, Iteration]:
    made = module(text)
    iteration = outline(made, loop_of(made))
    verify_module(made, "the test")
    return made, iteration


def test_numbers_come_first_in_the_closure() -> None:
    _, iteration = outlined()
    assert str(iteration.closure) == "{ double, ptr, i64 }"
    assert iteration.numbers == [(DOUBLE, 0)]
    assert iteration.bytes_of_numbers == 8


def test_a_closure_without_numbers_has_no_adjoint() -> None:
    _, iteration = outlined(LOOP.replace("(ptr %x, double %h)\n  %next", "(ptr %x, double 1.0)\n  %next"))
    assert str(iteration.closure) == "{ ptr, i64 }"
    assert iteration.bytes_of_numbers == 0


def test_an_index_is_its_start_plus_its_step_times_the_number_of_the_iteration() -> None:
    used = LOOP.replace("[ 0, %entry ]", "[ 3, %entry ]").replace("%t, 1", "%t, 2")
    used = used.replace("call void @step", "store i64 %t, ptr %x\n  call void @step")
    text = str(outlined(used)[0])
    assert "mul i64 %1, 2" in text
    assert "add i64 3, " in text
    assert "mul i64" not in str(outlined()[0])


def driven(more: str = "") -> str:
    made = module(LOOP + more)
    found = loop_of(made)
    iteration = outline(made, found)
    text = drive(made, iteration, iteration.function.name, found)
    whole = str(made) + text
    assert body(whole)
    return whole


def test_the_driver_has_a_registered_gradient() -> None:
    entries = "[ptr @__ez_checkpointed.f, ptr @__ez_checkpointed.f.augmented, ptr @__ez_checkpointed.f.reverse]"
    assert f"@__enzyme_register_gradient___ez_checkpointed.f = constant [3 x ptr] {entries}" in driven()


def test_the_reverse_sweep_ends_the_tape_unless_tapes_are_used_again() -> None:
    assert "call void @__ez_checkpoint_end(ptr %tape)" in driven()
    assert "call void @__ez_checkpoint_end(ptr %tape)" not in driven("@enzyme_nofree = external global i32\n")
