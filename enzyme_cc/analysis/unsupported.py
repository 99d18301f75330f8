"""What would lose a derivative without a word, found before any code is made: each is refused with its reason."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from ..ir.types import FLOAT_KINDS, FloatType, IntType, PointerType, VectorType, is_int, store_size
from ..ir.values import Constant, Instruction, Value
from .activity import Activity
from .callees import CalleeKind, plain_name
from .carriers import holds
from .types import Kind

_COPIES = frozenset(
    "phi select freeze bitcast extractvalue insertvalue extractelement insertelement shufflevector".split()
)
#: integer arithmetic through which the bits of a number may travel
_BIT_ARITHMETIC = frozenset("add sub mul and or xor shl lshr ashr trunc zext sext udiv sdiv urem srem".split())
_UNDECIDED = (Kind.UNKNOWN, Kind.CONFLICT, Kind.ANYTHING)
_FLOATS = frozenset(FLOAT_KINDS)
_UNKNOWN = frozenset([CalleeKind.UNKNOWN, CalleeKind.INDIRECT])
_RETURNS_TWICE = frozenset(["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"])


def find_unsupported(activity: Activity) -> Iterator[tuple[Instruction, str]]:
    """Instructions that cannot be differentiated though the sweeps would pass over them, and why."""
    bits = _bits_of_numbers(activity)
    for i in activity.function.instructions():
        check = _CHECKS.get(i.opcode)
        reason = check(activity, bits, i) if check is not None else None
        if reason is not None:
            yield i, reason


def _bits_of_numbers(activity: Activity) -> set[Value]:
    """Integers computed from the bits of varied numbers, whose adjoint is not followed."""
    found: set[Value] = set()
    carriers = activity.carriers
    grew = True
    while grew:
        before = len(found)
        for i in activity.function.instructions():
            if i in found or not isinstance(i.type, IntType | VectorType) or carriers.adjoint_type(i) is not None:
                continue
            from_number = i.opcode == "bitcast" and i.operands[0] in activity.varied
            carried = i.opcode in _BIT_ARITHMETIC and any(o in activity.varied or o in found for o in i.operands)
            copied = (i.opcode in _COPIES or _shuffles(i)) and any(o in found for o in i.operands)
            if from_number or carried or copied or _loads_lanes(activity, i):
                found.add(i)
        grew = len(found) > before
    return found


def _loads_lanes(activity: Activity, i: Instruction) -> bool:
    """Whether it loads a vector of integers where numbers may lie: types of its lanes are not followed."""
    if i.opcode != "load" or not _is_integers(i):
        return False
    place = i.operands[0]
    return activity.shadowed(place) and _may_be_in_number(activity, place, store_size(i.type))


def _is_integers(value: Value) -> bool:
    """A vector of integers."""
    return isinstance(value.type, VectorType) and is_int(value.type)


def _shuffles(i: Instruction) -> bool:
    """Intrinsics that make vectors of vectors, such as pshufb."""
    return i.opcode == "call" and isinstance(i.type, VectorType)


def _check_bitcast(activity: Activity, bits: set[Value], i: Instruction) -> str | None:
    if i.operands[0] in bits and holds(i.type, FloatType):
        return "a number is made of the bits of another that carries a derivative, by integer arithmetic"
    return None


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
        return "the bits of a number that carries a derivative are stored after integer arithmetic"
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


def _loses_number(activity: Activity, call: Instruction, name: str) -> bool:
    """Whether a number is passed in an integer that the callee, for all its callers, may also use as something else."""
    carriers = activity.carriers
    for value, parameter in zip(call.arguments, activity.callees.module.functions[name].arguments, strict=False):
        is_number = isinstance(value.type, IntType) and value in activity.varied
        kinds = {kind for _, _, kind in carriers.types.value_parts(parameter)} if is_number else set()
        if Kind.CONFLICT in kinds and carriers.adjoint_type(value) != carriers.adjoint_type(parameter):
            return True
    return False


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
    "bitcast": _check_bitcast,
    "extractelement": _check_extractelement,
    "store": _check_store,
    "cmpxchg": _check_cmpxchg,
    "call": _check_call,
    "ret": _check_ret,
    "insertvalue": _check_insertvalue,
}
