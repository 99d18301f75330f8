"""Predicates of refusal for calls and for values in registers: what unsupported.py says of all but memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from ...ir.constants import Constant, ConstantInt
from ...ir.instructions import INTEGER_SUMS
from ...ir.target import architecture_of
from ...ir.types import FP128, ArrayType, FloatType, IntType, PointerType, StructType, VectorType, holds, is_int
from ...ir.value_edges import COMPUTED_BITS, COPIED, COPIED_BYTES, EXTENDED, IN_PLACE, POINTER_WORD, TAKEN_APART
from ...ir.values import Instruction, Value
from ...rules import control_functions
from ...rules.inactive import WRITES_TEXT, is_string_member, unchecked, writes_behind_pointers
from ...rules.knowledge import CalleeKind, Known, Pointees
from ...rules.runtime_functions import OVERWRITTEN, OVERWRITTEN_STORAGE
from ...rules.streams.channels import (
    channel_of_characters_written,
    channel_of_integers_written,
    channel_written,
    scans_list,
    stream_written,
    takes_list,
    writes_from_memory,
)
from ...rules.streams.file_bytes import is_stream_function, writes_bytes
from ..callees import plain_name
from ..constant_formats import constant_format, printed
from ..integers.bit_steps import ones, possible_bits
from ..type_analysis.analysis import FLOATS, POINTERS_LOOKED_AT, Kind
from ..type_analysis.evidence.places import WORD
from ..values.flow import ends, origins, stripped, uses
from .joined_words import joined_words
from .untracked_bits import UntrackedBits, origins_of_bits

_DISTANCE = (
    "another and of a distance in memory, which may be that of two objects (within one, add it to a char pointer)"
)

# -- calls


def changes_context(bits: UntrackedBits, i: Instruction) -> bool:
    return control_functions.changes_context(plain_name(bits.activity.callees.of(i).name))


def writes_text(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a call that writes a number to a text or file from which numbers are read."""
    is_library = bits.activity.callees.of(i).kind is CalleeKind.INACTIVE
    if is_library and _gives_number(bits, i) and bits.types.number_flow.is_read_again(i):
        return True
    if is_library and _gives_bits(bits, i) and bits.types.number_flow.is_read_as_integer(i):
        return True
    if is_library and _gives_characters(bits, i) and bits.types.number_flow.is_read_as_characters(i):
        return True
    return _writes_bytes(bits, i)


def _gives_characters(bits: UntrackedBits, i: Instruction) -> bool:
    """Returns whether a statement of Fortran writes characters that are the bytes of a number."""
    if channel_of_characters_written(plain_name(bits.activity.callees.of(i).name)) is None:
        return False
    count = i.arguments[2]
    return bits.moves_number(i.arguments[1], count.value if isinstance(count, ConstantInt) else 0)


def _writes_bytes(bits: UntrackedBits, i: Instruction) -> bool:
    """Returns whether the call writes bytes of a number to a file or stream, and their derivative would be lost."""
    callee = bits.activity.callees.of(i)
    if callee.kind is not CalleeKind.INACTIVE or callee.known is None:
        return False
    name = plain_name(callee.name)
    return writes_bytes(name) and passes_number(bits, i, callee.known) and _is_lost(bits, i, name)


def _is_lost(bits: UntrackedBits, i: Instruction, name: str) -> bool:
    stream = stream_written(name)
    flow = bits.types.number_flow
    return flow.loses_bytes(name) or (stream is not None and flow.is_read_as_memory(i.arguments[stream]))


def writes_stream(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a call that writes bytes of a number to a stream of C++, if bytes are read from streams or files."""
    return is_stream_function(plain_name(bits.activity.callees.of(i).name)) and _writes_bytes(bits, i)


def moves_bytes(bits: UntrackedBits, i: Instruction) -> str:
    """Returns a library function's name if it moves bytes of a number elsewhere than to a file or stream."""
    callee = bits.activity.callees.of(i)
    if callee.known is None or callee.kind not in (CalleeKind.INACTIVE, CalleeKind.ALLOCATE):
        return ""
    name = plain_name(callee.name)
    return name if not writes_bytes(name) and passes_number(bits, i, callee.known) else ""


def reads_string(bits: UntrackedBits, i: Instruction) -> str:
    """Returns the name of a member of std::string that is given a string with a shadow, if strings hold numbers."""
    name = plain_name(bits.activity.callees.of(i).name)
    if bits.activity.callees.of(i).kind is not CalleeKind.INACTIVE or not is_string_member(name):
        return ""
    return name if bits.activity.any_shadowed(i.arguments) and bits.types.number_flow.reads_strings else ""


def moves_character(bits: UntrackedBits, i: Instruction) -> str:
    """Returns a library function's name if it is given a byte of a number by value, and passes it on to memory."""
    callee = bits.activity.callees.of(i)
    name = plain_name(callee.name)
    if callee.known is None or callee.kind is not CalleeKind.INACTIVE or writes_bytes(name):
        return ""
    passed = (k for k in range(len(i.arguments)) if _names(callee.known.characters, k))
    return name if any(_passes_character(bits, i, k) for k in passed) else ""


def _passes_character(bits: UntrackedBits, i: Instruction, k: int) -> bool:
    given = i.arguments[k]
    if not isinstance(given.type, IntType):
        return False
    if i.call.function_type.vararg:
        return bits.is_part_of_number(given) and _prints_character(bits, i, k)
    if writes_bytes(plain_name(bits.activity.callees.of(i).name)) and given in bits.loaded:
        return True
    return _is_number_or_its_bits(bits, given) or bits.is_part_of_number(given)


def _prints_character(bits: UntrackedBits, i: Instruction, k: int) -> bool:
    """Returns whether printf writes the operand as a character; True if its format is not known."""
    first = len(i.call.function_type.params)
    format_ = constant_format(bits.activity.callees.module, i.arguments[first - 1])
    return k >= first and (format_ is None or [*printed(format_), *"?" * k][k - first] in "cC")


def fills_with_byte(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches memset with a byte of a number."""
    callee = bits.activity.callees.of(i)
    if callee.kind is not CalleeKind.FILL or callee.known is None or callee.known.value is None:
        return False
    return bits.is_part_of_number(i.arguments[callee.known.value])


def computes_atomically(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches integer arithmetic of an atomic instruction on the bits of a number."""
    value = i.operands[1]
    if i.memory.operation == "xchg" or not isinstance(value.type, IntType):
        return False
    return bits.is_part_of_number(value) or bits.may_hold_number(value)


def passes_number(bits: UntrackedBits, i: Instruction, known: Known) -> bool:
    """Returns whether bytes of a number that carries a derivative are among those that the function passes on."""
    texts = known.moves_text if known.copies is None else (known.copies,)
    for k, operand in enumerate(i.arguments):
        if isinstance(operand.type, PointerType):
            if _names(known.moves, k):
                size = i.arguments[k + 1] if k + 1 < len(i.arguments) else None
                if bits.moves_number(operand, size.value if isinstance(size, ConstantInt) else 0):
                    return True
            if _names(texts, k) and bits.is_number(operand, behind=False):
                return True
        elif _names(known.characters, k) and _passes_character(bits, i, k):
            return True
    return False


def _gives_bits(bits: UntrackedBits, i: Instruction) -> bool:
    """Returns whether the function writes an integer, as text, that holds bits of a number."""
    name = plain_name(bits.activity.callees.of(i).name)
    if channel_of_integers_written(name) is None or writes_from_memory(name):
        return False
    return any(isinstance(a.type, IntType) and (a in bits.computed or bits.is_part_of_number(a)) for a in i.arguments)


def _gives_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Returns whether the function is given a number that carries a derivative, or a pointer to one."""
    name = plain_name(bits.activity.callees.of(i).name)
    channel = channel_written(name)
    if channel is None:
        return False
    given = [a for k, a in enumerate(i.arguments) if k != channel]
    if writes_from_memory(name):
        return any(map(bits.carries, given))
    return takes_list(name) or any(_is_number_or_its_bits(bits, a) for a in given)


def _names(operands: Pointees, k: int) -> bool:
    return operands == "any" or (operands != "none" and k in operands)


def _is_number_or_its_bits(bits: UntrackedBits, value: Value) -> bool:
    """Returns whether it carries a derivative, itself or in bits. A byte of a text may stand beside numbers."""
    value = stripped(value, EXTENDED)
    return value in bits.activity.varied or value in bits.computed or bits.is_byte_of_number(value)


def writes_numbers(bits: UntrackedBits, i: Instruction) -> str:
    """Returns an inactive function's name if it may write to a number with a derivative."""
    callee = bits.activity.callees.of(i)
    if callee.kind is not CalleeKind.INACTIVE or callee.known is None or callee.known.writes == "none":
        return ""
    writes, integers = callee.known.writes, callee.known.integers
    targets = [a for k, a in enumerate(i.arguments) if k not in integers and (writes == "any" or k in writes)]
    name = plain_name(callee.name)
    if scans_list(name):
        return name if bits.activity.shadowed(i.arguments[-1]) else ""
    if name == OVERWRITTEN.name:
        return "a statement" if any(bits.activity.shadowed(t) and bits.may_be_in_number(t, 8) for t in targets) else ""
    behind = [t for t in targets if bits.activity.shadowed(t)] if writes_behind_pointers(name) else []
    if any(bits.types.contents(t, POINTERS_LOOKED_AT).points_at_numbers for t in behind):
        return name
    if name == OVERWRITTEN_STORAGE.name:
        return "a statement" if _is_number_in_storage(bits, *i.arguments) else ""
    return name if any(bits.is_number(target, behind=unchecked(name) not in WRITES_TEXT) for target in targets) else ""


def _is_number_in_storage(bits: UntrackedBits, place: Value, size: Value) -> bool:
    """Returns whether the bytes, of integers or characters by their declaration, are those of a number."""
    count = size.value if isinstance(size, ConstantInt) else WORD
    return bits.activity.shadowed(place) and bits.types.contents(place, count).may_be_known_numbers


def passes_bits(bits: UntrackedBits, i: Instruction) -> bool:
    if i not in bits.activity.active_calls:
        return False
    return any(_becomes_number(bits, a) for a in _passed_on(bits, i))


def _passed_on(bits: UntrackedBits, call: Instruction) -> Iterable[Value]:
    """Returns the arguments whose bits go on in the function that is called, as far as its body tells."""
    callee = bits.activity.callees.of(call)
    if callee.kind is not CalleeKind.DEFINED:
        return call.arguments
    parameters = bits.activity.callees.module.functions[callee.name].arguments
    pairs = zip(call.arguments, parameters, strict=False)
    return [a for a, parameter in pairs if bits.carriers.moved_integers.move_on(parameter)]


def passes_union(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches an argument in a register that may be a number: if nothing else is active, the call does not look so."""
    callee = bits.activity.callees.of(i)
    takes_numbers = callee.kind is CalleeKind.DEFINED or (i in bits.activity.active_calls and not callee.is_routine)
    return takes_numbers and any(map(bits.is_union, _passed_on(bits, i)))


def passes_vector(bits: UntrackedBits, i: Instruction) -> bool:
    if bits.activity.callees.of(i).kind is not CalleeKind.DEFINED:
        return False
    return any(a in bits.computed and isinstance(a.type, VectorType) for a in i.arguments)


def callee_uses_otherwise(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a number passed in an integer that the callee, called from elsewhere, uses as something else."""
    return any(
        any(kind is Kind.CONFLICT for _, _, kind in bits.types.values.parts(parameter))
        and bits.carriers.adjoint_type(value) != bits.carriers.adjoint_type(parameter)
        for value, parameter in _passed_numbers(bits, i)
    )


def callee_makes_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a number passed in an integer if the callee computes with it, and the result becomes a number.

    Functions of this kind are inlined where they can be (autodiff/analyses/passed_bits.py).
    """
    return any(
        bits.carriers.adjoint_type(parameter) is None and bits.types.number_flow.becomes_number(parameter)
        for _, parameter in _passed_numbers(bits, i)
    )


def _passed_numbers(bits: UntrackedBits, i: Instruction) -> Iterator[tuple[Value, Value]]:
    """Yields numbers that the call passes in integers to a function with a body, and the parameters."""
    callee = bits.activity.callees.of(i)
    if callee.kind is CalleeKind.DEFINED:
        parameters = bits.activity.callees.module.functions[callee.name].arguments
        pairs = zip(i.arguments, parameters, strict=False)
        yield from ((v, p) for v, p in pairs if isinstance(v.type, IntType) and v in bits.activity.varied)


def custom_result_is_both(bits: UntrackedBits, i: Instruction) -> bool:
    is_custom = bits.activity.callees.of(i).kind is CalleeKind.CUSTOM
    return is_custom and i in bits.activity.shadow_results and bits.activity.active(i)


# -- other instructions


def takes_number_from_vector(bits: UntrackedBits, i: Instruction) -> bool:
    return i.operands[0] in bits.computed and bits.carriers.adjoint_type(i) is not None


def pointer_origin(bits: UntrackedBits, i: Instruction) -> str:
    """Returns what a pointer with a shadow is computed from, if the same computation on shadows gives no shadow.

    The distance of two objects is not that of their shadows, nor is their exclusive or.
    """
    for v in origins(i.operands[:1] if bits.activity.shadowed(i) else (), POINTER_WORD):
        if not isinstance(v, Instruction):
            continue
        if v.opcode == "xor" and not any(isinstance(o, Constant) for o in v.operands):
            return "two, by exclusive or"
        if v.opcode in INTEGER_SUMS and any(_is_loaded_distance(bits, o) for o in v.operands):
            return _DISTANCE
    return ""


def _is_loaded_distance(bits: UntrackedBits, value: Value) -> bool:
    """Returns whether an integer comes from memory where a distance of two objects may lie."""
    value = stripped(value, EXTENDED)
    if not isinstance(value, Instruction) or value.opcode != "load" or bits.activity.shadowed(value):
        return False
    return bits.types.may_be_distance(value)


def makes_pointer_of_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches bits of a number that become a pointer which code passes on: a pointer has no adjoint."""
    made = ends(i.operands, COPIED) if i.users else []
    return any(
        isinstance(v, Instruction) and v.opcode == "bitcast" and v.operands[0] in bits.activity.varied for v in made
    )


def takes_number_from_pointer(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a number that came in a pointer, as a union does that LLVM passes or returns in a register."""
    if not bits.activity.shadowed(i.operands[0]) or not bits.types.values.may_be_number(i):
        return False
    parts = uses([i], TAKEN_APART)
    return any(isinstance(bits.carriers.adjoint_type(part), FloatType | VectorType) for part in parts)


def returns_bits(bits: UntrackedBits, i: Instruction) -> bool:
    return bool(i.operands) and _becomes_number(bits, i.operands[0])


def _becomes_number(bits: UntrackedBits, value: Value) -> bool:
    """Returns whether the value holds untracked bits and is, or becomes elsewhere, a number."""
    if value in bits.computed and bits.may_carry_number(value):
        return True
    return value in bits.loaded and bits.types.number_flow.becomes_number(value)


def returns_union(bits: UntrackedBits, i: Instruction) -> bool:
    return bool(i.operands) and bits.is_union(i.operands[0])


def inserts_vector(bits: UntrackedBits, i: Instruction) -> bool:
    return i.operands[1] in bits.computed and isinstance(i.operands[1].type, VectorType)


def inserts_union(bits: UntrackedBits, i: Instruction) -> bool:
    return bits.is_union(i.operands[1])


def uses_array_of_integers(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches what clang passes structs in on AArch64; on x86-64, it passes structs."""
    if not architecture_of(bits.activity.callees.module.head).passes_arrays:
        return False
    return any(isinstance(v.type, ArrayType) and isinstance(v.type.element, IntType) for v in (i, *i.operands))


def uses_long_double(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches numbers that carry derivatives in 128 bits: copies of such memory have no adjoints."""
    if architecture_of(bits.activity.callees.module.head).long_double != "fp128":
        return False
    return any(v.type == FP128 and v in bits.activity.varied for v in (i, *i.operands))


def makes_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Matches a number, perhaps in an integer, made of integers whose adjoint is not followed.

    An integer that packs several things matches only if bits of a number may come to the place of one: some of its
    parts may well be integers.
    """
    if i.opcode not in COMPUTED_BITS and not bits.computes(i):
        return False
    if words := joined_words(i):
        return any(w in bits.loaded for w in words)  # the sweeps test whether the others are numbers
    adjoint = bits.carriers.adjoint_type(i) if isinstance(i.type, IntType) else None
    if (
        adjoint is not None
        and bits.computes(i)
        and any(is_int(o.type) and o in bits.activity.varied for o in i.operands)
    ):
        return i not in bits.activity.varied  # a minimum, for example, of which nothing else knows the derivative
    if adjoint is not None and any(o in bits.chosen for o in i.operands):
        return True
    is_loaded = any(o in bits.loaded for o in i.operands)
    if i.opcode == "bitcast":
        return holds(i.type, FloatType) and (is_loaded or _is_returned(bits, i.operands[0]))
    if isinstance(adjoint, StructType) and not all(isinstance(field, FloatType) for field in adjoint.fields):
        return _fills_number(bits, i)
    return is_loaded and adjoint is not None


def _fills_number(bits: UntrackedBits, i: Instruction) -> bool:
    """Returns whether untracked bits of a number may become bits of a number that the packed integer carries."""
    untracked = (o for o in i.operands if isinstance(o.type, IntType) and bits.carriers.adjoint_type(o) is None)
    carried = [o for o in untracked if any(map(bits.surely_holds_bits, origins_of_bits(o, COPIED_BYTES, counts=False)))]
    if i.opcode not in IN_PLACE:
        return bool(carried)
    parts = [(start, size) for start, size, kind in bits.types.values.parts(i) if kind in FLOATS]
    numbers = reduce(or_, (ones(start, start + size) for start, size in parts), 0)
    return any(possible_bits(o) & numbers for o in carried)


def _is_returned(bits: UntrackedBits, value: Value) -> bool:
    """Returns whether a function is given bits of a number, and returns an integer that the value is made of.

    Other functions of this kind are inlined (autodiff/analyses/passed_bits.py); those that call themselves cannot be.
    """
    calls = (v for v in origins_of_bits(value) if isinstance(v, Instruction) and v.opcode == "call")
    return any(
        bits.activity.callees.of(call).kind is CalleeKind.DEFINED and any(a in bits.computed for a in call.arguments)
        for call in calls
    )
