"""Knowledge of library functions and intrinsics without a body: their kind, and the memory that they read and write.

Math functions have rules in `table`. A function in neither table is unknown: its call is refused if it may carry
a derivative.
"""

from __future__ import annotations

import re
from functools import cache

from msgspec.structs import replace

from .complex import COMPLEX
from .inactive import (
    COMPUTED_INTEGERS,
    INACTIVE,
    INACTIVE_INTRINSICS,
    NORETURN,
    PATTERNS,
    PURE,
    PURE_INTRINSICS,
    unchecked,
)
from .knowledge import CalleeKind, EffectsNotation, Known, Pointees
from .memory_functions import MEMORY, MEMORY_INTRINSICS, RUST_ALLOCATOR
from .parallel.mpi import MPI
from .parallel.openmp import WORK
from .rule import Rule
from .runtime_functions import RUNTIME_FUNCTIONS
from .table import TRAILING_TYPES, lookup

_PURE = Known(CalleeKind.INACTIVE, pure=True)
#: Prefix of a wrapper that catches the exceptions of a library function; the function's name follows.
CATCHING = "__ez_unwind_native."
#: In the place of that name: the wrapper calls a pointer, its first argument.
POINTER = "pointer"
#: Prefix of dispatchers: functions that call the candidate whose address a pointer holds.
DISPATCH = "__ez_dispatch"
#: what Armadillo's library puts before Fortran's names of BLAS and LAPACK; its functions take the same arguments
WRAPPER = "wrapper2_"
#: functions that compare a pointer with library functions that have bodies begin with this (link/merged_module)
THROUGH_POINTER = "__ez_through_pointer"
#: Prefix of functions that call the internal procedure of a closure, or else a dispatcher.
CLOSURES = "__ez_call_closure"
#: Called behind a request: throws the exception that left the derivative, if there is one.
RETHROW_ESCAPED = "__ez_unwind_rethrow_escaped"


def _rows(kind: CalleeKind, table: dict[str, str]) -> dict[str, Known]:
    out: dict[str, Known] = {}
    for names, effects in table.items():
        for name in names.split():
            assert name not in out, f"two rows are called {name}"
            out[name] = EffectsNotation.parse(effects).known(kind)
    return out


_NAMES: dict[str, Known] = {
    **_rows(CalleeKind.INACTIVE, INACTIVE),
    **_rows(CalleeKind.INACTIVE, MPI),
    **_rows(CalleeKind.INACTIVE, WORK),
    **_rows(CalleeKind.NORETURN, NORETURN),
    **dict.fromkeys(PURE.split(), _PURE),
    **MEMORY,
    **{name: row.known for name, row in RUNTIME_FUNCTIONS.items() if row.known is not None},
    RETHROW_ESCAPED: Known(CalleeKind.INACTIVE),
}
_INTRINSICS: dict[str, Known] = {
    **_rows(CalleeKind.INACTIVE, INACTIVE_INTRINSICS),
    **dict.fromkeys(PURE_INTRINSICS.split(), _PURE),
    **MEMORY_INTRINSICS,
    "trap": Known(CalleeKind.NORETURN),
    "ubsantrap": Known(CalleeKind.NORETURN),
}
_PATTERNS = [
    (re.compile(pattern), EffectsNotation.parse(effects).known(CalleeKind[kind])) for pattern, kind, effects in PATTERNS
]
# rustc's own: plain up to 1.86, then mangled with a hash: _RNvCsfLfy6EI15iL_7___rustc12___rust_alloc
_RUST = re.compile(r"(_RNvC\w+_7___rustc)?(?(1)\d+_)(__r(?:ust|dl|g)_\w+)")


@cache
def known(name: str) -> Known | None:
    """Returns the row of a function, named as in LLVM IR without the @. None for math functions and unknown ones."""
    if name.startswith("llvm."):
        return _intrinsic(name.removeprefix("llvm."))
    if name.startswith(CATCHING):
        caught = known(caught_in(name))
        return caught and replace(caught, kind=CalleeKind.INACTIVE)
    found = _NAMES.get(name)
    if found is not None:
        return found
    if unchecked(name) != name:
        return known(unchecked(name))
    rust = _RUST.fullmatch(name)
    if rust is not None:
        return _rust(rust[1] or "", re.sub("^__r(dl|g)_", "__rust_", rust[2]))
    return next((row for pattern, row in _PATTERNS if pattern.match(name)), None)


def caught_in(name: str) -> str:
    """Returns the function that a catching wrapper wraps; for other functions, the name itself."""
    return re.sub(r"\.\d+$", "", name.removeprefix(CATCHING)) if name.startswith(CATCHING) else name


def catches_pointer(name: str) -> bool:
    """Returns whether the function is a wrapper that calls its first argument, and catches what that throws."""
    return name.startswith(CATCHING) and caught_in(name) == POINTER


_STANDARD = re.compile(r"_ZN?K?S[tsoid]")


@cache
def is_standard_cxx(name: str) -> bool:
    """True if the function has a row and belongs to namespace std (strings, streams), where programs define nothing.

    The row counts even if the body is known: the body carries no derivative.
    """
    if name.startswith(CATCHING) or name == RETHROW_ESCAPED:
        return True
    return _STANDARD.match(name) is not None and known(name) is not None


def _rust(mangling: str, name: str) -> Known | None:
    row = RUST_ALLOCATOR.get(name)
    if row is None or not mangling or not row.release:
        return row
    return replace(row, release=f"{mangling}{len(row.release)}_{row.release}")


def _intrinsic(name: str) -> Known | None:
    base = TRAILING_TYPES.sub("", name)
    found = _INTRINSICS.get(base)
    return Known(CalleeKind.INACTIVE) if found is None and base.startswith("dbg.") else found


_COMPUTED_INTEGERS = frozenset(COMPUTED_INTEGERS.split())


@cache
def computes_integer(name: str) -> bool:
    """Returns whether it is an intrinsic that does arithmetic with integers (llvm.umax): its result carries no bits."""
    return name.startswith("llvm.") and TRAILING_TYPES.sub("", name.removeprefix("llvm.")) in _COMPUTED_INTEGERS


@cache
def is_pure(name: str) -> bool:
    """True if the function accesses no memory except errno, and its result depends on its operands alone.

    The reverse sweep may repeat such a call instead of storing its result.
    """
    row = known(name)
    if row is not None:
        return row.pure
    rule = lookup(name)
    if rule is None or name.startswith("llvm."):
        return rule is not None
    return not rule.outputs and rule.name not in _STORE_INTEGERS and not _by_reference(name, rule)


#: functions that store an integer through a pointer, so that their rules have no outputs
_STORE_INTEGERS = frozenset(["frexp", "remquo", "lgamma_r", "gamma_r"])


def _by_reference(name: str, rule: Rule) -> bool:
    """True for complex functions of long double: on x86-64, they take pointers to their operands."""
    return rule.kind == "complex" and name.endswith("l") and name not in COMPLEX


__all__ = ["Known", "Pointees", "is_pure", "known"]
