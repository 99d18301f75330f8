"""What is known of the functions of the C++ ABI that throw and catch, and of what native functions may throw."""

from __future__ import annotations

import re

from ...analysis.callees import plain_name
from ...ir.attributes import without, words
from ...ir.module import Module
from ...ir.values import ConstantInt, Function, GlobalRef, Instruction, Value
from ...rules.library_functions import known

#: what takes the place of functions of the ABI that end or do not throw; and whether it is given the `unwinding`
REPLACED = {
    "@__cxa_begin_catch": ("@__ez_unwind_begin", True),
    "@__cxa_end_catch": ("@__ez_unwind_end", True),
    "@__cxa_get_exception_ptr": ("@__ez_unwind_object", False),
}
ALLOCATE = "@__cxa_allocate_exception"
THROW, RETHROW = "@__cxa_throw", "@__cxa_rethrow"
PRIMITIVES = frozenset([THROW, RETHROW])
#: with an exception that must not go on
TERMINATE = frozenset(["@__clang_call_terminate", "@__cxa_call_terminate"])
_AGAIN = frozenset([RETHROW, "@_Unwind_Resume", "@_ZSt9terminatev"]) | TERMINATE
#: they look at exceptions in flight, or keep them: a lowered exception they know nothing of
REFUSED = {
    "@_ZSt17current_exceptionv": "std::current_exception",
    "@_ZSt18uncaught_exceptionv": "std::uncaught_exception",
    "@_ZSt19uncaught_exceptionsv": "std::uncaught_exceptions",
    "@_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE": "std::rethrow_exception",
    "@__cxa_current_exception_type": "std::current_exception",
    "@__cxa_call_unexpected": "an exception specification",
}
#: what handlers call through the tables of virtual functions of libstdc++
VIRTUAL = tuple(
    f"@_ZNKSt{len(name)}{name}4whatEv"
    for name in """exception bad_exception bad_alloc bad_array_new_length bad_cast bad_typeid bad_function_call
    logic_error runtime_error""".split()
)
_INTEGRAL = re.compile(r"_ZTI(?:[abchijlmstwxy]|P.*c)")
_SMALLEST_NUMBER = 2
_UNTRUE = ("returned", "initializes", "dead_on_unwind")
_NATIVE = re.compile(r"_Z|__cxa_bad_|__cxa_throw_bad_")


def never_throws(module: Module, function: Function) -> bool:
    return "nounwind" in words(module, function.suffix)


def call_never_throws(module: Module, call: Instruction) -> bool:
    return "nounwind" in words(module, call.call.attributes)


def ends(module: Module, name: str) -> bool:
    """Whether it is a function that never returns, other than by throwing again, or since nothing may be thrown."""
    if name in _AGAIN:
        return False
    row = known(plain_name(name))
    return (row is not None and row.kind == "noreturn") or "noreturn" in words(module, module.functions[name].suffix)


def native_may_throw(module: Module, name: str) -> bool:
    """Whether it is a function of the C++ library, known to carry no derivative, that may throw.

    What allocates is taken not to: an exception of it leaves the gradient.
    """
    plain = plain_name(name)
    if _NATIVE.match(plain) is None or never_throws(module, module.functions[name]):
        return False
    row = known(plain)
    return row is not None and row.kind in ("inactive", "noreturn")


def without_untrue(attributes: str) -> str:
    """The attributes of a parameter, or of what is passed for it, that hold also where functions return early."""
    return without(attributes, _UNTRUE)


def is_pointer(type_info: Value) -> int:
    """1 for the type_info of a pointer: handlers are given the pointer that was thrown, not its address."""
    return int(isinstance(type_info, GlobalRef) and plain_name(type_info.name).startswith("_ZTIP"))


def may_hold_numbers(type_info: GlobalRef, thrown: Value) -> bool:
    """Whether an exception's object may hold numbers that have derivatives."""
    size = thrown.arguments[0] if isinstance(thrown, Instruction) and thrown.opcode in ("call", "invoke") else None
    if isinstance(size, ConstantInt) and size.value < _SMALLEST_NUMBER:
        return False
    return _INTEGRAL.fullmatch(plain_name(type_info.name)) is None
