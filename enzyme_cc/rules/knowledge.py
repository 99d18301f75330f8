"""The row type for library functions, and the short notation for the memory that a function reads and writes."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from msgspec import Struct

#: indices of pointer operands, for the memory behind them; "any": all memory that an operand or a global reaches
Pointees = tuple[int, ...] | Literal["none", "any"]


class CalleeKind(Enum):
    """What a called function does, which decides how both modes differentiate the call.

    A row of a library function (`Known`) has one of these kinds:

    INACTIVE: it carries no derivative; the memory that it writes (`writes`) gets derivative zero. With `set_up`, it
        returns constant memory, which is unshadowed if differentiated code stores numbers there.
    ALLOCATE: it returns new memory, or stores the address through the pointer operand `through`. The size in bytes is
        the product of `size_operands`. `zeroed`: the memory is zero. `release` is the function that frees the memory;
        it is given `release_operands` of the allocation's operands (-1: the memory). `copies`: the operand whose
        zero-terminated string fills the memory; such a function has no size operand.
    FREE: it frees `pointer`. With `shadow_only`, only the shadow is freed, with `primal_only`, there is none.
    REALLOCATE: it moves `pointer` to memory of the product of `size_operands` bytes; `release` is as for ALLOCATE.
    COPY: it copies `length` bytes from operand `source` to operand `target`.
    FILL: it sets `length` bytes of operand `target` to operand `value` (None: to zero).
    STACK: it saves or restores the stack pointer.
    NORETURN: it never returns; it may unwind.
    LINEAR: it maps the numbers in `length` bytes behind its pointer operands linearly.

    The names in backquotes are fields of `Known`. The value of each kind says in messages what the callee is. A call of
    a function that never returns is INACTIVE.
    """

    DEFINED = "a body to differentiate"
    CUSTOM = "a registered derivative"
    RULE = "a row of the rules table"
    INACTIVE = "no derivative"
    NORETURN = "never returns"
    ALLOCATE = "allocates memory"
    FREE = "frees memory"
    REALLOCATE = "moves memory"
    COPY = "copies memory"
    FILL = "fills memory"
    STACK = "saves or restores the stack pointer"
    LINEAR = "a linear map of memory"
    INDIRECT = "a function pointer"
    ASM = "inline assembly"
    UNKNOWN = "neither body nor rule"


class Known(Struct, frozen=True):
    """What the analyses know of a library function.

    `CalleeKind` explains the fields that only some kinds have. The other fields:

    `mixed`: the function belongs to our runtime and handles memory that holds numbers at one time and pointers at
        another. It has no adjoint.
    `arena`: the function belongs to our runtime, and its first operand is a tape. Its allocations live as long as the
        tape. Memory that it frees is freed with the tape, by the function in operand `release_operand`.
    `integers`: operands behind which it writes integers and pointers, but no numbers.
    `moves`: operands behind which it reads bytes and passes them on: bytes of a number keep no derivative.
    `moves_text`: the same for what ends with a zero; `characters`: operands that are bits, and passed on.
    `local`: it keeps no pointer after the call.
    `result`: the operand that its pointer result points into, if any.
    `orders`: it orders the threads of a team: other threads may write any memory before it returns.
    `pure`: it has no memory effects, and its result depends on the operands alone.
    """

    kind: CalleeKind
    reads: Pointees = "none"
    writes: Pointees = "none"
    integers: tuple[int, ...] = ()
    moves: Pointees = "none"
    moves_text: Pointees = "none"
    characters: Pointees = "none"
    pure: bool = False
    local: bool = False
    result: int | None = None
    orders: bool = False
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
    primal_only: bool = False
    set_up: bool = False
    target: int = 0
    source: int = 1
    length: int = 2
    value: int | None = None


#: makes something before anything carries a derivative
SET_UP = Known(CalleeKind.INACTIVE, set_up=True)
#: frees what set-up calls made
TEAR_DOWN = Known(CalleeKind.FREE, primal_only=True)


class EffectsNotation(Struct, frozen=True):
    """The memory effects of a function, parsed from text such as `r0 r1 w2 =2`.

    `r0`: reads behind operand 0, and passes on none of these bytes (strlen). `m0`: reads them and passes them on, to
    memory, to a file, or in the result (fwrite). `t0`: the same for a text that ends with a zero (strcpy). `c0`: passes
    on operand 0, a character (fputc). `w2`: writes behind operand 2. `r*`, `m*`, `t*`, `c*`, `w*`: the same of any
    operand.
    `i2`: as w2, but writes no numbers. `=2`: the result points into operand 2. `local`: keeps no pointer.
    """

    reads: Pointees = "none"
    writes: Pointees = "none"
    integers: tuple[int, ...] = ()
    moves: Pointees = "none"
    moves_text: Pointees = "none"
    characters: Pointees = "none"
    result: int | None = None
    local: bool = False

    @staticmethod
    def parse(text: str) -> EffectsNotation:
        """Returns the effects of a text. Raises ValueError for a word of another form."""
        words = [word for word in text.split() if word != "local"]
        unknown = [word for word in words if word[0] not in "rmtcwi=" or not (word[1:].isdigit() or word[1:] == "*")]
        if unknown:
            raise ValueError(f"not an effect: {unknown[0]}")
        result = next((int(word[1:]) for word in words if word[0] == "="), None)
        return EffectsNotation(
            _pointees(words, "rmt"),
            _pointees(words, "wi"),
            _operands(words, "i"),
            _pointees(words, "m"),
            _pointees(words, "t"),
            _pointees(words, "c"),
            result,
            "local" in text.split(),
        )

    def known(self, kind: CalleeKind) -> Known:
        moved = self.moves, self.moves_text, self.characters
        return Known(kind, self.reads, self.writes, self.integers, *moved, local=self.local, result=self.result)


def _operands(words: list[str], letter: str) -> tuple[int, ...]:
    return tuple(int(word[1:]) for word in words if word[0] == letter)


def _pointees(words: list[str], letters: str) -> Pointees:
    indices = [word[1:] for word in words if word[0] in letters]
    if "*" in indices:
        return "any"
    return tuple(map(int, indices)) or "none"
