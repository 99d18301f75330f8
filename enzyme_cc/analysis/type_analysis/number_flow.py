"""Which integers are bits of numbers: followed to where numbers are made of them, and from where numbers are stored."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property

from ...ir.constants import Constant, ConstantInt
from ...ir.graphs import reachable
from ...ir.instructions import BIT_OPERATIONS
from ...ir.types import I8, FloatType, IntType, PointerType, holds, is_int, store_size
from ...ir.value_edges import CHOSEN, SAME_OBJECT
from ...ir.values import Argument, Instruction, Value
from ...rules.inactive import copies_string, is_string_member
from ...rules.knowledge import CalleeKind, Known
from ...rules.library_functions import known
from ...rules.streams.channels import FOLLOWED, OPENS_MEMORY, channel_of_integers_written, writes_from_memory
from ...rules.streams.file_bytes import is_stream_function, reads_bytes, takes_any_buffer
from ..callees import plain_name
from ..integers.digits import indices
from ..values.flow import origins
from ..values.moved_words import MovedWords
from .constraints.program import Program
from .contents import Contents
from .declared_accesses import DeclaredAccesses
from .evidence.declared_integers import DeclaredIntegers
from .evidence.places import WORD
from .integer_flow.deciding_integers import DecidingIntegers
from .integer_flow.digit_texts import DigitTexts
from .integer_flow.fed_numbers import FedNumbers, Sort
from .integer_flow.stored_integers import PlaceNames, StoredIntegers
from .integer_flow.stored_numbers import EXTERNAL, StoredNumbers
from .integer_flow.text_writers import text_writers
from .kinds import FLOATS, Kind
from .points_to import PointsTo

#: makes a stream of memory that the program reads without the library
_OPENS_TEXT = "open_memstream"
#: of numbers whose bits code takes for integers
_SIZES = (4, 8)


class NumberFlow:
    """Follows integers through all analysed functions. `contents(pointer, size)` tells what lies in memory.

    `outside`: functions that only ask for derivatives: what they read from texts and files has none.
    """

    def __init__(
        self,
        program: Program,
        moved: MovedWords,
        points_to: PointsTo,
        declared: DeclaredAccesses,
        contents: Callable[[Value, int | None], Contents],
        outside: Container[str] = (),
    ) -> None:
        self._program, self._moved, self._outside = program, moved, outside
        self._points_to, self._declared, self._contents = points_to, declared, contents
        self._writes = StoredIntegers(program.functions.values(), moved, points_to.names_at)
        self._made_of_integers = DeclaredIntegers(moved, declared.is_integer)
        self._fed: dict[tuple[bool, bool, bool, Sort], FedNumbers] = {}

    def _instructions(self) -> Iterator[Instruction]:
        return (i for function in self._program.functions.values() for i in function.instructions())

    def _inside(self) -> Iterator[Instruction]:
        """Yields the same without functions that only ask for derivatives."""
        functions = (f for name, f in self._program.functions.items() if name not in self._outside)
        return (i for function in functions for i in function.instructions())

    def feeds_numbers(self, pointer: Value, *, is_character: bool = False) -> bool:
        """Returns whether integers that are read at the pointer become numbers: by a cast, bytewise, or as text."""
        return self._fed_numbers().reads(pointer, is_character=is_character)

    def feeds_parts(self, pointer: Value) -> bool:
        """Returns whether integers that are read at the pointer are copied to where larger numbers lie."""
        return self._fed_parts.reads(pointer)

    def becomes_number(self, value: Value, *, in_place: bool = False) -> bool:
        """Returns whether a number is made of the integer by arithmetic, in any function.

        `in_place`: also if it is made where it lies, of declared integers alone.
        """
        return self._fed_numbers(in_place).has(value)

    def is_read_again(self, call: Instruction) -> bool:
        """Returns whether numbers may be read from the text or file to which a library function writes numbers."""
        name = plain_name(call.callee_name)
        return self._fed_numbers(is_followed=name in FOLLOWED, are_bytes=writes_from_memory(name)).is_read_again(call)

    def is_read_as_integer(self, call: Instruction) -> bool:
        """Returns the same for integers that a library function writes as text."""
        return self._fed_numbers(sort="integers").is_read_again(call)

    def is_read_as_characters(self, call: Instruction) -> bool:
        """Returns the same for characters that a statement of Fortran writes."""
        return self._fed_numbers(sort="characters").is_read_again(call)

    def feeds_integers(self, pointer: Value) -> bool:
        """Returns whether numbers or integers are read from a text at the pointer."""
        return self._fed_numbers(sort="integers").reads(pointer, is_character=True)

    def feeds_digits(self, pointer: Value) -> bool:
        """Returns whether a number is put together from the characters of a text at the pointer."""
        return self._digit_texts.has(pointer)

    def writes_digits(self, call: Instruction) -> bool:
        """Returns whether a library function writes integers to such a text, from numbers that it is given by value."""
        name = plain_name(call.callee_name)
        channel = None if writes_from_memory(name) else channel_of_integers_written(name)
        return channel is not None and self._digit_texts.is_channel(self._writes.channel(call, channel))

    def may_write_text(self, function: str) -> bool:
        """Returns whether the function, or one that it calls, writes characters or bytes."""
        return function in self._text_writers

    def may_write_digits(self, function: str) -> bool:
        """Returns the same, if there are such texts at all."""
        return self.may_write_text(function) and not self._digit_texts.is_empty

    @cached_property
    def _text_writers(self) -> frozenset[str]:
        return text_writers(self._program.functions)

    @cached_property
    def _digit_texts(self) -> DigitTexts:
        inside = list(self._inside())
        words: list[Value] = [v for local in self._program.locals.values() for v in local.made_into_numbers]
        words += [i.operands[0] for i in inside if self._stores_bits_of_number(i)]
        parts = [i.operands[0] for i in inside if self._stores_byte_of_number(i)]
        return DigitTexts((i for i in inside if i.opcode == "call"), self._moved, self._writes, words, parts)

    @cached_property
    def deciding(self) -> DecidingIntegers:
        """The integers on which bits of numbers depend."""
        inside = list(self._inside())
        made = [v for i in inside for v in self._made_into_number(i)]
        return DecidingIntegers((i for i in inside if i.opcode == "call"), self._moved, self._writes, made)

    def _made_into_number(self, i: Instruction) -> Sequence[Value]:
        """Returns an integer that is cast to a number, or stored or copied where one lies."""
        if i.opcode == "bitcast":
            return i.operands if holds(i.type, FloatType) and is_int(i.operands[0].type) else ()
        if i.opcode == "store" and is_int(i.operands[0].type) and not isinstance(i.operands[0], Constant):
            if self._declared.is_descriptor_member(i) or self._declared.is_integer_member(i):
                return ()  # known without the contents of memory, which cost much
            there = self._contents(i.operands[1], store_size(i.operands[0].type))
            if there.is_mixed:
                return ()  # in a union, a tag tells what it is. The words are asked first: a layout may take long
            return i.operands[:1] if there.may_be_known_numbers or there.may_be_part_of_number else ()
        row = _copies_few_bytes(i) if i.opcode == "call" else None
        return [*indices(i.arguments[row.source])] if row is not None else ()

    def loses_bytes(self, writer: str) -> bool:
        """Returns whether code reads bytes of files or streams, and does not follow numbers that `writer` writes."""
        if writer not in FOLLOWED:
            return bool(self._byte_readers)
        return not all(reader in FOLLOWED or takes_any_buffer(reader) for reader in self._byte_readers)

    def is_read_as_memory(self, stream: Value) -> bool:
        """Returns whether the program may read what is written to the stream without the library (open_memstream)."""
        return self._fed_numbers(are_bytes=True).reads(stream)

    @cached_property
    def _byte_readers(self) -> frozenset[str]:
        calls = (i for i in self._inside() if i.opcode == "call" and not _maps_no_file(i))
        return frozenset(name for i in calls if reads_bytes(name := plain_name(i.callee_name)))

    @cached_property
    def reads_strings(self) -> bool:
        """True if numbers are read out of memory that a member of std::string gives (data)."""
        inside = list(self._inside())
        gives = {i for i in inside if i.opcode == "call" and is_string_member(plain_name(i.callee_name))}
        return bool(gives) and any(not gives.isdisjoint(origins(self._number_places(i), SAME_OBJECT)) for i in inside)

    @cached_property
    def strings_become_numbers(self) -> bool:
        """True if the same holds, or if the library moves characters of strings or streams to where numbers lie."""
        return self.reads_strings or any(self._fills_numbers(i) for i in self._inside() if i.opcode == "call")

    def _fills_numbers(self, call: Instruction) -> bool:
        name = plain_name(call.callee_name)
        if not (copies_string(name) or (reads_bytes(name) and is_stream_function(name))):
            return False
        pointers = (a for a in call.arguments[1:] if isinstance(a.type, PointerType))
        return any(self._contents(place, None).is_near_numbers() for place in pointers)

    def _number_places(self, i: Instruction) -> list[Value]:
        """Returns the pointer at which the instruction reads a number."""
        if i.opcode == "load":
            return i.operands[:1] if holds(i.type, FloatType) else []
        row = known(plain_name(i.callee_name)) if i.opcode == "call" else None
        if row is None or row.kind is not CalleeKind.COPY:
            return []
        is_number = self._contents(i.arguments[row.target], WORD).may_be_known_numbers
        return [i.arguments[row.source]] if is_number else []

    @cached_property
    def _fed_parts(self) -> FedNumbers:
        calls = (i for i in self._instructions() if i.opcode == "call")
        read = [i.arguments[row.source] for i in calls if (row := self._copies_part(i)) is not None]
        return FedNumbers(self._program.functions, self._moved, self._writes, (), read, outside=self._outside)

    def _copies_part(self, i: Instruction) -> Known | None:
        """Returns the row of a call that copies a part of a number, alone."""
        row = _copies_few_bytes(i)
        if row is None or not isinstance(size := i.arguments[row.length], ConstantInt):
            return None
        return row if self._contents(i.arguments[row.target], size.value).may_be_part_of_number else None

    def _fed_numbers(
        self, in_place: bool = False, is_followed: bool = False, are_bytes: bool = False, sort: Sort = "numbers"
    ) -> FedNumbers:
        key = in_place, is_followed, are_bytes, sort
        found = self._fed.get(key)
        if found is None:
            instructions = list(self._instructions())
            made: list[Value] = [v for local in self._program.locals.values() for v in local.made_into_numbers]
            made += [i.operands[0] for i in instructions if self._stores_computed_number(i, in_place)]
            read = [i.operands[0] for i in instructions if self._copies_byte_of_number(i)]
            read += [i.arguments[0] for i in instructions if self._opens_numbers(i)]
            if are_bytes:
                read += [i for i in instructions if i.opcode == "call" and plain_name(i.callee_name) == _OPENS_TEXT]
            skipped = FOLLOWED if is_followed else frozenset[str]()
            functions, writes = self._program.functions, self._writes
            found = FedNumbers(functions, self._moved, writes, made, read, skipped, self._outside, sort)
            self._fed[key] = found
        return found

    def _stores_computed_number(self, i: Instruction, in_place: bool) -> bool:
        """Returns whether it stores bits that were computed where a number of the same size may be."""
        if i.opcode != "store" or not isinstance(i.operands[0].type, IntType) or self._declared.is_descriptor_member(i):
            return False
        chosen = reachable(i.operands[:1], self._chosen)
        is_computed = any(isinstance(v, Instruction) and v.opcode in BIT_OPERATIONS for v in chosen)
        there = self._contents(i.operands[1], store_size(i.operands[0].type))
        if not is_computed or not there.holds_number:
            return False
        is_declared = self._declared.is_integer(i)
        if there.is_mixed and not is_declared and not in_place:
            return False  # the sweeps test that
        return in_place or not is_declared or self._made_of_integers.may_be_bits(i.operands[0])

    def _chosen(self, v: Value) -> Iterable[Value]:
        """Returns what the value is one of, also in callers and in functions that return it."""
        passes = isinstance(v, Argument) or (isinstance(v, Instruction) and v.opcode == "call")
        return self._moved.origins(v) if passes else CHOSEN.operands(v)

    def may_be_stored_number(self, pointer: Value) -> bool:
        """Returns whether some code may have put a number, or its bits, in the object that the pointer points into."""
        return self._stored_numbers.may_be_at(pointer)

    def may_load_bits(self, load: Instruction) -> bool:
        """Returns whether an integer is loaded where bits of a number may be, as integers or in a number."""
        pointer = load.operands[0]
        if self._stored_numbers.are_bits_at(pointer):
            return True
        return self._stored_numbers.may_be_at(pointer) and self._overlaps_number(load)

    def _overlaps_number(self, load: Instruction) -> bool:
        return self._contents(load.operands[0], store_size(load.type)).may_overlap_number

    @cached_property
    def _stored_numbers(self) -> StoredNumbers:
        open_to_others: dict[PlaceNames, PlaceNames] = {}

        def where(pointer: Value) -> PlaceNames:
            names: PlaceNames = self._points_to.names_at(pointer)
            if self._points_to.is_private(pointer):
                return names
            if names not in open_to_others:
                open_to_others[names] = names | {EXTERNAL}
            return open_to_others[names]

        def is_other(load: Instruction) -> bool:
            return self._declared.kind(load) in (Kind.INTEGER, Kind.POINTER)

        return StoredNumbers(self._program.functions, where, is_other, self._overlaps_number)

    def is_made_of_integers(self, value: Value) -> bool:
        """Returns whether an integer is moved and computed from declared integers and constants alone."""
        return not self._made_of_integers.may_be_bits(value)

    def _opens_numbers(self, i: Instruction) -> bool:
        """Returns whether it writes to memory in which numbers lie, or makes a stream of it: they may be read there."""
        if i.opcode != "call" or plain_name(i.callee_name) not in OPENS_MEMORY:
            return False
        return any(FLOATS & kinds for kinds in self._contents(i.arguments[0], None).words())

    def _stores_bits_of_number(self, i: Instruction) -> bool:
        """Returns whether it stores an integer of a number's size where a number may be, and is not declared to."""
        if i.opcode != "store" or not is_int(i.operands[0].type) or isinstance(i.operands[0], Constant):
            return False
        size = store_size(i.operands[0].type)
        return size in _SIZES and not self._declared.is_integer(i) and self._contents(i.operands[1], size).holds_number

    def _stores_byte_of_number(self, i: Instruction) -> bool:
        if i.opcode != "store" or i.operands[0].type != I8 or isinstance(i.operands[0], Constant):
            return False
        return not self._declared.is_integer(i) and self._contents(i.operands[1], 1).may_be_known_numbers

    def _copies_byte_of_number(self, i: Instruction) -> bool:
        """Returns whether it loads a byte that is stored as a part of a number. A byte declared as a bool is none."""
        if i.opcode != "load" or i.type != I8 or self._declared.is_integer(i):
            return False
        places = [u.operands[1] for u in i.users if u.opcode == "store" and u.operands[0] is i]
        return any(self._contents(place, 1).may_be_numbers for place in places)


def _copies_few_bytes(i: Instruction) -> Known | None:
    """Returns the row of a call that copies less than a word."""
    row = known(plain_name(i.callee_name))
    if row is None or row.kind is not CalleeKind.COPY:
        return None
    size = i.arguments[row.length]
    return row if isinstance(size, ConstantInt) and 0 < size.value < WORD else None


def _maps_no_file(call: Instruction) -> bool:
    """Returns whether it maps memory that is no file: the descriptor is -1."""
    is_map = plain_name(call.callee_name) in ("mmap", "mmap64")
    return is_map and isinstance(call.arguments[4], ConstantInt) and call.arguments[4].value in (-1, 2**32 - 1)
