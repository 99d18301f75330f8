"""Pointers that functions hold in stack variables which are set once, or load from constant global variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.type_analysis.constraints.addresses import address_offset
from ...ir.constants import Constant, ConstantAggregate, ConstantExpr, ConstantWord, GlobalRef
from ...ir.module import Module
from ...ir.types import PTR, ArrayType, NamedStruct, StructType, Type, alloc_size, field_offsets, struct_fields
from ...ir.values import Instruction, Value


def behind_slots(value: Value) -> Value:
    """The value of a stack variable that is set once. Parameters of inlined functions are such variables."""
    while isinstance(value, Instruction) and value.opcode == "load":
        slot = value.operands[0]
        if not (isinstance(slot, Instruction) and slot.opcode == "alloca" and slot.memory.accessed == PTR):
            return value
        users = [user for user in slot.users if user.opcode != "load" and not user.is_lifetime_marker]
        if len(users) != 1 or users[0].opcode != "store" or users[0].operands[1] is not slot:
            return value
        value = users[0].operands[0]
    return value


def known_value(module: Module, value: Value) -> Value:
    """Returns the value itself, or what it is known to be."""
    value = behind_slots(value)
    if not isinstance(value, Instruction) or value.opcode != "load" or value.type != PTR:
        return value
    base, offset = _place(module, value.operands[0], 0)
    found: Value | None = None
    if isinstance(base, GlobalRef) and base.name in module.globals:
        variable = module.globals[base.name]
        found = _element(variable.initializer, offset) if variable.constant else None
    elif isinstance(base, Instruction) and base.opcode == "alloca":
        stored = {v for v in _stored(base, offset) if not isinstance(v, ConstantWord)}  # null is where it starts
        found = stored.pop() if len(stored) == 1 else None
    return found if found is not None and found.type == PTR else value


def _place(module: Module, pointer: Value, offset: int) -> tuple[Value | None, int]:
    """Returns the variable that a pointer points into, and where; None if the place is not known."""
    pointer = known_value(module, pointer)
    if not isinstance(pointer, Instruction | ConstantExpr) or pointer.opcode != "getelementptr":
        return pointer, offset
    source = pointer.source_type if isinstance(pointer, Instruction) else pointer.source
    assert source is not None
    distance, stride = address_offset(source, pointer.operands[1:])
    return _place(module, pointer.operands[0], offset + distance) if not stride else (None, 0)


def _stored(pointer: Instruction, offset: int) -> Iterator[Value]:
    """Yields the pointers that are stored at an offset behind a pointer by itself or in a whole struct or array."""
    for user in pointer.users:
        if user.opcode == "store" and user.operands[1] is pointer:
            yield from _part(user.operands[0], offset)
        elif user.opcode == "getelementptr" and user.operands[0] is pointer:
            distance, stride = address_offset(user.source_type, user.operands[1:])
            if not stride and distance <= offset:
                yield from _stored(user, offset - distance)


def _part(value: Value, offset: int) -> Iterator[Value]:
    """Yields the pointer at an offset in a value that others were inserted into."""
    while isinstance(value, Instruction) and value.opcode == "insertvalue":
        if offset == _offset(value.type, value.indices):
            yield value.operands[1]
            return
        value = value.operands[0]
    found = _element(value, offset) if isinstance(value, Constant) else value if offset == 0 else None
    if found is not None and found.type == PTR:
        yield found


def _offset(type_: Type, indices: Sequence[int]) -> int:
    """Returns the offset of a part of a struct or an array."""
    offset = 0
    for index in indices:
        if isinstance(type_, ArrayType):
            type_ = type_.element
            offset += index * alloc_size(type_)
        else:
            offset += field_offsets(type_)[index]
            type_ = struct_fields(type_)[index]
    return offset


def _element(constant: Constant | None, offset: int) -> Constant | None:
    """Returns the pointer at an offset in a constant."""
    while isinstance(constant, ConstantAggregate):
        if isinstance(constant.type, ArrayType):
            size = alloc_size(constant.type.element)
            index, offset = divmod(offset, size)
        elif isinstance(constant.type, StructType | NamedStruct):
            offsets = field_offsets(constant.type)
            index = max((k for k, start in enumerate(offsets) if start <= offset), default=len(offsets))
            offset -= offsets[index] if index < len(offsets) else 0
        else:
            return None
        constant = constant.elements[index] if 0 <= index < len(constant.elements) else None
    return constant if offset == 0 else None
