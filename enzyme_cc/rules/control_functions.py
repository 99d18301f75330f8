"""Library functions with special control flow: they call comparators, run functions at exit, or return twice."""

from __future__ import annotations

from typing import NamedTuple

from .runtime_functions import ORDER, ORDER_R


class Callback(NamedTuple):
    """How a library function calls a comparator, which changes no numbers.

    `operand` is the function that is called. Argument k of that call is operand `bases[k]`, or an element of it if that
    is the `array`. Operand `size` has the bytes of an element.
    """

    operand: int
    bases: tuple[int, ...]
    array: int
    size: int


#: qsort has no row: its stand-in (toolchain/stand_ins/sort.c) calls ORDER and ORDER_R of the runtime
_CALLBACKS = {
    ORDER.name: Callback(3, (0, 0), 0, 2),
    ORDER_R.name: Callback(3, (0, 0, 4), 0, 2),
    "bsearch": Callback(4, (0, 1), 1, 3),
    "lfind": Callback(4, (0, 1), 1, 3),
}
#: functions that call a function which they are given, and forget its address
BORROWS_FUNCTION = frozenset("qsort qsort_r bsearch lfind lsearch".split())
#: the operands are a function and its argument
_AT_EXIT = frozenset(["__cxa_atexit", "__cxa_thread_atexit"])
_KEEPS_PLACE = frozenset("setjmp _setjmp sigsetjmp __sigsetjmp".split())
_CHANGES_CONTEXT = frozenset("vfork getcontext setcontext makecontext swapcontext".split())


def callback(name: str) -> Callback | None:
    """Returns how a library function calls back into the program. None if it does not."""
    return _CALLBACKS.get(name)


def runs_at_exit(name: str) -> bool:
    """True if the function is given a function and an argument, for a call when the program ends."""
    return name in _AT_EXIT


def keeps_place(name: str) -> bool:
    """True if the function keeps a place to which longjmp returns: 0 tells the first return from those by longjmp."""
    return name in _KEEPS_PLACE


def changes_context(name: str) -> bool:
    """True if a call of the function returns into another stack or process, or more than once without telling so."""
    return name in _CHANGES_CONTEXT
