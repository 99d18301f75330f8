"""Exceptions become control flow: a lowered function returns where it threw, and its caller looks for an exception."""

from __future__ import annotations

from textwrap import dedent

import pytest

from enzyme_cc.autodiff.unwinding.lower import lower_exceptions
from enzyme_cc.report.diagnostics import EnzymeError

from ..normalise.rewriting import body, lines

PROGRAM = dedent("""
    @_ZTId = external constant ptr
    declare double @__enzyme_autodiff(...)
    declare ptr @__cxa_allocate_exception(i64)
    declare void @__cxa_throw(ptr, ptr, ptr)
    declare ptr @__cxa_begin_catch(ptr)
    declare void @__cxa_end_catch()
    declare i32 @__gxx_personality_v0(...)
    define void @check(double %x) {
      %negative = fcmp olt double %x, 0.0
      br i1 %negative, label %bad, label %good
    bad:
      %e = call ptr @__cxa_allocate_exception(i64 8)
      store double %x, ptr %e, align 8
      call void @__cxa_throw(ptr %e, ptr @_ZTId, ptr null)
      unreachable
    good:
      ret void
    }
    define double @f(double %x) personality ptr @__gxx_personality_v0 {
      invoke void @check(double %x) to label %ok unwind label %caught
    ok:
      ret double %x
    caught:
      %pad = landingpad { ptr, i32 } catch ptr null
      %e = extractvalue { ptr, i32 } %pad, 0
      %object = call ptr @__cxa_begin_catch(ptr %e)
      call void @__cxa_end_catch()
      ret double 0.0
    }
    define double @g(double %x) {
      %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
      ret double %d
    }
""")


def lowered(text: str = PROGRAM) -> str:
    found = lower_exceptions(text, verify=True)
    assert found is not None
    return found


def test_a_function_returns_where_it_threw() -> None:
    assert body(lowered(), "@check.unwinding") == lines("""
          %negative = fcmp olt double %x, 0.0
          br i1 %negative, label %bad, label %good
        bad:
          %e = call ptr @__cxa_allocate_exception(i64 8)
          store double %x, ptr %e, align 8
          call void @__ez_unwind_throw(ptr %e, ptr @_ZTId, ptr null, i64 0, ptr %unwinding)
          br label %1
        good:
          ret void
        1:
          ret void
    """)


def test_the_caller_goes_to_its_handler_if_an_exception_is_in_flight() -> None:
    assert body(lowered(), "@f.unwinding")[:4] == lines("""
          call void @check.unwinding(double %x, ptr %unwinding)
          %1 = load ptr, ptr %unwinding
          %2 = icmp ne ptr %1, null
          br i1 %2, label %caught, label %ok
    """)


def test_the_request_names_an_entry_and_throws_what_leaves_it() -> None:
    assert body(lowered(), "@g") == lines("""
          %d = call double (...) @__enzyme_autodiff(ptr @f.outermost, double %x)
          call void @__ez_unwind_rethrow_escaped()
          ret double %d
    """)


def test_the_primal_is_kept() -> None:
    assert body(lowered(), "@f")[0] == "invoke void @check(double %x)"
    assert body(lowered(), "@check") == body(PROGRAM, "@check")


def test_nothing_is_lowered_if_no_handler_ends_an_exception() -> None:
    cleanup_only = PROGRAM.replace("catch ptr null", "cleanup").replace("ret double 0.0", "unreachable")
    assert lower_exceptions(cleanup_only) is None


def test_code_that_inspects_types_of_exceptions_is_refused() -> None:
    asking = PROGRAM.replace("ok:\n", "ok:\n  %type = call ptr @__cxa_current_exception_type()\n")
    with pytest.raises(EnzymeError, match="std::current_exception is asked"):
        lower_exceptions(asking + "declare ptr @__cxa_current_exception_type()\n")


def test_exceptions_in_flight_are_counted() -> None:
    asking = PROGRAM.replace("ok:\n", "ok:\n  %count = call i32 @_ZSt19uncaught_exceptionsv()\n")
    text = lower_exceptions(asking + "declare i32 @_ZSt19uncaught_exceptionsv()\n")
    assert text is not None and "call i32 @__ez_unwind_uncaught(ptr %unwinding)" in text
