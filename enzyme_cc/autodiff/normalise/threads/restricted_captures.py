"""`restrict` parameters that a variable holds, which a region captures."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.callees import plain_name
from ....ir.constants import ConstantInt, GlobalRef
from ....ir.graphs import reachable
from ....ir.indices import address_terms
from ....ir.instructions import ACCESSES, ATOMIC_UPDATES, CHOICES, WRITES_UNSEEN
from ....ir.values import Argument, Instruction, Local, Value
from ....rules.library_functions import is_pure
from ....rules.parallel.openmp import is_called_itself
from ....rules.table import lookup


def accesses(pointer: Local) -> Iterator[tuple[Instruction, int | None]]:
    """Yields what uses an address, behind constant steps, and how far behind it; None if it does not only access it."""
    for user in pointer.users:
        step = _step(user) if user.opcode == "getelementptr" and user.operands[0] is pointer else None
        if step is not None:
            yield from ((i, None if at is None else at + step) for i, at in accesses(user))
        else:
            is_address = user.operands.index(pointer) == (1 if user.opcode == "store" else 0)
            yield user, 0 if user.opcode in ACCESSES and is_address else None


def _step(address: Instruction) -> int | None:
    constant, others = address_terms(address.source_type, address.operands[1:])
    return None if others or not all(isinstance(o, ConstantInt) for o in address.operands[1:]) else constant


def restrict_parameter(variable: Value) -> Argument | None:
    """Returns the parameter that is all that a variable ever holds, if no other name leads to its memory.

    What regions do with the pointer is their own business: see `is_kept`.
    """
    assert isinstance(variable, Instruction)
    stores = [i for i, offset in accesses(variable) if i.opcode == "store" and offset is not None]
    value = stores[0].operands[0] if len(stores) == 1 else None
    if not isinstance(value, Argument) or "noalias" not in value.attributes.split():
        return None
    held = [value, *(i for i, offset in accesses(variable) if i.opcode == "load" and offset is not None)]
    return None if any(is_kept(pointer, stores[0]) for pointer in held) else value


def is_kept(pointer: Local, stored: Instruction | None = None) -> bool:
    """True if an address behind a pointer may be kept or passed on, but by one store."""

    def addresses(value: Local) -> list[Local]:
        return [user for user in value.users if user.opcode in CHOICES or user.opcode == "getelementptr"]

    return any(_keeps(user, value, stored) for value in reachable([pointer], addresses) for user in value.users)


def _keeps(user: Instruction, pointer: Value, stored: Instruction | None) -> bool:
    if user.opcode == "call":
        return any(o is pointer and "captures(none)" not in a for o, a in _arguments(user))
    if user is stored or user.opcode in CHOICES or user.opcode == "getelementptr" or user.opcode == "icmp":
        return False
    return user.opcode not in ACCESSES or _is_stored(pointer, user)


def _arguments(call: Instruction) -> Iterator[tuple[Value, str]]:
    """Yields the arguments of a call, with their attributes. Intrinsics keep no address."""
    is_intrinsic = isinstance(call.callee, GlobalRef) and plain_name(call.callee.name).startswith("llvm.")
    for argument, attributes in zip(call.arguments, call.call.argument_attributes, strict=True):
        yield argument, "captures(none)" if is_intrinsic else attributes


def _is_stored(pointer: Value, user: Instruction) -> bool:
    return user.opcode == "store" and user.operands[0] is pointer


def may_order(i: Instruction) -> bool:
    """True if a thread may wait for others there: these may have written behind a `restrict` pointer then."""
    if i.opcode != "call":
        return i.opcode in (ATOMIC_UPDATES | WRITES_UNSEEN) or i.opcode == "fence" or "atomic" in i.flags
    name = plain_name(i.callee.name) if isinstance(i.callee, GlobalRef) else ""
    return not (name.startswith("llvm.") or is_called_itself(name) or (lookup(name) is not None and is_pure(name)))


def is_only_loaded_from(pointer: Local) -> bool:
    """True if nobody writes behind a `restrict` pointer while the region runs: no thread does."""
    return all(
        user.opcode == "load" or (user.opcode == "getelementptr" and is_only_loaded_from(user))
        for user in pointer.users
    )
