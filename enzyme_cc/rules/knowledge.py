"""The form of a row about a library function, and the short notation for what it reads and writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FunctionKind = Literal["inactive", "allocate", "free", "reallocate", "copy", "fill", "noreturn", "stack", "linear"]
#: indices of the pointer operands whose pointees are meant; "any": memory reachable from any operand or global
Pointees = tuple[int, ...] | Literal["none", "any"]


@dataclass(frozen=True)
class Known:
    """A library function.

    inactive: carries no derivative; what it writes (`writes`) has derivative zero.
    allocate: gives fresh memory of the product of `size_operands` in bytes, `zeroed` or not, as its result, or through
        the pointer operand `through`. `release` frees it, given `release_operands` of the allocation's operands
        (-1: the memory). `copies`: the operand whose zero-terminated string fills it, so that there is no size operand.
    free: frees `pointer`; with `shadow_only` nothing but its shadow.
    reallocate: moves `pointer` to memory of the product of `size_operands` bytes; `release` as for allocate.
    copy: `length` bytes from operand `source` to operand `target`.
    fill: `length` bytes of operand `target`, each with operand `value` (None: with zero).
    stack: saves or restores the stack pointer. noreturn: never comes back, or by unwinding only.
    linear: a linear map of the numbers in `length` bytes behind the pointers that it reads or writes.

    `mixed`: a function of our own runtime for memory that holds numbers at one time and pointers at another; it has no
    adjoint itself.

    `arena`: a function of our own runtime, whose first operand is a tape: what it allocates lives as long, and what it
    frees is freed then, by its operand `release_operand`.

    `integers`: operands behind which integers and pointers are written, and no numbers. `local`: no pointer is kept
    after the call. `result`: the operand that a pointer result points into, if any. `pure`: no memory effects, the
    result depends on the operands alone.
    """

    kind: FunctionKind
    reads: Pointees = "none"
    writes: Pointees = "none"
    integers: tuple[int, ...] = ()
    pure: bool = False
    local: bool = False
    result: int | None = None
    size_operands: tuple[int, ...] = ()
    zeroed: bool = False
    through: int | None = None
    release: str = ""
    release_operands: tuple[int, ...] = (-1,)
    copies: int | None = None
    mixed: bool = False
    arena: bool = False
    release_operand: int | None = None
    pointer: int = 0
    shadow_only: bool = False
    target: int = 0
    source: int = 1
    length: int = 2
    value: int | None = None


@dataclass(frozen=True)
class EffectsNotation:
    """Read from a text such as `r0 r1 w2 =2`: pointees read and written (`r*`, `w*`: any), operand the result is in.

    `i2`: written as by w2, but no numbers. `local` says that no pointer is kept.
    """

    reads: Pointees = "none"
    writes: Pointees = "none"
    integers: tuple[int, ...] = ()
    result: int | None = None
    local: bool = False

    @staticmethod
    def parse(text: str) -> EffectsNotation:
        """Raises ValueError for a word of another form."""
        words = [word for word in text.split() if word != "local"]
        unknown = [word for word in words if word[0] not in "rwi=" or not (word[1:].isdigit() or word[1:] == "*")]
        if unknown:
            raise ValueError(f"not an effect: {unknown[0]}")
        result = next((int(word[1:]) for word in words if word[0] == "="), None)
        integers = tuple(int(word[1:]) for word in words if word[0] == "i")
        return EffectsNotation(_pointees(words, "r"), _pointees(words, "wi"), integers, result, "local" in text.split())

    def known(self, kind: FunctionKind) -> Known:
        return Known(kind, self.reads, self.writes, self.integers, local=self.local, result=self.result)


def _pointees(words: list[str], letters: str) -> Pointees:
    indices = [word[1:] for word in words if word[0] in letters]
    if "*" in indices:
        return "any"
    return tuple(map(int, indices)) or "none"
