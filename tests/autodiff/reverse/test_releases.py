"""Memory that the primal frees lives on until the reverse sweep is done."""

from enzyme_cc.autodiff.core.signature import Form
from tests.autodiff.sweeps import derivative

TEXT = """
declare ptr @malloc(i64)
declare void @free(ptr)

define double @f(double %x) {
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  %w = fmul double %v, %v
  call void @free(ptr %p)
  ret double %w
}
"""


#: the block is not the function's own, as others know of it
SHARED = TEXT.replace("  %v", "  store ptr %p, ptr @last\n  %v").replace("define", "@last = global ptr null\ndefine")


def test_reverse_mode_defers_the_release_of_memory_and_of_its_shadow() -> None:
    calls = [line for line in derivative(SHARED, "out") if "call" in line]
    assert not any("@free(" in line for line in calls)
    assert len([line for line in calls if "@__ez_defer_free(" in line]) == 2


def test_the_shadow_of_a_block_that_its_function_frees_is_on_the_tape() -> None:
    calls = [line for line in derivative(TEXT, "out") if "call" in line]
    assert len([line for line in calls if "@malloc(" in line]) == 1
    assert len([line for line in calls if "@__ez_alloc(" in line]) == 1
    assert len([line for line in calls if "@__ez_defer_free(" in line]) == 1


def test_forward_mode_releases_both_at_once() -> None:
    calls = [line for line in derivative(TEXT, "dup", Form.TANGENT) if "@free(" in line]
    assert len(calls) == 2


def test_shadows_along_several_directions_are_one_block_that_is_freed_once() -> None:
    lines = derivative(TEXT, "dup", Form.TANGENT, directions=3)
    made, freed = ([line for line in lines if f"@{name}(" in line] for name in ("malloc", "free"))
    assert (len(made), len(freed)) == (2, 2)
    parts = [line.split(" = ")[0] for line in lines if "@__ez_part(" in line]
    assert len(parts) == 3
    ends = [line for line in lines if "@__ez_part_ends(" in line]
    assert [part in end for part, end in zip(parts, ends, strict=True)] == [True] * 3
    assert freed[0].endswith(f"(ptr {parts[0]})") and lines.index(freed[0]) > max(map(lines.index, ends))


REGISTERED = """
@spec = private constant [5 x i8] c"1,-1\\00"
@__enzyme_allocation_like_take = global [4 x ptr] [ptr @take, ptr inttoptr (i64 1 to ptr), ptr @spec, ptr @give_back]
declare ptr @take(i64, i64)
declare void @give_back(i64, ptr)

define double @f(double %x) {
  %p = call ptr @take(i64 7, i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  %w = fmul double %v, %v
  call void @give_back(i64 8, ptr %p)
  ret double %w
}
"""


def test_a_registered_release_is_deferred_with_all_its_arguments() -> None:
    lines = derivative(REGISTERED, "out")
    assert not any("@give_back(" in line for line in lines)
    records = [line.split(" = ")[0] for line in lines if "@__ez_alloc(" in line]
    deferred = [line for line in lines if "@__ez_defer_free(" in line]
    assert len(deferred) == 2  # the memory, and its shadow
    for record, call in zip(records, deferred, strict=True):
        assert f"store i64 8, ptr {record}" in lines  # the first argument of give_back is the size that take was given
        assert f"ptr {record}, ptr @__ez_release.give_back" in call
