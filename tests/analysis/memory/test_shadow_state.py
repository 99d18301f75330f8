"""The state of memory: whose shadow a pointer has, and what happens to derivatives in unshadowed memory."""

import pytest

from enzyme_cc.analysis.memory.shadow_state import Foreign, MemoryState, Shadow, ShadowStates
from enzyme_cc.ir.values import Value
from tests.autodiff.sweeps import analysed

TEXT = """
declare ptr @realloc(ptr, i64)
declare ptr @malloc(i64)

define double @f(double %x, ptr %p) {
  %local = alloca double
  %block = call ptr @malloc(i64 8)
  store double %x, ptr %local
  store double %x, ptr %block
  %moved = call ptr @realloc(ptr %block, i64 16)
  %at = getelementptr double, ptr %p, i64 1
  %u = load double, ptr %local
  %v = load double, ptr %moved
  %w = load double, ptr %at
  %s = fadd double %u, %v
  %t = fadd double %s, %w
  ret double %t
}
"""
ANALYSES = analysed(TEXT, "dup dup")
#: by opcode, or by the name of the function that is called
FOUND: dict[str, Value] = {i.callee_name or i.opcode: i for i in ANALYSES.function.instructions() if i.opcode != "load"}
VALUES: dict[str, Value] = {
    "local": FOUND["alloca"],
    "block": FOUND["@malloc"],
    "moved": FOUND["@realloc"],
    "at": FOUND["getelementptr"],
    "p": ANALYSES.function.arguments[1],
}


def state(name: str, *, asks: bool = True, own: tuple[int, ...] = (), forward: bool = False) -> MemoryState:
    states = ShadowStates(ANALYSES.activity, own, Foreign.RECORDED, asks=asks, forward=forward)
    return states.of(VALUES[name])


@pytest.mark.parametrize("name", ["local", "block", "p", "at"])
def test_without_runtime_activity_every_shadow_is_sure(name: str) -> None:
    assert state(name, asks=False).shadow is Shadow.SURE


def test_what_the_derivative_made_surely_has_a_shadow() -> None:
    assert {state(name).shadow for name in ("local", "block", "moved")} == {Shadow.SURE}


def test_only_the_run_tells_of_what_a_caller_passes() -> None:
    assert {state(name).shadow for name in ("p", "at")} == {Shadow.AT_RUN_TIME}
    assert {state(name, own=(1,)).shadow for name in ("p", "at")} == {Shadow.SURE}


def test_moved_memory_may_be_unshadowed_in_forward_mode() -> None:
    assert state("moved", forward=True).may_be_unshadowed


def test_local_memory_is_private_to_a_thread() -> None:
    assert not state("local").is_shared
    assert state("block").is_shared


@pytest.mark.parametrize(
    ("foreign", "is_recorded", "is_refused"),
    [
        (Foreign.ABSENT, False, False),
        (Foreign.REFUSED, False, True),
        (Foreign.POINTERS, False, True),
        (Foreign.RECORDED, True, False),
    ],
)
def test_a_number_in_unshadowed_memory_is_recorded_or_refused(
    foreign: Foreign, is_recorded: bool, is_refused: bool
) -> None:
    found = MemoryState(Shadow.AT_RUN_TIME, foreign, True)
    assert (found.is_recorded, found.refuses_numbers) == (is_recorded, is_refused)
    sure = MemoryState(Shadow.SURE, foreign, True)
    assert not (sure.is_recorded or sure.refuses_numbers)
