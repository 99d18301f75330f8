"""Named sets of edges along which values flow from operands to results, beside the table of instructions.

An edge leads from an operand of an instruction to its result. A set says which operands of which opcodes count, and so
what a walk over it finds: `COPIED` the same value elsewhere, `COMPUTED` all that bits may have come from. Walks are in
analysis/values. `tests/ir/test_value_edges.py` has all opcodes of all sets in one table.

The sets of *one value* hold the operands that the result may be equal to. Those of words and bits count all operands of
an instruction, thus also the condition of a select. Some sets differ in a few opcodes, and nobody has shown that they
must. The last two parts are no edges: they are sets of opcodes at which walks end or begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import is_

from .instructions import (
    ACCESSES,
    ATOMIC_UPDATES,
    BRANCHES,
    CHOICES,
    COMPARISONS,
    COPIES,
    EXTENSIONS,
    FLOAT_RESIZES,
    FLOAT_TO_INTEGER,
    FUNCTION_CALLS,
    INSTRUCTIONS,
    INTEGER_ARITHMETIC,
    INTEGER_SUMS,
    LOGIC,
    LOGICAL_SHIFTS,
    MULTIPLICATIVE,
    POINTER_TO_INTEGER,
    RESIZES,
    SHIFTS,
    TAKES_OUT,
    TAKES_PART,
    TRANSPARENT,
    WORD_CASTS,
    InstructionKind,
    of_kind,
)
from .values import Instruction, Value

_ALL, _FIRST = slice(None), slice(0, 1)


class ValueEdges(frozenset[str]):
    """A set of edges: opcodes, and for each the operands that count."""

    __slots__ = ("rows",)

    rows: Mapping[str, slice]

    def __new__(cls, rows: Mapping[str, slice]) -> ValueEdges:
        edges = super().__new__(cls, rows)
        edges.rows = dict(rows)
        return edges

    def joined(self, other: ValueEdges) -> ValueEdges:
        """Returns the edges of both sets, which agree where they overlap."""
        assert all(other.rows.get(opcode, row) == row for opcode, row in self.rows.items())
        return ValueEdges({**self.rows, **other.rows})

    def without(self, *opcodes: str) -> ValueEdges:
        return ValueEdges({opcode: row for opcode, row in self.rows.items() if opcode not in opcodes})

    def operands(self, value: Value) -> Sequence[Value]:
        """Returns what the value comes from in one step."""
        if isinstance(value, Instruction):
            row = self.rows.get(value.opcode)
            if row is not None:
                return value.operands if row is _ALL else value.operands[row]
        return ()

    def users(self, value: Value) -> list[Instruction]:
        """Returns the results that the value goes to in one step."""
        rows = self.rows
        found = []
        for user in getattr(value, "users", ()):
            row = rows.get(user.opcode)
            if row is not None and (row is _ALL or _is_among(user.operands[row], value)):
                found.append(user)
        return found


def _is_among(operands: Iterable[Value], value: Value) -> bool:
    return any(map(is_, operands, repeat(value)))  # constants are equal if they are alike


def _all_of(*opcodes: Iterable[str]) -> ValueEdges:
    return ValueEdges(dict.fromkeys(chain(*opcodes), _ALL))


def _first_of(*opcodes: str) -> ValueEdges:
    return ValueEdges(dict.fromkeys(opcodes, _FIRST))


def _passed_by(opcodes: Iterable[str]) -> ValueEdges:
    return ValueEdges({opcode: INSTRUCTIONS[opcode].passed or slice(0) for opcode in opcodes})


_AGGREGATE = of_kind(InstructionKind.AGGREGATE)
_VECTOR = of_kind(InstructionKind.VECTOR)

# -- one value: the result may be equal to the operand

#: in the same type
COPIED = _passed_by(COPIES)
#: in any type
PASSED = _passed_by(TRANSPARENT)
#: a few values: also those of extended integers
FEW_VALUES = COPIED.joined(_first_of("sext"))

# -- addresses

#: from one pointer to another one into the same object
SAME_OBJECT = PASSED.joined(_first_of("getelementptr"))
#: the same without choices: there is one pointer
MOVED_POINTER = SAME_OBJECT.without(*CHOICES)
#: from a pointer to one into the same object, or behind it
BEHIND_POINTER = SAME_OBJECT.joined(_first_of("load"))
#: the same without choices
BEHIND_MOVED_POINTER = BEHIND_POINTER.without(*CHOICES)
#: from an address to one that may lead into the same object, also as an integer
DERIVED_ADDRESS = _all_of(COPIES, POINTER_TO_INTEGER, ["getelementptr", "add", "and", "or"])
#: what an index or an address is usually computed from; all have recipes of their own (analysis/storage/needs.py)
ADDRESS_ARITHMETIC = _all_of(["getelementptr", "mul", "shl"], INTEGER_SUMS, RESIZES)
#: from what a request's operand is read or converted, to the operand
NAMED = _first_of("load", "freeze", *WORD_CASTS, *RESIZES)
#: the shadow of the result is the same instruction of the operands' shadows, and is recomputed. MAKES_VALUE is wider:
#: shadows of aggregates and vectors that are put together from parts are stored whole, and so are those of addresses
#: that integer arithmetic computes.
SHADOW_COPIED = _all_of(WORD_CASTS, ["select", "freeze", "addrspacecast"], TAKES_OUT, ["shufflevector"])

# -- integers that hold addresses

#: from an address, or from a word that an address is packed in, to a word that may become a pointer again
ADDRESS_WORD = _all_of(COPIES, LOGIC, LOGICAL_SHIFTS, INTEGER_SUMS)
#: computed from an address
COMPUTED_ADDRESS = ADDRESS_WORD.without("xor", *COPIES)
#: from an address to one with a tag, which is constant
TAGGED_BY_CONSTANT = _all_of(LOGIC, ["add", "shl"])
#: the same by any integer that is no address; exclusive or with others makes hashes
TAGGED = _all_of(INTEGER_SUMS, ["and", "or"])
#: from a word to one that leads into the same object, or has the same tag
TAGGED_WORD = _all_of(COPIES, _AGGREGATE, LOGIC, INTEGER_SUMS)
#: from a pointer or an integer to a pointer with a shadow
POINTER_WORD = _all_of(COPIES, ["and", "or", "add"])
#: from the distance of two objects. A quotient is a count of elements: the two pointers then lead into one object.
DISTANCE = _all_of(COPIES, LOGIC, INTEGER_SUMS, RESIZES, ["ptrtoint", "inttoptr"])

# -- words: bits in integers, whole or in parts

#: one of several integers, and what decides which
CHOSEN = _all_of(COPIES)
EXTENDED = _first_of("freeze", *EXTENSIONS)
RESIZED = _first_of("freeze", *RESIZES)
#: from a word to a part of it
PART = _first_of(*TAKES_PART)
#: from a word to its parts, wherever they go
TAKEN_APART = _all_of(COPIES, TAKES_PART, ["bitcast"])
#: from parts to a word, and back
PACKED = _all_of(COPIES, LOGICAL_SHIFTS, ["and", "or", "zext", "trunc", "bitcast"])
#: from a word in memory to its parts, through structs in registers
MOVED_WORD = _all_of(COPIES, _AGGREGATE, TAKES_PART, ["ptrtoint"])
#: the same, and what arithmetic makes of it
COMPUTED_WORD = MOVED_WORD.joined(_all_of(INTEGER_ARITHMETIC, RESIZES))
#: what arithmetic makes of an integer of the same size
COMPUTED_IN_PLACE = _all_of(COPIES, INTEGER_ARITHMETIC)
#: structs in registers, and their parts
STRUCT_PARTS = _all_of(COPIES, _AGGREGATE)

# -- bits of numbers

#: bits pass on, whole or in parts
MOVED_BITS = _all_of(COPIES, _AGGREGATE, _VECTOR, ["bitcast"])
#: the same, and what integer arithmetic makes of them
COMPUTED_BITS = MOVED_BITS.joined(_all_of(INTEGER_ARITHMETIC, RESIZES))
#: the same without products and quotients, which copy the bytes of none of their operands
COPIED_BYTES = COMPUTED_BITS.without(*MULTIPLICATIVE)
#: the same, and bits that pass as pointers
ANY_BITS = COMPUTED_BITS.joined(_all_of(["ptrtoint", "inttoptr"]))
#: each bit of the result depends on the same bit of the operands alone
SAME_PLACE = _all_of(COPIES, LOGIC, ["trunc", "zext"])
#: the bits of the result are where the operands have them
IN_PLACE = SAME_PLACE.joined(_all_of(INTEGER_SUMS, ["sext"]))
#: a number stays a whole one, if all that is combined are parts of one number
WHOLE_NUMBER = IN_PLACE.joined(_all_of(SHIFTS))

# -- numbers and vectors of them

#: linear: the adjoint uses no operand that is a number
MOVED_NUMBER = _all_of(COPIES, _AGGREGATE, _VECTOR, FLOAT_RESIZES)
#: the number is another one by its size alone
RESIZED_NUMBER = _first_of("bitcast", "freeze", *FLOAT_RESIZES)
#: from a number to what is compared with others in its place
COMPARED_NUMBER = _passed_by([*CHOICES, "bitcast"]).joined(_first_of("fpext"))
#: from a vector to one with the same lanes, perhaps in another order
MOVED_LANES = _all_of(CHOICES, ["shufflevector", "insertelement"])
#: from a vector of integers to one with the same lanes, perhaps in another order or with other signs
LANES_OF_BITS = _all_of(CHOICES, LOGIC, ["bitcast", "shufflevector"])

# -- what becomes of a value where no edge leads on: opcodes

#: it goes to memory, to a function, to the caller, or into a struct
PASSES_ON = frozenset("store call ret insertvalue".split())
#: bits of an integer go to memory, into a struct, or to a register of another type
TAKES_BITS = frozenset("store insertvalue insertelement inttoptr cmpxchg atomicrmw".split())
#: it is kept, or looked at
STORED_OR_COMPARED = frozenset(["store", "icmp"])
#: it is measured: no pointer comes of that
MEASURES = frozenset(["sub", "icmp"])
#: an address is measured, or too little of it is left for a pointer
HARMLESS_TO_ADDRESS = MEASURES | {"trunc", "switch"}
#: it is looked at by the program, and not as a pointer
LOOKS_AT = BRANCHES | {"icmp", "getelementptr"}
#: no number comes of it
NO_NUMBER = COMPARISONS | FLOAT_TO_INTEGER | BRANCHES
#: bits that are numbers at times are loaded, moved, compared, and stored
KEEPS_BITS = COPIES | ACCESSES | {"bitcast", "ret", "icmp"}
#: an address is taken out of a word that has other bits
UNTAGS = frozenset(["and", "lshr"])
#: a pointer is taken out of a NaN
UNBOXES = frozenset(["inttoptr", "or", "add"])
#: the bits of a vector are used in another type
USES_BITS = frozenset(["bitcast", "insertvalue", "phi"])
#: parts are packed
PACKS = frozenset(["or", "zext", "shl"])
#: a shadow is expected where several values are put together
JOINS = CHOICES | {"insertvalue", "insertelement"}

# -- where values come from: opcodes

#: from memory, or from another function
FROM_ELSEWHERE = FUNCTION_CALLS | {"load"}
#: words of which a register does not tell what they hold
UNKNOWN_WORDS = FROM_ELSEWHERE | TAKES_OUT
#: a pointer that code does not compute from another one
POINTER_ORIGINS = TAKES_OUT | {"load", "inttoptr"}
#: a word that is passed on as it is
GIVES_WORD = COPIES | {"load", "call", "extractvalue"}
#: something in a register that another function gave
GIVEN = frozenset(["call", "extractvalue"])
#: what accesses memory by, or makes, a number
BRINGS_NUMBER = ACCESSES | ATOMIC_UPDATES | {"call", "bitcast"}
#: the place that the first operand points to, or one beside it
BY_POINTER = frozenset(["load", "getelementptr"])
