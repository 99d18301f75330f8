"""What each instruction says: a table from opcodes to functions that enter facts and edges into the graph."""

from __future__ import annotations

from collections.abc import Callable

from ....ir.attributes import byval_type
from ....ir.cfg import reverse_postorder
from ....ir.constants import ConstantInt
from ....ir.graphs import reachable
from ....ir.types import FloatType, IntType, PointerType, VectorType, store_size
from ....ir.value_edges import USES_BITS
from ....ir.values import Block, Instruction, Local, Value
from ..declared.hints import Hint, hint_of_type
from ..graph.graph_nodes import Handle, Node
from ..kinds import POINTER_TAG, Kind, Tag, integer_tag, scalar_tag, with_alignment
from .calls import call
from .carried_bits import (
    arithmetic,
    bitcast,
    extractelement,
    extractvalue,
    insertelement,
    insertvalue,
    integer_use,
    inttoptr,
    is_plain_vector,
    logic,
    note_uses,
    note_uses_of_integer,
    ptrtoint,
    same,
    shift,
    shufflevector,
    trunc,
    zext,
)
from .member_pointers import is_virtual_function, is_vtable
from .program import Instance, Program, integers_in, leaves

Transfer = Callable[[Program, Instance, Instruction], None]


def run_instance(p: Program, instance: Instance) -> None:
    """Enters all that one instance of a function says."""
    for argument in instance.function.arguments:
        _enter_argument(p, instance, argument)
    blocks = blocks_reached(instance)
    if instance.constants:
        instance.reached = frozenset(blocks)
    for block in blocks:
        for i in block.instructions:
            transfer = TRANSFERS.get(i.opcode)
            if transfer is not None:
                transfer(p, instance, i)
    for value, hint in p.declared(instance.function):
        handle = instance.values.get(value)
        if handle is not None:
            p.graph.access(handle, hint)


def blocks_reached(instance: Instance) -> list[Block]:
    """Returns the blocks that can run with the constant arguments of the instance, in reverse postorder."""
    order = reverse_postorder(instance.function.entry)
    if not instance.constants:
        return order
    reached = set(reachable(order[:1], lambda block: _successors(instance, block)))
    return [block for block in order if block in reached]


def _successors(instance: Instance, block: Block) -> list[Block]:
    terminator = block.terminator
    if terminator.opcode == "switch":
        value = instance.constants.get(terminator.operands[0])
        cases = zip(terminator.operands[2::2], terminator.operands[3::2], strict=True)
        if value is not None:
            chosen = next((b for c, b in cases if c == value), terminator.operands[1])
            return [chosen] if isinstance(chosen, Block) else []
    if terminator.opcode == "br" and len(terminator.operands) == 3:
        condition = _condition(instance, terminator.operands[0])
        if condition is not None:
            return [terminator.successors[0 if condition else 1]]
    return block.successors


def _condition(instance: Instance, value: Value) -> bool | None:
    """Returns a branch condition if the constant arguments decide it."""
    if value in instance.constants:
        return instance.constants[value].value != 0
    if isinstance(value, Instruction) and value.opcode == "icmp" and value.predicate in ("eq", "ne"):
        a, b = (instance.constants.get(o, o) for o in value.operands)
        if isinstance(a, ConstantInt) and isinstance(b, ConstantInt):
            return (a.value == b.value) is (value.predicate == "eq")
    return None


def _enter_argument(p: Program, instance: Instance, argument: Local) -> None:
    type_ = argument.type
    if isinstance(type_, PointerType):
        declared = byval_type(p.module, getattr(argument, "attributes", ""))
        hint = hint_of_type(declared) if declared is not None else None
        handle = p.handle(instance, argument)
        if hint is not None and handle is not None:
            p.graph.access(handle, hint)
    elif isinstance(type_, IntType) and instance.local.may_carry_bits(argument):
        note_uses(p, instance, argument)


# -- memory


def _place(p: Program, instance: Instance, i: Instruction, pointer: Value) -> Handle | None:
    """Returns the place of an access. Enters what its TBAA tag says of the bytes around it."""
    handle = p.handle(instance, pointer)
    if handle is not None:
        _note_tbaa(p, i, handle)
    return handle


def _note_tbaa(p: Program, i: Instruction, handle: Handle) -> None:
    tag = p.tbaa.tag_of(i)
    if tag is not None and tag.base != tag.access:
        hint = p.hints.struct(tag.base)
        if hint is not None:
            p.graph.access(handle._replace(offset=handle.offset - tag.offset), hint)


def _note_pointee(p: Program, i: Instruction, view: Node) -> None:
    """Enters the type of what a pointer in memory points at, from its TBAA type's name (`p1 double`)."""
    tag = p.tbaa.tag_of(i)
    found = p.tbaa.pointee(tag.access) if tag is not None else None
    if isinstance(found, Tag):
        p.graph.access(Handle(view), Hint(((0, found.size, found.kind),), found.size))
    elif found is not None:
        hint = p.hints.struct(found)
        if hint is not None:
            p.graph.access(Handle(view), hint)


def _load(p: Program, instance: Instance, i: Instruction) -> None:
    place = _place(p, instance, i, i.operands[0])
    if isinstance(i.type, PointerType):
        if place is None or is_virtual_function(i) or is_vtable(i):
            p.define(instance, i, None)
            return
        view = p.graph.pointee(place, with_alignment(POINTER_TAG, i.memory.align))
        _note_pointee(p, i, view)
        p.define(instance, i, Handle(view))
    elif place is not None:
        _access(p, instance, i, i, place)


def _store(p: Program, instance: Instance, i: Instruction) -> None:
    value, pointer = i.operands
    place = _place(p, instance, i, pointer)
    if place is None:
        return
    if isinstance(value.type, PointerType):
        view = p.graph.pointee(place, with_alignment(POINTER_TAG, i.memory.align))
        _note_pointee(p, i, view)
        p.graph.points(view, p.handle(instance, value))
        return
    _access(p, instance, i, value, place)


def _may_be_union(p: Program, access: Instruction, place: Handle) -> bool:
    """Returns whether a number that is moved may be a union, as far as TBAA tells.

    Without TBAA, elements of arrays are none: an array would seem to go on to the end of the struct that it lies in.
    """
    return p.tbaa.scalar_access(access) is None and (not place.stride or p.tbaa.tag_of(access) is not None)


def _access(p: Program, instance: Instance, i: Instruction, value: Value, place: Handle) -> None:
    """Enters that the value is what lies at the place."""
    type_ = value.type
    if isinstance(type_, IntType):
        _integer_access(p, instance, i, value, place)
    elif isinstance(type_, FloatType):
        tag = scalar_tag(type_)
        assert tag is not None
        packed = _packed_source(value)
        if packed is not None:
            p.graph.copies(Handle(p.register(instance, packed)), place, store_size(type_))
        else:
            p.graph.access(place, with_alignment(tag, i.memory.align))
            if p.needs_register(instance, value) and _may_be_union(p, i, place):
                p.graph.copies(Handle(p.register(instance, value)), place, store_size(type_))
    else:
        for offset, leaf in leaves(type_):
            tag = scalar_tag(leaf)
            if tag is not None and tag is not POINTER_TAG:
                p.graph.access(place._replace(offset=place.offset + offset), tag)
        if not is_plain_vector(type_) or _has_bit_users(value):
            p.graph.copies(Handle(p.register(instance, value)), place, store_size(type_))


def _packed_source(value: Value) -> Value | None:
    """Returns the vector of floats if a double is a bitcast of one."""
    if isinstance(value, Instruction) and value.opcode == "bitcast" and isinstance(value.operands[0].type, VectorType):
        return value.operands[0]
    return None


def _has_bit_users(value: Value) -> bool:
    """Returns whether the bits of a vector are also used as another type."""
    if isinstance(value, Instruction) and value.opcode == "bitcast":
        return True
    return isinstance(value, Local) and any(u.opcode in USES_BITS for u in value.users)


def _integer_access(p: Program, instance: Instance, i: Instruction, value: Value, place: Handle) -> None:
    size = store_size(value.type)
    tag = p.tbaa.scalar_access(i, size)
    if tag is not None and tag.size == size:
        if tag.kind is Kind.POINTER:
            p.graph.pointee(place, POINTER_TAG)
        elif tag.kind is Kind.INTEGER and size < POINTER_TAG.size and not p.integers_carry_numbers:
            _plain_integer(p, instance, value, place, tag)
            return
        else:
            # C keeps addresses in integers of the size of a pointer
            p.graph.access(place, tag._replace(weak=tag.kind is Kind.INTEGER and size == POINTER_TAG.size))
    if instance.local.is_number(value):
        p.graph.access(place, integer_tag(value.type))
    if isinstance(value, ConstantInt):
        p.note_constant(place, value)
    elif instance.local.may_carry_bits(value):
        p.graph.copies(Handle(p.register(instance, value)), place, size)
        note_uses(p, instance, value)
    elif i is value:
        use = integer_use(instance, value)
        if use is not None:
            p.graph.access(place, use)


def _plain_integer(p: Program, instance: Instance, value: Value, place: Handle, tag: Tag) -> None:
    """Enters an access to what `!tbaa` declares an integer, where it can be nothing else.

    It copies nothing. Otherwise counters and lengths connect most memory: in GLPK, they make three of four copies.
    """
    p.graph.access(place, tag)
    if not isinstance(value, ConstantInt) and instance.local.may_carry_bits(value):
        p.graph.access(Handle(p.register(instance, value)), tag)


def _alloca(p: Program, instance: Instance, i: Instruction) -> None:
    node = Node("a local variable")
    assert i.memory.accessed is not None
    node.integers = integers_in(i.memory.accessed)
    hint = hint_of_type(i.memory.accessed)
    if hint is not None:
        p.graph.access(Handle(node), hint)
    p.define(instance, i, Handle(node))


def _atomicrmw(p: Program, instance: Instance, i: Instruction) -> None:
    pointer, value = i.operands
    place = _place(p, instance, i, pointer)
    if place is None:
        return
    if isinstance(value.type, PointerType):
        view = p.graph.pointee(place, POINTER_TAG)
        p.graph.points(view, p.handle(instance, value))
        p.define(instance, i, Handle(view))
    elif isinstance(value.type, IntType) and i.memory.operation == "xchg":
        _integer_access(p, instance, i, value, place)
        _integer_access(p, instance, i, i, place)
    else:
        p.graph.access(place, scalar_tag(value.type) or integer_tag(value.type))


def _cmpxchg(p: Program, instance: Instance, i: Instruction) -> None:
    pointer, _, new = i.operands
    place = _place(p, instance, i, pointer)
    if place is None:
        return
    size = store_size(new.type)
    p.graph.copies(Handle(p.register(instance, i)), place, size)
    if isinstance(new.type, PointerType):
        p.graph.points(p.graph.pointee(place, POINTER_TAG), p.handle(instance, new))
    else:
        p.graph.copies(Handle(p.register(instance, new)), place, size)


# -- pointers


def _getelementptr(p: Program, instance: Instance, i: Instruction) -> None:
    if not isinstance(i.type, PointerType):
        return
    base = p.handle(instance, i.operands[0])
    places = [p.moved(base, *offset) for offset in instance.local.offsets(i)]
    p.define(instance, i, places[0] if len(places) == 1 else _either(p, places))


def _either(p: Program, places: list[Handle | None]) -> Handle:
    view = Node()
    for place in places:
        p.graph.points(view, place)
    return Handle(view)


def _join(p: Program, instance: Instance, i: Instruction, operands: list[Value]) -> None:
    """Enters that the result is one of the operands (phi, select, freeze)."""
    if isinstance(i.type, PointerType):
        view = Node()
        p.define(instance, i, Handle(view))
        for operand in operands:
            p.graph.points(view, p.handle(instance, operand))
    elif p.needs_register(instance, i) and not is_plain_vector(i.type):
        note_uses_of_integer(p, instance, i)
        for operand in operands:
            same(p, instance, i, operand)


def _phi(p: Program, instance: Instance, i: Instruction) -> None:
    _join(p, instance, i, [v for v, before in i.incoming if v is not i and _is_taken(instance, before, i.block)])


def _is_taken(instance: Instance, before: Block, block: Block | None) -> bool:
    """Returns whether control may pass from one block to the other, given the instance's constant arguments."""
    return instance.reached is None or (before in instance.reached and block in _successors(instance, before))


def _select(p: Program, instance: Instance, i: Instruction) -> None:
    _join(p, instance, i, i.operands[1:])


def _freeze(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, PointerType):
        p.define(instance, i, p.handle(instance, i.operands[0]))
    else:
        _join(p, instance, i, i.operands)


def _pointer_cast(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, PointerType):
        p.define(instance, i, p.handle(instance, i.operands[0]))


def _ret(p: Program, instance: Instance, i: Instruction) -> None:
    if not i.operands:
        return
    value = i.operands[0]
    if isinstance(value.type, PointerType):
        p.graph.points(instance.result_view, p.handle(instance, value))
    elif p.is_word(instance, value):
        if instance.local.is_number(value):
            p.graph.access(Handle(instance.result), integer_tag(value.type))
        p.graph.same(instance.result, p.register(instance, value))


def _landingpad(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, PointerType):
        p.define(instance, i, Handle(p.unknown("an exception")))
    else:
        p.graph.mark_external(p.register(instance, i))


TRANSFERS: dict[str, Transfer] = {
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "getelementptr": _getelementptr,
    "phi": _phi,
    "select": _select,
    "freeze": _freeze,
    "addrspacecast": _pointer_cast,
    "bitcast": bitcast,
    "ptrtoint": ptrtoint,
    "inttoptr": inttoptr,
    "trunc": trunc,
    "zext": zext,
    "shl": shift,
    "lshr": shift,
    "and": logic,
    "or": logic,
    "xor": logic,
    "add": arithmetic,
    "sub": arithmetic,
    "extractvalue": extractvalue,
    "insertvalue": insertvalue,
    "extractelement": extractelement,
    "insertelement": insertelement,
    "shufflevector": shufflevector,
    "ret": _ret,
    "call": call,
    "invoke": call,
    "landingpad": _landingpad,
    "va_arg": _landingpad,
}
