"""What requests do about pointers to foreign memory when they begin and end, each task in a function."""

from __future__ import annotations

from enzyme_cc.autodiff.core.markers import RequestKind
from enzyme_cc.autodiff.core.pointers import GlobalPointer, PointerRow
from enzyme_cc.autodiff.globals.foreign_again import pools_made_again
from enzyme_cc.autodiff.globals.foreign_checks import refuse_alias
from enzyme_cc.autodiff.globals.foreign_code import ForeignFunction, beside
from enzyme_cc.autodiff.globals.foreign_functions import Task, name_of
from enzyme_cc.autodiff.globals.foreign_shadows import CLEARING
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.types import I1, I64, PTR, VOID, FunctionType, Type
from enzyme_cc.ir.values import Argument, Function

from ..rounds import DOUBLE, POINTER
from .requested import requested, task

#: f writes x behind @buffer, and multiplies it by what lies behind @limit
PROGRAM = f"""
@buffer = internal global ptr null
@limit = internal global ptr null
@total = internal global double 0.0
declare ptr @other()
declare void @__enzyme_autodiff(...)

define double @f(ptr %p) noinline {{
  %b = load ptr, ptr @buffer{POINTER}
  %x = load double, ptr %p{DOUBLE}
  store double %x, ptr %b{DOUBLE}
  store double %x, ptr @total{DOUBLE}
  %l = load ptr, ptr @limit{POINTER}
  %y = load double, ptr %l{DOUBLE}
  %r = fmul double %x, %y
  ret double %r
}}
define void @g(ptr %p, ptr %shadow) {{
  %o = call ptr @other()
  store ptr %o, ptr @buffer{POINTER}
  store ptr %o, ptr @limit{POINTER}
  call void (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %shadow)
  ret void
}}
"""
#: the same, where @buffer only ever holds addresses of heap blocks
POOL = PROGRAM.replace("declare ptr @other()", "declare ptr @malloc(i64)\ndeclare ptr @other()").replace(
    f"store ptr %o, ptr @buffer{POINTER}",
    f"%m = call ptr @malloc(i64 80)\n  store ptr %m, ptr @buffer{POINTER}",
)


def test_a_pointer_that_other_code_stored_gets_the_shadow_of_where_it_points() -> None:
    found = "\n".join(task(PROGRAM, Task.RESOLVE, 1))
    assert "load ptr, ptr @buffer_seen" in found
    assert "store ptr %" in found and ", ptr @buffer_shadow" in found
    assert "@limit" not in found


def test_what_is_not_active_must_not_point_at_memory_with_a_derivative() -> None:
    found = "\n".join(task(PROGRAM, Task.CHECK, 1))
    assert "load ptr, ptr @limit" in found
    assert "@__ez_refuse" in found
    assert "load ptr, ptr @buffer" not in found


def test_an_argument_in_a_named_global_must_have_its_shadow() -> None:
    found = "\n".join(task(PROGRAM, Task.NAMED, 1))
    assert "ptrtoint ptr @total to i64" in found
    assert found.count("@__ez_refuse(") == 1


def test_pointers_are_remembered_as_they_are() -> None:
    assert task(PROGRAM, Task.REMEMBER) == [
        "%2 = load ptr, ptr @buffer, align 8",
        "store ptr %2, ptr @buffer_seen, align 8",
        "ret void",
    ]


def test_a_pointer_to_heap_blocks_gets_a_block_as_its_shadow() -> None:
    assert "@__ez_heap_shadow" in "\n".join(task(POOL, Task.RESOLVE))
    assert "@__ez_heap_shadow" not in "\n".join(task(PROGRAM, Task.RESOLVE))


def test_blocks_are_cleared_before_the_reverse_sweep_of_a_split_request() -> None:
    assert "@__ez_heap_clear" in "\n".join(task(POOL, Task.CLEAR_HEAP))
    assert task(PROGRAM, Task.CLEAR_HEAP) == ["ret void"]


def test_in_a_derivative_that_is_differentiated_again_blocks_begin_and_end_with_the_request() -> None:
    begin = "\n".join(task(POOL, Task.RESOLVE, differentiated_again=True))
    assert "call ptr @malloc" in begin
    assert "@__ez_heap_shadow" not in begin
    assert "call void @free" in "\n".join(task(POOL, Task.REMEMBER, differentiated_again=True))
    assert "@free" not in "\n".join(task(POOL, Task.REMEMBER))


def test_one_function_serves_all_requests_with_as_many_arguments() -> None:
    round, request = requested(PROGRAM)
    first = name_of(round, Task.REMEMBER, 0, request)
    assert name_of(round, Task.REMEMBER, 0, request) == first
    assert name_of(round, Task.REMEMBER, 1, request) != first


def test_forward_mode_has_variables_of_its_own_beside_a_global() -> None:
    round, _ = requested(PROGRAM)
    assert str(beside(round, "@buffer", "seen", forward=False)) == "@buffer_seen"
    assert str(beside(round, "@buffer", "seen", forward=True)) == "@buffer_seen_forward"


def body(program: str, arguments: int, *, differentiated_again: bool = False) -> ForeignFunction:
    """A function that is still empty: its parameters are the memory of the arguments, and whether it is outermost."""
    round, request = requested(program, differentiated_again=differentiated_again)
    types: list[Type] = [*(t for _ in range(arguments) for t in (PTR, I64, PTR)), I64]
    given = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
    function = Function("@walk", FunctionType(VOID, tuple(types)), given, "internal")
    return ForeignFunction(round, function, arguments, request)


def test_a_pointer_is_compared_with_all_memory_that_has_a_shadow() -> None:
    found = body(PROGRAM, 1)
    refuse_alias(found, GlobalRef.of("@limit"), int_constant(1, I1), "@limit")
    calls = [i for i in found.function.instructions() if i.callee_name == "@__ez_refuse"]
    assert len(calls) == len(found.pointed) == 3  # the argument, @buffer and @total


def test_a_request_makes_shadows_of_blocks_only_in_what_is_differentiated_again() -> None:
    assert pools_made_again(body(POOL, 0)) == ()
    (pool,) = pools_made_again(body(POOL, 0, differentiated_again=True))
    assert pool.first == [GlobalPointer("@buffer", 0)]


def test_a_long_row_of_pointers_is_examined_in_a_loop() -> None:
    blocks = []
    for number in (4, 5):
        found = body(PROGRAM, 0)
        for offset in found.each(PointerRow(0, number, 8)):
            found.load(GlobalRef.of("@buffer"), offset)
        blocks.append(len(found.function.blocks))
    assert blocks == [1, 3]


def test_a_reverse_sweep_begins_with_shadows_of_zero_and_an_augmented_one_does_not() -> None:
    assert RequestKind.REVERSE in CLEARING
    assert RequestKind.AUGMENTFWD not in CLEARING
