"""Finds calls that pass or return unions in registers: a number at one time, something else at another.

An integer, a pointer or a number in a register has one adjoint or shadow at most, by its type. In memory, unions are
differentiated. So the functions that are called this way are inlined (optimise/force_inlining.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ...analysis.activity.moved_integers import MovedIntegers
from ...analysis.activity.untracked_bits import origins_of_bits
from ...analysis.callees import Callees
from ...analysis.integers.offsets import addresses_from, base_of
from ...analysis.type_analysis.analysis import Kind, TypeAnalysis
from ...ir.cfg import ControlFlow
from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.instructions import ACCESSES
from ...ir.types import I32, FloatType, IntType, PointerType, store_size
from ...ir.value_edges import GIVEN, STRUCT_PARTS
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.knowledge import CalleeKind


def functions_given_unions(callees: Callees, types: TypeAnalysis, functions: Iterable[Function]) -> set[str]:
    """Returns the functions with bodies that other functions of these give a union in a register, or get one from."""
    found: set[str] = set()
    moved = MovedIntegers(callees, types)

    @cache
    def results(name: str) -> list[Value]:
        instructions = callees.module.functions[name].instructions()
        return [i.operands[0] for i in instructions if i.opcode == "ret" and i.operands]

    @cache
    def is_pointer_union(value: Value) -> bool:  # one pointer may be given to each function of a program
        return _is_pointer_union(types, value)

    def is_union(value: Value, sources: list[Value]) -> bool:
        if isinstance(value, Constant):
            return False
        if isinstance(value.type, PointerType):
            return is_pointer_union(value)
        return _is_union(types, value, sources) and (not isinstance(value.type, IntType) or moved.move_on(value))

    @cache
    def gives_union(name: str) -> bool:
        parts = [part for result in results(name) for part in _parts(result)]
        return any(is_union(part, [part]) or (len(parts) > 1 and _is_mixed_load(types, part)) for part in parts)

    for function in functions:
        for i in function.instructions():
            callee = callees.of(i) if i.opcode == "call" else None
            if callee is None or callee.kind is not CalleeKind.DEFINED:
                continue
            if callee.name == function.name or callee.name in found:
                continue
            passed = _passed(i, callees.module.functions[callee.name], results(callee.name))
            if gives_union(callee.name) or any(is_union(value, sources) for value, sources in passed):
                found.add(callee.name)
    return found


def _passed(call: Instruction, body: Function, results: list[Value]) -> Iterator[tuple[Value, list[Value]]]:
    """Yields what a call passes and gets, and the parameters that take it, each with what it comes from."""
    for actual in call.arguments:
        yield actual, [actual]
    for actual, formal in zip(call.arguments, body.arguments, strict=False):  # variable arguments have no formal ones
        yield formal, [actual]
    for part in _parts(call):
        yield part, results


def _parts(value: Value) -> Iterator[Value]:
    """Yields the value, and what is put into it or taken out of it if it is a struct."""

    def related(v: Value) -> Iterable[Value]:
        if not isinstance(v, Instruction):
            return ()
        return [*STRUCT_PARTS.operands(v), *(u for u in v.users if u.opcode == "extractvalue")]

    return reachable([value], related)


def _may_give_number(types: TypeAnalysis, origin: Value) -> bool:
    """Returns whether bits of a number may begin here: not at loads that are declared integers."""
    if not isinstance(origin, Instruction) or origin.opcode != "load":
        return isinstance(origin.type, FloatType)
    return types.declared.kind(origin) is not Kind.INTEGER


def _is_union(types: TypeAnalysis, value: Value, sources: list[Value]) -> bool:
    """Returns whether the integer or number in the register may be a number, and also something else."""
    if isinstance(value.type, IntType):
        if _is_stored_part(types, value, sources):
            return True
        if not any(_may_give_number(types, o) for s in sources for o in origins_of_bits(s)):
            return False  # asked first: the evidence about a register takes long
        return types.values.kind(value) is Kind.CONFLICT and types.values.may_be_number(value)
    if isinstance(value.type, FloatType):
        bits = (u for u in getattr(value, "users", ()) if u.opcode == "bitcast" and isinstance(u.type, IntType))
        if any(types.values.kind(u) is Kind.CONFLICT and types.values.may_be_number(u) for u in bits):
            return True
        return _is_double_of_floats(types, value, sources)
    return False


def _is_pointer_union(types: TypeAnalysis, value: Value) -> bool:
    """Returns whether the pointer in the register may be a number at another time."""
    words = (u for u in getattr(value, "users", ()) if u.opcode == "ptrtoint" and types.values.may_be_number(u))
    is_taken = any(not _is_accessed(value, word) for word in words)
    return is_taken or (_is_given(value) and _is_stored_number(types, value)) or _is_put_in_union(types, value)


def _is_stored_part(types: TypeAnalysis, value: Value, sources: list[Value]) -> bool:
    """Returns whether an integer is stored that may be a part of a larger number where it was loaded."""
    users = getattr(value, "users", ())
    if value.type != I32 or not any(u.opcode == "store" and u.operands[0] is value for u in users):
        return False
    loads = (o for s in sources for o in origins_of_bits(s) if isinstance(o, Instruction) and o.opcode == "load")
    parts = (load for load in loads if load.type == I32 and not types.declared.is_integer(load))
    return any(types.contents(load.operands[0], store_size(I32)).may_be_part_of_number for load in parts)


def _is_double_of_floats(types: TypeAnalysis, value: Value, sources: list[Value]) -> bool:
    """Returns whether a double that a function is given may be floats, and is stored: memory may hold both.

    Either floats are read where it is stored, or floats were stored where it was loaded (normalise/demote.py).
    """
    stores = [u for u in getattr(value, "users", ()) if u.opcode == "store" and u.operands[0] is value]
    if not stores or not _is_given(value):
        return False
    begins = [o for s in sources for o in origins_of_bits(s)]
    if any(isinstance(o, Instruction) and types.may_be_floats(o) for o in begins):
        return True
    is_read = any(types.contents(u.operands[1], store_size(value.type)).has_several_numbers for u in stores)
    return is_read and any(_may_be_floats(types, o) for o in begins)


def _is_stored_number(types: TypeAnalysis, value: Value) -> bool:
    """Returns whether a pointer is put where numbers may be read, and may have been a number where it was loaded."""
    stores = (u for u in getattr(value, "users", ()) if u.opcode == "store" and u.operands[0] is value)
    open_ = (u for u in stores if types.declared.kind_of(u, value.type) is not Kind.POINTER)
    places = [u.operands[1] for u in open_ if not _is_accessed(value, u)]
    # what costs least is asked first: most pointers are stored nowhere, or are loaded as declared pointers
    loads = [i for i in types.loads_of(value) if types.declared.kind(i) is not Kind.POINTER] if places else []
    if not loads or not any(types.contents(place, store_size(value.type)).may_be_numbers for place in places):
        return False
    return any(map(types.may_read_number, loads))


def _is_accessed(value: Value, user: Instruction) -> bool:
    """Returns whether code accesses memory through the pointer before it comes to the user: it is no number then."""
    assert isinstance(value, Instruction | Argument) and user.block is not None and user.block.function is not None
    users = (u for address in addresses_from(value) for u in address.users if address is u.operands[-1])
    blocks = {u.block for u in users if u.opcode in ACCESSES and u.block is not None}
    if not blocks or user.block in blocks:
        return bool(blocks)
    flow = ControlFlow(user.block.function)
    return any(flow.dominates(block, user.block) for block in blocks)


def _is_mixed_load(types: TypeAnalysis, value: Value) -> bool:
    """Returns whether a pointer was loaded where a number may lie: all that moves a struct with a union says so."""
    if not isinstance(value, Instruction) or value.opcode != "load" or not isinstance(value.type, PointerType):
        return False
    is_declared = types.declared.kind(value) is Kind.POINTER
    return not is_declared and types.contents(value.operands[0], store_size(value.type)).is_mixed


def _is_put_in_union(types: TypeAnalysis, value: Value) -> bool:
    """Returns whether a parameter is a part of a struct that is passed in registers, and holds a union."""
    if not isinstance(value, Argument):
        return False
    for store in (u for u in value.users if u.opcode == "store" and u.operands[0] is value):
        place = store.operands[1]
        if len(_put_together(place)) > 1 and types.declared.kind_of(store, value.type) is not Kind.POINTER:
            return types.contents(place, store_size(value.type)).is_mixed
    return False


def _put_together(place: Value) -> set[Value]:
    """Returns the parameters that are stored in the local variable that the pointer points into."""
    base = base_of(place)
    if not isinstance(base, Instruction) or base.opcode != "alloca":
        return set()
    stores = (u for pointer in addresses_from(base) for u in pointer.users if u.opcode == "store")
    return {store.operands[0] for store in stores if isinstance(store.operands[0], Argument)}


def _is_given(value: Value) -> bool:
    return isinstance(value, Argument) or (isinstance(value, Instruction) and value.opcode in GIVEN)


def _may_be_floats(types: TypeAnalysis, origin: Value) -> bool:
    """Returns whether a double that is taken apart may be floats where it begins: unless it is declared a double.

    The memory that it is loaded from tells of no floats if these are always moved as doubles.
    """
    if isinstance(origin, Instruction) and origin.opcode == "load":
        return isinstance(origin.type, FloatType) and types.declared.kind(origin) is None
    return isinstance(origin, Argument) or (isinstance(origin, Instruction) and origin.opcode == "call")
