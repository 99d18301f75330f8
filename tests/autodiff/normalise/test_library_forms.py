"""Library calls in the form whose derivative is simple."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.library_forms import simplify_library_calls

from .rewriting import becomes, is_unchanged


def test_a_place_that_is_found_becomes_an_offset_into_the_operand() -> None:
    """The shadow of the result is then the same offset into the operand's shadow."""
    becomes(
        simplify_library_calls,
        """
        declare ptr @memchr(ptr, i32, i64)
        define ptr @f(ptr %p) {
          %found = call ptr @memchr(ptr %p, i32 0, i64 9)
          ret ptr %found
        }
        """,
        """
          %1 = call ptr @memchr(ptr %p, i32 0, i64 9)
          %2 = ptrtoint ptr %1 to i64
          %3 = ptrtoint ptr %p to i64
          %4 = sub i64 %2, %3
          %5 = getelementptr i8, ptr %p, i64 %4
          %6 = icmp eq ptr %1, null
          %7 = select i1 %6, ptr null, ptr %5
          ret ptr %7
        """,
    )


def test_a_masked_pointer_becomes_an_offset_to_the_pointer() -> None:
    becomes(
        simplify_library_calls,
        """
        declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
        define ptr @f(ptr %p) {
          %aligned = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
          ret ptr %aligned
        }
        """,
        """
          %1 = ptrtoint ptr %p to i64
          %2 = and i64 %1, -16
          %3 = sub i64 %2, %1
          %4 = getelementptr i8, ptr %p, i64 %3
          ret ptr %4
        """,
    )


def test_memory_that_is_given_through_a_pointer_becomes_a_result() -> None:
    becomes(
        simplify_library_calls,
        """
        declare ptr @memalign(i64, i64)
        declare i32 @posix_memalign(ptr, i64, i64)
        define i32 @f(ptr %p) {
          %error = call i32 @posix_memalign(ptr %p, i64 64, i64 100)
          ret i32 %error
        }
        """,
        """
          %1 = call ptr @memalign(i64 64, i64 100)
          store ptr %1, ptr %p, align 8
          %2 = icmp eq ptr %1, null
          %3 = select i1 %2, i32 12, i32 0
          ret i32 %3
        """,
    )


def test_a_pointer_that_is_given_back_is_the_operand() -> None:
    becomes(
        simplify_library_calls,
        """
        declare ptr @llvm.launder.invariant.group.p0(ptr)
        define ptr @f(ptr %p) {
          %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
          ret ptr %q
        }
        """,
        "ret ptr %p",
    )


def test_the_smaller_of_two_loaded_words_is_selected() -> None:
    """The words may be numbers, whose bits are compared: a select moves them, and derivatives follow it."""
    becomes(
        simplify_library_calls,
        """
        declare i64 @llvm.umin.i64(i64, i64)
        define void @f(ptr %p, ptr %q) {
          %x = load i64, ptr %p, align 8
          %y = load i64, ptr %q, align 8
          %least = call i64 @llvm.umin.i64(i64 %x, i64 %y)
          store i64 %least, ptr %p, align 8
          ret void
        }
        """,
        """
          %x = load i64, ptr %p, align 8
          %y = load i64, ptr %q, align 8
          %1 = icmp ult i64 %x, %y
          %2 = select i1 %1, i64 %x, i64 %y
          store i64 %2, ptr %p, align 8
          ret void
        """,
    )


def test_a_function_of_the_program_is_not_the_library_function_of_that_name() -> None:
    is_unchanged(
        simplify_library_calls,
        """
        define ptr @memchr(ptr %p, i32 %x, i64 %n) {
          ret ptr %p
        }
        define ptr @f(ptr %p) {
          %found = call ptr @memchr(ptr %p, i32 0, i64 9)
          ret ptr %found
        }
        """,
    )
