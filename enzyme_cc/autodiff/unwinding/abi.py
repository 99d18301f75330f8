"""Knowledge of the C++ ABI: the functions that throw and catch, and which native functions may throw."""

from __future__ import annotations

import re

from ...analysis.callees import plain_name
from ...ir.attributes import without, words
from ...ir.constants import ConstantInt, GlobalRef
from ...ir.instructions import FUNCTION_CALLS
from ...ir.module import Module, global_name
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import known
from ...rules.parallel import fibers

BEGIN_CATCH = "@__cxa_begin_catch"
#: ABI function of a handler -> (our function in its place, true if that takes the `struct unwinding`)
REPLACED = {
    BEGIN_CATCH: (runtime.UNWIND_BEGIN, True),
    "@__cxa_end_catch": (runtime.UNWIND_END, True),
    "@__cxa_get_exception_ptr": (runtime.UNWIND_OBJECT, False),
    "@_ZSt17current_exceptionv": (runtime.UNWIND_KEEP_CAUGHT, True),
    "@_ZSt18uncaught_exceptionv": (runtime.UNWIND_IS_UNCAUGHT, True),
    "@_ZSt19uncaught_exceptionsv": (runtime.UNWIND_UNCAUGHT, True),
}
ALLOCATE = "@__cxa_allocate_exception"
THROW, RETHROW = "@__cxa_throw", "@__cxa_rethrow"
RETHROW_KEPT = "@_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"
#: function that throws -> our function in its place
THROWING = {THROW: runtime.UNWIND_THROW, RETHROW: runtime.UNWIND_RETHROW, RETHROW_KEPT: runtime.UNWIND_THROW_KEPT}
PRIMITIVES = frozenset(THROWING)
#: ask for the exception that is caught where they are called, perhaps by a function that a handler calls, or for those
#: in flight, in functions that destroy what an exception leaves behind
ASKING = frozenset(["@_ZSt17current_exceptionv", "@_ZSt18uncaught_exceptionv", "@_ZSt19uncaught_exceptionsv"])
#: std::make_exception_ptr: an object that is thrown later
INITIALISE = "@__cxa_init_primary_exception"
#: end the program because of an exception
TERMINATE = frozenset(["@__clang_call_terminate", "@__cxa_call_terminate"])
_AGAIN = frozenset([RETHROW, "@_Unwind_Resume", "@_ZSt9terminatev"]) | TERMINATE
#: they inspect exceptions, and do not see lowered ones; with the names that diagnostics give them
REFUSED = {
    "@__cxa_current_exception_type": "std::current_exception",
    "@__cxa_call_unexpected": "an exception specification",
}
#: virtual functions of libstdc++ that handlers call
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


def makes_thread(call: Instruction) -> bool:
    """True for a call that makes a thread of its first operand: an exception that left that would end the program."""
    return isinstance(call.callee, GlobalRef) and call.callee.name == global_name(fibers.CALL)


def call_never_throws(module: Module, call: Instruction) -> bool:
    return makes_thread(call) or "nounwind" in words(module, call.call.attributes)


def ends(module: Module, name: str) -> bool:
    """True if the function ends the program. Functions that throw again, or that refuse an exception, do not count."""
    if name in _AGAIN:
        return False
    row = known(plain_name(name))
    return (row is not None and row.kind is CalleeKind.NORETURN) or "noreturn" in words(
        module, module.functions[name].suffix
    )


def native_may_throw(module: Module, name: str) -> bool:
    """True for a function of the C++ library that may throw and carries no derivative.

    Allocation counts as never throwing: an exception of it leaves the gradient.
    """
    plain = plain_name(name)
    if _NATIVE.match(plain) is None or never_throws(module, module.functions[name]):
        return False
    row = known(plain)
    return row is not None and row.kind in (CalleeKind.INACTIVE, CalleeKind.NORETURN)


def without_untrue(attributes: str) -> str:
    """Returns the attributes of a parameter or argument that still hold if the function returns early."""
    return without(attributes, _UNTRUE)


def is_pointer(type_info: Value) -> int:
    """Returns 1 for the type_info of a pointer: handlers receive the thrown pointer itself, not its address."""
    return int(isinstance(type_info, GlobalRef) and plain_name(type_info.name).startswith("_ZTIP"))


def may_hold_numbers(type_info: GlobalRef, thrown: Value) -> bool:
    """True if an exception's object may hold numbers that have derivatives."""
    size = thrown.arguments[0] if isinstance(thrown, Instruction) and thrown.opcode in FUNCTION_CALLS else None
    if isinstance(size, ConstantInt) and size.value < _SMALLEST_NUMBER:
        return False
    return _INTEGRAL.fullmatch(plain_name(type_info.name)) is None
