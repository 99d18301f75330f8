"""What would lose a derivative without a word, found before any code is made: each is refused with its reason."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from ...ir.types import (
    FLOAT_KINDS,
    I8,
    FloatType,
    IntType,
    PointerType,
    StructType,
    VectorType,
    is_int,
    scalar,
    store_size,
)
from ...ir.values import Constant, Instruction, Value
from ..callees import CalleeKind, plain_name
from ..type_analysis.analysis import Kind
from .activity import Activity
from .carriers import holds

_COPIES = frozenset(
    "phi select freeze bitcast extractvalue insertvalue extractelement insertelement shufflevector".split()
)
#: integer arithmetic through which the bits of a number may travel
_BIT_ARITHMETIC = frozenset("add sub mul and or xor shl lshr ashr trunc zext sext udiv sdiv urem srem".split())
_UNDECIDED = (Kind.UNKNOWN, Kind.CONFLICT, Kind.ANYTHING)
_FLOATS = frozenset(FLOAT_KINDS)
_UNKNOWN = frozenset([CalleeKind.UNKNOWN, CalleeKind.INDIRECT])
#: and structs that intrinsics give: umul.with.overflow
_INTEGERS = (IntType, VectorType, StructType)
_RETURNS_TWICE = frozenset(
    "setjmp _setjmp sigsetjmp __sigsetjmp vfork getcontext setcontext makecontext swapcontext".split()
)


def find_unsupported(activity: Activity) -> Iterator[tuple[Instruction, str]]:
    """Instructions that cannot be differentiated though the sweeps would pass over them, and why."""
    bits = _bits_of_numbers(activity, _loads_lanes)
    perhaps_bits = _bits_of_numbers(activity, _loads_bits)
    for i in activity.function.instructions():
        check = _CHECKS.get(i.opcode)
        reason = check(activity, bits, i) if check is not None else None
        if reason is None and _makes_number(activity, perhaps_bits, i):
            reason = "a number is made of the bits of another that carries a derivative, by integer arithmetic"
        if reason is None and _stores_bits(activity, perhaps_bits, i):
            reason = _STORED_BITS
        if reason is not None:
            yield i, reason


def _bits_of_numbers(activity: Activity, loads: Callable[[Activity, Instruction], bool]) -> set[Value]:
    """Integers computed from the bits of varied numbers, whose adjoint is not followed, and from what is loaded so."""
    work = [i for i in activity.function.instructions() if loads(activity, i) or _begins(activity, i)]
    found: set[Value] = set()
    while work:
        i = work.pop()
        if i in found or not isinstance(i.type, _INTEGERS) or activity.carriers.adjoint_type(i) is not None:
            continue
        found.add(i)
        work += [u for u in i.users if u.opcode in _COPIES or _shuffles(u) or _computes(activity, u)]
    return found


def _begins(activity: Activity, i: Instruction) -> bool:
    """Whether it takes the bits of a varied number, or computes with an integer that carries one."""
    if i.opcode == "bitcast":
        return i.operands[0] in activity.varied
    return _computes(activity, i) and any(is_int(o.type) and o in activity.varied for o in i.operands)


def _loads_lanes(activity: Activity, i: Instruction) -> bool:
    """Whether it loads a vector of integers where numbers may lie: types of its lanes are not followed."""
    return _is_integers(i) and _loads_bits(activity, i)


def _loads_bits(activity: Activity, i: Instruction) -> bool:
    """Whether it loads integers where numbers may lie."""
    if i.opcode != "load" or not (_is_integers(i) or (isinstance(i.type, IntType) and i.type.bits >= 16)):
        return False
    place = i.operands[0]
    if not activity.shadowed(place) or activity.carriers.types.is_declared_integer(i):
        return False
    return _may_be_in_number(activity, place, store_size(i.type))


def _is_integers(value: Value) -> bool:
    """A vector of integers."""
    return isinstance(value.type, VectorType) and is_int(value.type)


def _shuffles(i: Instruction) -> bool:
    """Intrinsics that make vectors of vectors, such as pshufb."""
    return i.opcode == "call" and isinstance(i.type, VectorType)


def _computes(activity: Activity, i: Instruction) -> bool:
    """Arithmetic, and intrinsics that make integers of integers, such as umax."""
    known = activity.callees.of(i).known if i.opcode == "call" else None
    return i.opcode in _BIT_ARITHMETIC or (known is not None and known.pure)


def _makes_number(activity: Activity, bits: set[Value], i: Instruction) -> bool:
    """Whether it gives a number, perhaps in an integer, made of integers whose adjoint is not followed.

    Of integers that hold several things, parts may well be integers.
    """
    if i.opcode not in _BIT_ARITHMETIC | _COPIES or not any(o in bits for o in i.operands):
        return False
    if i.opcode == "bitcast":
        return holds(i.type, FloatType)
    return isinstance(i.type, IntType) and isinstance(activity.carriers.adjoint_type(i), FloatType)


_STORED_BITS = "the bits of a number that carries a derivative are stored after integer arithmetic"


def _stores_bits(activity: Activity, bits: set[Value], i: Instruction) -> bool:
    """Whether it puts such integers where numbers are read, or integers that become numbers."""
    if i.opcode != "store":
        return False
    (value, place), element = i.operands, scalar(i.operands[0].type)
    if not isinstance(element, IntType):
        return False
    types = activity.carriers.types
    if element.bits < 16:
        return _is_byte_of_number(activity, value) and types.feeds_numbers(place)
    if value not in bits:
        return False
    is_constant = not activity.shadowed(place)
    return types.feeds_numbers(place) or (is_constant and _may_be_in_number(activity, place, store_size(value.type)))


def _is_byte_of_number(activity: Activity, value: Value) -> bool:
    if not isinstance(value, Instruction) or value.opcode != "load" or value.type != I8:
        return False
    return activity.shadowed(value.operands[0]) and _may_be_in_number(activity, value.operands[0])


def _check_extractelement(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    if i.operands[0] in bits and activity.carriers.adjoint_type(i) is not None:
        return "the bits of a number that carries a derivative are taken out of a vector of integers"
    return None


def _check_store(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    value, pointer = i.operands
    if (value in activity.varied or activity.shadowed(value)) and not activity.shadowed(pointer):
        unknown = _UNKNOWN | {CalleeKind.INACTIVE} if value in activity.varied else _UNKNOWN
        origin = _origin_without_shadow(activity, pointer, unknown)
        if origin is not None:
            return f"a number or pointer that carries a derivative is stored in memory that {origin} gave"
    if activity.shadowed(pointer) and _may_be_number(activity, value):
        return "it copies what may be a number or a pointer, out of memory that the gradient's caller passes"
    if isinstance(value, Constant) or not activity.shadowed(pointer):
        return None
    if _is_integers(value):
        is_unknown = value in bits or _comes_from_shadowed_memory(activity, value)
        if is_unknown and _may_be_in_number(activity, pointer, store_size(value.type)):
            return "it copies what may be numbers that carry derivatives, through a vector of integers"
    if not isinstance(value.type, IntType):
        return None
    if activity.carriers.adjoint_type(value) is not None:
        return None
    if value.type.bits < 16:
        is_unknown = value.type.bits == 8 and _may_be_in_number(activity, pointer)
        if is_unknown and _comes_from_shadowed_memory(activity, value):
            return "it copies single bytes, which may be those of a number that carries a derivative"
        return None
    kind = activity.carriers.types.value_kind(value)
    if value in bits and kind is not Kind.INTEGER:
        return _STORED_BITS
    if kind in _UNDECIDED and _comes_from_shadowed_memory(activity, value):
        return (
            "it copies bytes of which the type analysis cannot tell whether they are a number, an integer or a pointer"
        )
    return None


def _may_be_number(activity: Activity, value: Value) -> bool:
    """Whether a pointer, or a part of its bits, was loaded where, as far as anybody knows, numbers lie at other times.

    TBAA says so of real pointers; of memory that this program made mixed.py takes care.
    """
    seen: set[Value] = set()
    work = [value]
    types = activity.carriers.types
    while work:
        v = work.pop()
        if v in seen or not isinstance(v, Instruction):
            continue
        seen.add(v)
        if v.opcode == "load" and isinstance(v.type, PointerType) and v.metadata_node("!tbaa") is None:
            place = v.operands[0]
            if activity.shadowed(place) and not types.is_private(place) and types.is_mixed(place, 8):
                return True
        elif v.opcode in ("phi", "select", "freeze", "ptrtoint", "trunc", "lshr"):
            work.extend(v.operands)
    return False


def _origin_without_shadow(activity: Activity, pointer: Value, unknown: Container[CalleeKind]) -> str | None:
    """The function of one of those kinds that gave the memory, which nobody can say is constant."""
    seen: set[Value] = set()
    work = [pointer]
    while work:
        v = work.pop()
        if v in seen or not isinstance(v, Instruction):
            continue
        seen.add(v)
        if v.opcode == "call" and activity.callees.of(v).kind in unknown:
            return plain_name(activity.callees.of(v).name) or "an unknown function"
        if v.opcode in ("getelementptr", "phi", "select", "freeze", "bitcast", "addrspacecast"):
            work.extend(o for o in v.operands if isinstance(o.type, PointerType))
    return None


def _comes_from_shadowed_memory(activity: Activity, value: Value) -> bool:
    seen: set[Value] = set()
    work = [value]
    while work:
        v = work.pop()
        if v in seen or not isinstance(v, Instruction):
            continue
        seen.add(v)
        if v.opcode == "load":
            if activity.shadowed(v.operands[0]) and not activity.carriers.types.is_declared_integer(v):
                return True
        elif v.opcode in _COPIES or v.opcode in _BIT_ARITHMETIC:
            work.extend(v.operands)
    return False


def _check_cmpxchg(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    pointer, _, new = i.operands
    if not activity.shadowed(pointer):
        return None
    kind = activity.carriers.types.value_kind(new)
    if kind.value in _FLOATS or new in bits or new in activity.varied:
        return "a number that carries a derivative is exchanged atomically"
    return None


def _check_call(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    callee = activity.callees.of(i)
    if plain_name(callee.name) in _RETURNS_TWICE:
        return "it may return twice, which cannot be undone in reverse"
    if callee.kind is CalleeKind.INACTIVE and _writes_text(activity, i):
        return "it writes a number that carries a derivative as text, which is read as a number again"
    if callee.kind is CalleeKind.INACTIVE and callee.known is not None and callee.known.writes != "none":
        writes, integers = callee.known.writes, callee.known.integers
        targets = [a for k, a in enumerate(i.arguments) if k not in integers and (writes == "any" or k in writes)]
        if any(_is_number(activity, target) for target in targets):
            return f"{plain_name(callee.name)} writes numbers to memory that carries derivatives"
    if i in activity.active_calls and any(a in bits and _may_carry(activity, a) for a in i.arguments):
        return "it is given the bits of a number that carries a derivative in an integer"
    if i in activity.active_calls and any(_is_undecided(activity, a) for a in i.arguments):
        return f"it is given {_EITHER}"
    if callee.kind is CalleeKind.DEFINED and any(a in bits and isinstance(a.type, VectorType) for a in i.arguments):
        return "it is given the bits of numbers that carry derivatives in a vector of integers"
    if callee.kind is CalleeKind.DEFINED and _loses_number(activity, i, callee.name):
        return f"it is given {_EITHER}"
    if callee.kind is CalleeKind.CUSTOM and i in activity.shadow_results and activity.active(i):
        return "it returns numbers and pointers together, both with derivatives"
    return None


def _writes_text(activity: Activity, call: Instruction) -> bool:
    """Whether a number is printed to where numbers are read from."""
    if not any(isinstance(a.type, FloatType) and a in activity.varied for a in call.arguments):
        return False
    target = call.arguments[0]
    return isinstance(target.type, PointerType) and activity.carriers.types.feeds_numbers(target)


def _loses_number(activity: Activity, call: Instruction, name: str) -> bool:
    """Whether a number is passed in an integer that the callee, for all its callers, may also use as something else."""
    carriers = activity.carriers
    for value, parameter in zip(call.arguments, activity.callees.module.functions[name].arguments, strict=False):
        is_number = isinstance(value.type, IntType) and value in activity.varied
        kinds = {kind for _, _, kind in carriers.types.value_parts(parameter)} if is_number else set()
        if Kind.CONFLICT in kinds and carriers.adjoint_type(value) != carriers.adjoint_type(parameter):
            return True
    return False


_DISTANCE = (
    "a pointer is made of another and of a distance in memory, which may be that of two objects (within one, add it to "
    "a char pointer)"
)


def _check_inttoptr(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    """The distance of two objects is not that of their shadows, nor is their exclusive or."""
    seen: set[Value] = set()
    work = [i.operands[0]] if activity.shadowed(i) else []
    while work:
        v = work.pop()
        if v in seen or not isinstance(v, Instruction):
            continue
        seen.add(v)
        if v.opcode == "xor" and not any(isinstance(o, Constant) for o in v.operands):
            return "a pointer is made of two, by exclusive or"
        if v.opcode in ("add", "sub") and any(_is_loaded(o) and not activity.shadowed(o) for o in v.operands):
            return _DISTANCE
        if v.opcode in ("phi", "select", "freeze", "and", "or", "add"):
            work.extend(v.operands)
    return None


def _is_loaded(value: Value) -> bool:
    """Whether it is a word out of memory."""
    while isinstance(value, Instruction) and value.opcode in ("freeze", "sext", "zext"):
        value = value.operands[0]
    return isinstance(value, Instruction) and value.opcode == "load"


def _check_ret(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    if i.operands and i.operands[0] in bits and _may_carry(activity, i.operands[0]):
        return "it returns the bits of a number that carries a derivative in an integer"
    if i.operands and _is_undecided(activity, i.operands[0]):
        return f"it returns {_EITHER}"
    return None


def _check_insertvalue(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    if i.operands[1] in bits and isinstance(i.operands[1].type, VectorType):
        return "a struct gets the bits of numbers that carry derivatives in a vector of integers"
    return f"a struct in a register gets {_EITHER}" if _is_undecided(activity, i.operands[1]) else None


#: what has an adjoint or a shadow in memory, but cannot have both in a register
_EITHER = "a union in an integer register, which may be a number or something else (pass it in memory)"


def _is_undecided(activity: Activity, value: Value) -> bool:
    """An integer that may carry a number, but also something else, out of memory that has a shadow."""
    if not isinstance(value.type, IntType) or value.type.bits < 16 or isinstance(value, Constant):
        return False
    types = activity.carriers.types
    conflict = any(kind is Kind.CONFLICT for _, _, kind in types.value_parts(value))
    return conflict and types.may_be_number(value) and _comes_from_shadowed_memory(activity, value)


def _may_carry(activity: Activity, value: Value) -> bool:
    """Type analysis does not say that the integer is nothing but an integer; of vectors of integers it says nothing."""
    if isinstance(value.type, VectorType):
        return True
    if not isinstance(value.type, IntType) or value.type.bits < 16:
        return False
    return any(kind is not Kind.INTEGER for _, _, kind in activity.carriers.types.value_parts(value))


def _may_be_in_number(activity: Activity, pointer: Value, size: int = 1) -> bool:
    layout = activity.carriers.types.layout(pointer, size)
    return layout is None or any(s.kind not in (Kind.INTEGER, Kind.ANYTHING) for s in layout.segments)


def _is_number(activity: Activity, pointer: Value) -> bool:
    if not isinstance(pointer.type, PointerType) or not activity.shadowed(pointer):
        return False
    layouts = [activity.carriers.types.layout(pointer, size) for size in (4, 8, 16)]
    return any(s.kind.value in _FLOATS for layout in layouts if layout is not None for s in layout.segments)


_CHECKS: dict[str, Callable[[Activity, set[Value], Instruction], str | None]] = {
    "extractelement": _check_extractelement,
    "store": _check_store,
    "cmpxchg": _check_cmpxchg,
    "call": _check_call,
    "inttoptr": _check_inttoptr,
    "ret": _check_ret,
    "insertvalue": _check_insertvalue,
}
