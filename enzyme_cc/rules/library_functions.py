"""What is known of library functions and intrinsics that have no body: their kind, and the memory they touch.

Math functions are in `table`; a name that is in neither table is unknown, and must be refused where it matters.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from .complex import COMPLEX
from .inactive import INACTIVE, INACTIVE_INTRINSICS, NORETURN, PATTERNS, PURE, PURE_INTRINSICS
from .knowledge import EffectsNotation, Known, Pointees
from .memory_functions import MEMORY, MEMORY_INTRINSICS, RUST_ALLOCATOR
from .rule import Rule
from .runtime_functions import RUNTIME_FUNCTIONS
from .table import TRAILING_TYPES, lookup

_PURE = Known("inactive", pure=True)
#: A function around a library's, which catches what that throws, is called this and then as that one is.
CATCHING = "__ez_unwind_native."
#: Functions that compare a pointer with the functions it may be, and call that, are called this.
DISPATCH = "__ez_dispatch"
#: A request's caller calls this function behind the request: it throws again what left the derivative.
RETHROW_ESCAPED = "__ez_unwind_rethrow_escaped"


def _rows(kind: str, table: dict[str, str]) -> dict[str, Known]:
    assert kind in ("inactive", "noreturn")
    out: dict[str, Known] = {}
    for names, effects in table.items():
        for name in names.split():
            assert name not in out, f"two rows are called {name}"
            out[name] = EffectsNotation.parse(effects).known("inactive" if kind == "inactive" else "noreturn")
    return out


_NAMES: dict[str, Known] = {
    **_rows("inactive", INACTIVE),
    **_rows("noreturn", NORETURN),
    **dict.fromkeys(PURE.split(), _PURE),
    **MEMORY,
    **{name: row.known for name, row in RUNTIME_FUNCTIONS.items() if row.known is not None},
    RETHROW_ESCAPED: Known("inactive"),
}
_INTRINSICS: dict[str, Known] = {
    **_rows("inactive", INACTIVE_INTRINSICS),
    **dict.fromkeys(PURE_INTRINSICS.split(), _PURE),
    **MEMORY_INTRINSICS,
    "trap": Known("noreturn"),
    "ubsantrap": Known("noreturn"),
}
_PATTERNS = [(re.compile(pattern), EffectsNotation.parse(effects).known(kind)) for pattern, kind, effects in PATTERNS]
# rustc's own: plain up to 1.86, then mangled with a hash: _RNvCsfLfy6EI15iL_7___rustc12___rust_alloc
_RUST = re.compile(r"(_RNvC\w+_7___rustc)?(?(1)\d+_)(__r(?:ust|dl|g)_\w+)")


@cache
def known(name: str) -> Known | None:
    """What is known of a function, named as in LLVM IR without the @; None for math functions and unknown ones."""
    if name.startswith("llvm."):
        return _intrinsic(name.removeprefix("llvm."))
    if name.startswith(CATCHING):
        caught = known(caught_in(name))
        return caught and replace(caught, kind="inactive")
    found = _NAMES.get(name)
    if found is not None:
        return found
    rust = _RUST.fullmatch(name)
    if rust is not None:
        return _rust(rust[1] or "", re.sub("^__r(dl|g)_", "__rust_", rust[2]))
    return next((row for pattern, row in _PATTERNS if pattern.match(name)), None)


def caught_in(name: str) -> str:
    """The function that one of such a name is around; the name itself, if it is another function's."""
    return re.sub(r"\.\d+$", "", name.removeprefix(CATCHING)) if name.startswith(CATCHING) else name


_STANDARD = re.compile(r"_ZN?K?S[tsoid]")


@cache
def is_standard_cxx(name: str) -> bool:
    """Whether it is a row's function of namespace std (strings, streams), which nobody else may define.

    Such a row counts also where the body is known: there is nothing to differentiate in it.
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
    return Known("inactive") if found is None and base.startswith("dbg.") else found


@cache
def is_pure(name: str) -> bool:
    """The function touches no memory (errno aside), and its result depends on its operands alone.

    Such a call may be made again in the reverse sweep instead of keeping its result.
    """
    row = known(name)
    if row is not None:
        return row.pure
    rule = lookup(name)
    if rule is None or name.startswith("llvm."):
        return rule is not None
    return not rule.outputs and rule.name not in _STORE_INTEGERS and not _by_reference(name, rule)


#: rules without float outputs whose functions still store through a pointer
_STORE_INTEGERS = frozenset(["frexp", "remquo", "lgamma_r", "gamma_r"])


def _by_reference(name: str, rule: Rule) -> bool:
    """Complex functions of long double are given pointers to their operands (x86-64)."""
    return rule.kind == "complex" and name.endswith("l") and name not in COMPLEX


__all__ = ["Known", "Pointees", "is_pure", "known"]
