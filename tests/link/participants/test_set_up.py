"""Which calls set something up before anything carries a derivative, and which free it at the end."""

import pytest

from enzyme_cc.link.participants.set_up import Followed, promoted, set_up_calls

_HEAD = """
%struct.pair = type { ptr, double }
@name = constant [2 x i8] c"n\\00"
@shared = global ptr null
declare ptr @make(ptr, i32)
declare void @fill(ptr, i32)
declare void @drop(ptr)
declare double @value(ptr, double)
declare void @tell(double)
declare double @sin(double)
declare ptr @malloc(i64)
declare double @__enzyme_autodiff(ptr, double)
define internal void @look(ptr %p) {
  ret void
}
"""
_REST = """
  %value = call double @value(ptr %handle, double %x)
  call void @drop(ptr %handle)
  ret double %value
}
"""
_MAKE = "\n  %handle = call ptr @make(ptr null, i32 1)"


def found(text: str, *requested: str) -> Followed:
    """Follows f, or the functions that are named; make and fill may set something up, drop may come last."""
    module = promoted(_HEAD + text)
    return set_up_calls(module, requested or ("@f",), {"@make", "@fill"}.__contains__, {"@drop"}.__contains__)


def test_a_handle_of_constants_is_set_up_and_freed_at_the_end() -> None:
    result = found("define double @f(double %x) {\n  %handle = call ptr @make(ptr @name, i32 3)" + _REST)
    assert result.set_up == {"@make"}
    assert result.tear_down == {"@drop"}


SET_UPS = {
    "integers of the caller": "define double @f(double %x, i32 %n) {\n  %handle = call ptr @make(ptr null, i32 %n)",
    "after arithmetic": "define double @f(double %0) {\n  %x = call double @sin(double %0)" + _MAKE,
    "a variable of numbers": """define double @f(double %x) {
  %v = alloca [2 x double]
  %handle = call ptr @make(ptr %v, i32 1)
  store double %x, ptr %v""",
    "a copy of a number in another variable": """define double @f(double %x) {
  %v = alloca [2 x double]
  %w = alloca double
  store double %x, ptr %w
  %handle = call ptr @make(ptr %v, i32 1)
  %y = load double, ptr %w""",
    "in a function of the same file": """define internal ptr @helper(i32 %n) {
  %made = call ptr @make(ptr null, i32 %n)
  ret ptr %made
}
define double @f(double %x) {
  %handle = call ptr @helper(i32 4)""",
    "given what another one made": """define double @f(double %x) {
  %first = call ptr @make(ptr null, i32 1)
  %handle = call ptr @make(ptr %first, i32 2)""",
}


@pytest.mark.parametrize("text", SET_UPS.values(), ids=SET_UPS)
def test_it_is_set_up(text: str) -> None:
    assert found(text + _REST).set_up == {"@make"}


_NUMBER = "define double @f(double %x) {\n"
_POINTER = "define double @f(double %x, ptr %p) {\n"
LATE = {
    "given a number's address": _NUMBER + """  %v = alloca double
  store double %x, ptr %v
  %handle = call ptr @make(ptr %v, i32 1)""",
    "given an argument": _POINTER + "  %handle = call ptr @make(ptr %p, i32 1)",
    "after the library was told a number": _NUMBER + "  call void @tell(double %x)" + _MAKE,
    "after a number was stored elsewhere": _POINTER + "  store double %x, ptr %p" + _MAKE,
    "given memory of differentiated code": _NUMBER + """  %m = call ptr @malloc(i64 8)
  %handle = call ptr @make(ptr %m, i32 1)""",
    "given such memory in a variable": _NUMBER + """  %v = alloca %struct.pair
  %m = call ptr @malloc(i64 8)
  store ptr %m, ptr %v
  call void @look(ptr %v)
  %handle = call ptr @make(ptr %v, i32 1)""",
    "given a global that may change": _NUMBER + "  %handle = call ptr @make(ptr @shared, i32 1)",
    "again, too late": _NUMBER + """  %first = call ptr @make(ptr null, i32 1)
  %v = call double @value(ptr %first, double %x)""" + _MAKE,
    "in a loop with evaluations": _NUMBER + """  br label %loop
loop:
  %handle = call ptr @make(ptr null, i32 1)
  %v = call double @value(ptr %handle, double %x)
  %again = fcmp olt double %v, 1.0
  br i1 %again, label %loop, label %done
done:""",
    "after a call through a pointer": _POINTER + "  call void %p()" + _MAKE,
    "its address is passed on": _NUMBER + "  call void @look(ptr @make)" + _MAKE,
    "beside a request": _NUMBER + "  %v = call double @__enzyme_autodiff(ptr @value, double %x)" + _MAKE,
}  # fmt: skip


@pytest.mark.parametrize("text", LATE.values(), ids=LATE)
def test_it_is_not_set_up(text: str) -> None:
    assert found(text + _REST).set_up == set()


def test_a_variable_is_filled() -> None:
    result = found("""define double @f(double %x) {
  %v = alloca %struct.pair
  call void @fill(ptr %v, i32 1)
  %value = call double @value(ptr %v, double %x)
  call void @drop(ptr %v)
  ret double %value
}
""")
    assert result.set_up == {"@fill"}
    assert result.tear_down == {"@drop"}


EARLY = {
    "a call follows": "  call void @drop(ptr %handle)\n  call void @tell(double %value)\n  ret double %value\n}",
    "memory is read after it": "  call void @drop(ptr %handle)\n  %more = load double, ptr %p\n  ret double %more\n}",
    "given something else": "  call void @drop(ptr %p)\n  ret double %value\n}",
    "given something else, too": """  call void @drop(ptr %handle)
  call void @drop(ptr %p)
  ret double %value
}""",
}


@pytest.mark.parametrize("end", EARLY.values(), ids=EARLY)
def test_it_does_more_than_free(end: str) -> None:
    result = found(_POINTER + _MAKE + "\n  %value = call double @value(ptr %handle, double %x)\n" + end)
    assert result.set_up == {"@make"}
    assert result.tear_down == set()


def test_what_is_called_back_counts_only_where_it_is_called() -> None:
    """A request names `g`, too, but `f` passes it on: it may be called when numbers were stored."""
    text = _NUMBER.replace("@f", "@g") + _MAKE + _REST + _NUMBER + """  call void @tell(double %x)
  call void @drop(ptr @g)
  ret double %x
}
"""  # fmt: skip
    assert found(text, "@f", "@g").set_up == set()
    assert found(text, "@g").set_up == {"@make"}
