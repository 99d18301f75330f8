"""What casts, shifts, masks and packing say of integers and aggregates that carry the bits of other things."""

from __future__ import annotations

from ....ir.constants import ConstantInt
from ....ir.indices import member_offset
from ....ir.types import (
    FloatType,
    IntType,
    PointerType,
    Type,
    VectorType,
    store_size,
)
from ....ir.values import Instruction, Local, Value
from ...integers.signs import Direction
from ..graph.graph_nodes import Handle
from ..kinds import POINTER_TAG, Kind, Tag, integer_tag
from .addresses import is_address
from .local import changes_tag, keeps_bits, part_shift
from .program import Instance, Program


def note_uses(p: Program, instance: Instance, value: Value) -> None:
    """Enters what the uses of an integer say of its bytes."""
    tag = integer_use(instance, value)
    if tag is not None:
        p.graph.access(Handle(p.register(instance, value)), tag)


def integer_use(instance: Instance, value: Value) -> Tag | None:
    uses = instance.local.uses(value)
    if uses.strong or uses.weak:
        return integer_tag(value.type, weak=not uses.strong)
    return None


def note_uses_of_integer(p: Program, instance: Instance, value: Value) -> None:
    if isinstance(value.type, IntType):
        note_uses(p, instance, value)


def same(p: Program, instance: Instance, a: Value, b: Value, at_a: int = 0, at_b: int = 0, size: int = 0) -> None:
    """Enters that bytes of one value are bytes of another."""
    if isinstance(b, Instruction) and isinstance(b.type, IntType) and instance.local.is_number(b):
        p.graph.access(Handle(p.register(instance, a), at_a), integer_tag(b.type))
    size = size or min(store_size(a.type), store_size(b.type))
    if isinstance(b, ConstantInt):
        if at_b == 0 and size == store_size(b.type):
            p.note_constant(Handle(p.register(instance, a), at_a), b)
        return
    if at_a == at_b == 0 and size == store_size(a.type) == store_size(b.type) and isinstance(b, Local):
        p.graph.same(p.register(instance, a), p.register(instance, b))
        return
    p.graph.copies(Handle(p.register(instance, a), at_a), Handle(p.register(instance, b), at_b), size)


def is_plain_vector(type_: Type) -> bool:
    return isinstance(type_, VectorType) and isinstance(type_.element, FloatType)


# -- integers that carry something


def bitcast(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if isinstance(i.type, PointerType):
        p.define(instance, i, p.handle(instance, source))
    elif isinstance(source.type, FloatType) and isinstance(i.type, FloatType):
        return
    else:
        same(p, instance, i, source)
        note_uses_of_integer(p, instance, i)


def ptrtoint(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, IntType) and i.type.bits == 64 and instance.local.may_carry_bits(i):
        view = p.graph.pointee(Handle(p.register(instance, i)), POINTER_TAG)
        p.graph.points(view, p.handle(instance, i.operands[0]))


def inttoptr(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if isinstance(source, ConstantInt) or not isinstance(i.type, PointerType):
        p.define(instance, i, None)
        return
    p.define(instance, i, Handle(p.graph.pointee(Handle(p.register(instance, source)), POINTER_TAG)))


def trunc(p: Program, instance: Instance, i: Instruction) -> None:
    if p.needs_register(instance, i) or instance.local.is_packed(i.operands[0]):
        same(p, instance, i, i.operands[0], size=store_size(i.type))
        note_uses_of_integer(p, instance, i)


def zext(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if p.needs_register(instance, i) and store_size(source.type) >= 2:
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type, weak=True))
        same(p, instance, i, source, size=store_size(source.type))


def shift(p: Program, instance: Instance, i: Instruction) -> None:
    if i in instance.local.pointerish:
        _pointer_arithmetic(p, instance, i)
        return
    bits = part_shift(i)
    if bits is None or not (p.needs_register(instance, i) or instance.local.is_packed(i.operands[0])):
        return
    by, size = bits // 8, store_size(i.type)
    if i.opcode == "shl":
        same(p, instance, i, i.operands[0], at_a=by, size=size - by)
        return
    same(p, instance, i, i.operands[0], at_b=by, size=size - by)
    uses = instance.local.uses(i)
    if uses.strong or uses.weak:  # only the bytes that were shifted down: above them are zeros
        p.graph.access(Handle(p.register(instance, i)), Tag(Kind.INTEGER, size - by, not uses.strong))


def logic(p: Program, instance: Instance, i: Instruction) -> None:
    if not p.needs_register(instance, i):
        return
    if i in instance.local.pointerish:
        _pointer_arithmetic(p, instance, i)
    elif i in instance.local.tagged:
        same(p, instance, i, instance.local.tagged[i])
    elif keeps_bits(i):
        low, size = _kept_bytes(i)
        for operand in i.operands:
            if not isinstance(operand, ConstantInt):
                same(p, instance, i, operand, low, low, size)
    else:
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type, weak=True))


def _kept_bytes(i: Instruction) -> tuple[int, int]:
    """Returns the first byte, and the number of bytes, that a bit-keeping and/or/xor passes on."""
    size = store_size(i.type)
    mask = next((o.value for o in i.operands if isinstance(o, ConstantInt)), None)
    if i.opcode != "and" or mask is None:
        return 0, size
    unsigned = mask & ((1 << 8 * size) - 1)
    if unsigned == (1 << 4 * size) - 1:
        return 0, size // 2
    return (size // 2, size // 2) if unsigned & 1 == 0 else (0, size)


def arithmetic(p: Program, instance: Instance, i: Instruction) -> None:
    if i in instance.local.pointerish:
        _pointer_arithmetic(p, instance, i)
    elif instance.local.may_carry_bits(i):
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type))


def _pointer_arithmetic(p: Program, instance: Instance, i: Instruction) -> None:
    """Enters that an address computed as an integer points somewhere into what its operands point into.

    With another tag, it points at the same place.
    """
    stride = 0 if changes_tag(i) else 1
    view = p.graph.pointee(Handle(p.register(instance, i)), POINTER_TAG)
    for operand in i.operands:
        if operand in instance.local.pointerish or is_address(operand):
            source = p.graph.pointee(Handle(p.register(instance, operand)), POINTER_TAG)
            p.graph.points(view, Handle(source, 0, stride, Direction.EITHER))


# -- aggregates and vectors


def _part_of(p: Program, instance: Instance, i: Instruction, whole: Value, part: Value, at: int) -> None:
    """Enters that `part` lies in `whole` at an offset."""
    register = Handle(p.register(instance, whole), at)
    if isinstance(part.type, PointerType):
        view = p.graph.pointee(register, POINTER_TAG)
        if part is i:
            p.define(instance, i, Handle(view))
        else:
            p.graph.points(view, p.handle(instance, part))
    elif p.needs_register(instance, part) or (part is not i and not isinstance(part.type, FloatType)):
        same(p, instance, whole, part, at, 0, store_size(part.type))
        if part is i:
            note_uses_of_integer(p, instance, i)


def extractvalue(p: Program, instance: Instance, i: Instruction) -> None:
    whole = i.operands[0]
    _part_of(p, instance, i, whole, i, member_offset(whole.type, i.indices))


def insertvalue(p: Program, instance: Instance, i: Instruction) -> None:
    whole, part = i.operands
    same(p, instance, i, whole)
    _part_of(p, instance, i, i, part, member_offset(i.type, i.indices))


def _element_offset(index: Value, type_: Type) -> int | None:
    assert isinstance(type_, VectorType)
    return index.value * store_size(type_.element) if isinstance(index, ConstantInt) else None


def extractelement(p: Program, instance: Instance, i: Instruction) -> None:
    vector, index = i.operands
    at = _element_offset(index, vector.type)
    if isinstance(i.type, FloatType):
        return
    _part_of(p, instance, i, vector, i, at or 0)


def insertelement(p: Program, instance: Instance, i: Instruction) -> None:
    vector, part, index = i.operands
    if not isinstance(part.type, FloatType):
        same(p, instance, i, vector)
        _part_of(p, instance, i, i, part, _element_offset(index, i.type) or 0)


def shufflevector(p: Program, instance: Instance, i: Instruction) -> None:
    if is_plain_vector(i.type):
        return
    element = store_size(i.type.element) if isinstance(i.type, VectorType) else 1
    for operand in i.operands[:2]:  # which elements go where is not followed
        p.graph.copies(
            Handle(p.register(instance, i), 0, element), Handle(p.register(instance, operand), 0, element), element
        )
