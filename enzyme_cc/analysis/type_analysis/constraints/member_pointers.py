"""Calls through C++'s pointers to member functions.

Such a pointer is an address, or an odd number: one more than the place of a virtual function in the vtable. The code
for both stands at each call. In a class without virtual functions, the second one would take the object's first word
for a vtable, but it is never executed.
"""

from __future__ import annotations

from ....ir.constants import ConstantInt
from ....ir.types import PointerType
from ....ir.values import Instruction, Value


def is_virtual_function(load: Instruction) -> bool:
    """Returns whether a load takes a virtual function from a vtable, at a place that a member pointer gives."""
    return isinstance(load.type, PointerType) and _is_in_vtable(load.operands[0])


def is_vtable(load: Instruction) -> bool:
    """Returns whether a load takes an object's vtable, for nothing but such functions."""
    users = list(load.users)
    return bool(users) and all(_leads_to_function(user, load) for user in users)


def _leads_to_function(user: Instruction, of: Value) -> bool:
    if user.opcode == "load":
        return user.operands[0] is of and is_virtual_function(user)
    return (
        user.opcode == "getelementptr"
        and user.operands[0] is of
        and bool(user.users)
        and all(_leads_to_function(next_, user) for next_ in user.users)
    )


def _is_in_vtable(pointer: Value) -> bool:
    """Returns whether an address is that of a vtable plus an odd number less one."""
    terms: list[Value] = []
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr" and len(pointer.operands) == 2:
        terms.append(pointer.operands[1])
        pointer = pointer.operands[0]
    is_loaded = isinstance(pointer, Instruction) and pointer.opcode == "load"
    numbers = [t for term in terms for t in _summands(term)]
    constant = sum(t.value for t in numbers if isinstance(t, ConstantInt))
    others = [t for t in numbers if not isinstance(t, ConstantInt)]
    return is_loaded and constant == -1 and len(others) == 1 and _is_tested(others[0])


def _summands(value: Value) -> list[Value]:
    if not isinstance(value, Instruction) or len(value.operands) != 2:
        return [value]
    other, constant = value.operands
    if value.opcode == "sub" and isinstance(constant, ConstantInt):
        return [other, ConstantInt(constant.type, -constant.value)]
    return [other, constant] if value.opcode == "add" else [value]


def _is_tested(value: Value) -> bool:
    """Returns whether the program asks if a number is odd."""
    users = getattr(value, "users", ())
    return any(u.opcode == "trunc" or (u.opcode == "and" and _is_one(u.operands[1])) for u in users)


def _is_one(value: Value) -> bool:
    return isinstance(value, ConstantInt) and value.value == 1
