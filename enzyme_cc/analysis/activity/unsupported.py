"""Refuses what would silently lose a derivative, before any code is made.

The table REFUSALS has a row for each reason: the opcode, a predicate, and the message. The first row that matches an
instruction gives its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...ir.values import Instruction
from . import unsupported_digits as digits
from . import unsupported_memory as memory
from . import unsupported_uses as uses
from .activity import Activity
from .untracked_bits import UntrackedBits


class Refusal(NamedTuple):
    """A reason to refuse. `opcode` "": any. `applies` may give a text, which stands for {} in the message."""

    opcode: str
    applies: Callable[[UntrackedBits, Instruction], bool | str]
    message: str


#: the reason for a call that writes numbers where they are read again
READ_AGAIN = "it writes a number that carries a derivative to a text or file, from which numbers are read"
#: the end of the reason for a call that may write over numbers
OVERWRITES = "writes numbers to memory that carries derivatives"
READ_IN_STREAM = "it writes bytes of a number that carries a derivative to a stream, from which bytes are read"
MOVES_BYTES = "moves bytes of a number that carries a derivative, and its derivative would be lost"
_BYTES = "it copies single bytes, which may be those of a number that carries a derivative"
_DIGITS = "the bits of a number that carries a derivative are written as digits to a text, from which numbers are read"
_DECIDED = "the bits of a number are set one by one, by tests of the bits of another that carries a derivative"
_DECIDED_THERE = (
    "{} is given the bits of a number that carries a derivative, and by tests of these it sets the bits of another, or"
    " writes a text from which numbers are read"
)
_BITS_STORED = "the bits of a number that carries a derivative are stored after integer arithmetic"
_UNION = "a union in an integer register, which may be a number or something else (pass it in memory)"
REFUSALS = (
    Refusal("store", memory.stored_without_shadow,
            "a number or pointer that carries a derivative is stored in memory that {} gave"),
    Refusal("store", memory.stores_pointer_or_number,
            "it copies what may be a number or a pointer, out of memory that the gradient's caller passes"),
    Refusal("store", memory.stores_vector,
            "it copies what may be numbers that carry derivatives, through a vector of integers"),
    Refusal("store", memory.stores_byte, _BYTES),
    Refusal("store", memory.stores_widened_byte, _BYTES),
    Refusal("store", memory.stores_digit, READ_AGAIN),
    Refusal("store", memory.stores_computed_bits, _BITS_STORED),
    Refusal("store", memory.stores_part_elsewhere,
            "a part of a number that carries a derivative is stored apart from the others, as an integer"),
    Refusal("store", memory.stores_undecided,
            "it copies bytes, and type analysis cannot tell whether they are a number, an integer or a pointer"),
    Refusal("store", memory.stores_part_of_number,
            "it moves a part of a number as a smaller integer (move whole numbers)"),
    Refusal("call", memory.copied_without_shadow,
            "a number or pointer that carries a derivative is stored in memory that {} gave"),
    Refusal("call", uses.changes_context, "it changes the context in which the program goes on"),
    Refusal("call", uses.writes_stream, READ_IN_STREAM),
    Refusal("call", uses.writes_text, READ_AGAIN),
    Refusal("call", uses.moves_character, "{} is given a single byte of a number that carries a derivative"),
    Refusal("call", uses.moves_bytes, f"{{}} {MOVES_BYTES}"),
    Refusal("call", uses.reads_string, f"{{}} {MOVES_BYTES}"),
    Refusal("call", uses.fills_with_byte, _BYTES),
    Refusal("call", uses.writes_numbers, "{} " + OVERWRITES),
    Refusal("call", digits.passes_digits, _DECIDED_THERE),
    Refusal("call", uses.passes_bits, "it is given the bits of a number that carries a derivative in an integer"),
    Refusal("call", uses.passes_union, f"it is given {_UNION}"),
    Refusal("call", uses.passes_vector,
            "it is given the bits of numbers that carry derivatives in a vector of integers"),
    Refusal("call", uses.callee_uses_otherwise, f"it is given {_UNION}"),
    Refusal("call", uses.callee_makes_number,
            "it is given the bits of a number that carries a derivative, and makes a number of them by integer"
            " arithmetic"),
    Refusal("call", uses.custom_result_is_both, "it returns numbers and pointers together, both with derivatives"),
    Refusal("cmpxchg", memory.exchanges_number,
            "a number that carries a derivative, or a pointer to one, is exchanged atomically"),
    Refusal("atomicrmw", uses.computes_atomically,
            "integer arithmetic on the bits of a number that carries a derivative is atomic"),
    Refusal("extractelement", uses.takes_number_from_vector,
            "the bits of a number that carries a derivative are taken out of a vector of integers"),
    Refusal("inttoptr", uses.makes_pointer_of_number,
            "a number that carries a derivative is passed on as a pointer, as a union of both is in a register"
            " (pass its address)"),
    Refusal("inttoptr", uses.pointer_origin, "a pointer is made of {}"),
    Refusal("ptrtoint", uses.takes_number_from_pointer,
            "it takes a number out of a pointer's register, which a union of both was passed in (pass its address)"),
    Refusal("ret", uses.returns_bits, "it returns the bits of a number that carries a derivative in an integer"),
    Refusal("ret", uses.returns_union, f"it returns {_UNION}"),
    Refusal("insertvalue", uses.inserts_vector,
            "a struct gets the bits of numbers that carry derivatives in a vector of integers"),
    Refusal("insertvalue", uses.inserts_union, f"a struct in a register gets {_UNION}"),
    Refusal("", uses.uses_array_of_integers,
            "a struct of up to 16 bytes is passed or returned in integer registers, which may hold numbers or pointers"
            " (pass its address)"),
    Refusal("", uses.uses_long_double, "it computes with long double, which has 128 bits here (use double)"),
    Refusal("", uses.makes_number,
            "a number is made of the bits of another that carries a derivative, by integer arithmetic"),
    Refusal("store", memory.stores_bits_read_as_numbers, _BITS_STORED),
    Refusal("store", digits.writes_digit, _DIGITS),
    Refusal("bitcast", digits.assembles_number, _DECIDED),
    Refusal("store", digits.assembles_number, _DECIDED),
    Refusal("call", digits.assembles_number, _DECIDED),
    Refusal("ret", digits.assembles_number, _DECIDED),
)  # fmt: skip
_REFUSALS_OF_ALL = tuple(row for row in REFUSALS if not row.opcode)
_REFUSALS_OF = {
    opcode: tuple(row for row in REFUSALS if row.opcode in ("", opcode))
    for opcode in {r.opcode for r in REFUSALS} - {""}
}


def find_unsupported(activity: Activity) -> Iterator[tuple[Instruction, str]]:
    """Yields instructions that cannot be differentiated though the sweeps would pass over them, and the reason."""
    bits = UntrackedBits(activity)
    for i in activity.function.instructions():
        for row in _REFUSALS_OF.get(i.opcode, _REFUSALS_OF_ALL):
            found = row.applies(bits, i)
            if found:
                yield i, row.message.format(found)
                break
