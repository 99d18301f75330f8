"""What each instruction says: a table from opcodes to functions that enter facts and edges into the graph."""

from __future__ import annotations

from collections.abc import Callable

from ..ir.cfg import reverse_postorder
from ..ir.types import FloatType, IntType, PointerType, Type, VectorType, is_aggregate, store_size
from ..ir.values import Block, ConstantInt, Instruction, Local, Value
from .types_calls import call
from .types_graph import Handle, Node
from .types_hints import Hint, hint_of_type
from .types_kinds import POINTER_TAG, Kind, Tag, integer_tag, scalar_tag
from .types_local import keeps_bits, part_shift
from .types_program import Instance, Program, byval_type, leaves

Transfer = Callable[[Program, Instance, Instruction], None]


def run_instance(p: Program, instance: Instance) -> None:
    """Enters all that one instance says."""
    for argument in instance.function.arguments:
        _enter_argument(p, instance, argument)
    for block in blocks_reached(instance):
        for i in block.instructions:
            transfer = TRANSFERS.get(i.opcode)
            if transfer is not None:
                transfer(p, instance, i)
    for value, node in list(instance.pending.items()):
        if isinstance(value, Local) and not isinstance(value, Instruction):
            continue
        node.label = node.label or "a value that is never computed"


def blocks_reached(instance: Instance) -> list[Block]:
    """The blocks that can run with the constant arguments of the instance, in reverse postorder."""
    order = reverse_postorder(instance.function.entry)
    if not instance.constants:
        return order
    reached = {order[0]}
    work = [order[0]]
    while work:
        for successor in _successors(instance, work.pop()):
            if successor not in reached:
                reached.add(successor)
                work.append(successor)
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
    """A branch condition that the constant arguments decide."""
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
    elif isinstance(type_, IntType) and instance.local.is_open(argument):
        note_uses(p, instance, argument)


def note_uses(p: Program, instance: Instance, value: Value) -> None:
    """How an integer is used says what its bytes are."""
    tag = integer_use(instance, value)
    if tag is not None:
        p.graph.access(Handle(p.register(instance, value)), tag)


def integer_use(instance: Instance, value: Value) -> Tag | None:
    uses = instance.local.uses(value)
    if uses.strong or uses.weak:
        return integer_tag(value.type, weak=not uses.strong)
    return None


# -- memory


def _place(p: Program, instance: Instance, i: Instruction, pointer: Value) -> Handle | None:
    """Where an access goes; its TBAA tag says what lies around it."""
    handle = p.handle(instance, pointer)
    if handle is not None:
        _note_tbaa(p, i, handle)
    return handle


def _note_tbaa(p: Program, i: Instruction, handle: Handle) -> None:
    reference = i.metadata_node("!tbaa")
    tag = p.tbaa.tag(reference) if reference is not None else None
    if tag is not None and tag.base != tag.access:
        hint = p.hints.struct(tag.base)
        if hint is not None:
            p.graph.access(handle._replace(offset=handle.offset - tag.offset), hint)


def _tbaa_scalar(p: Program, i: Instruction) -> Tag | None:
    reference = i.metadata_node("!tbaa")
    tag = p.tbaa.tag(reference) if reference is not None else None
    return p.tbaa.scalar_tag(tag.access) if tag is not None else None


def _note_pointee(p: Program, i: Instruction, view: Node) -> None:
    """The type of what a pointer in memory points at, from its own type's name (`p1 double`)."""
    reference = i.metadata_node("!tbaa")
    tag = p.tbaa.tag(reference) if reference is not None else None
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
        if place is None:
            p.define(instance, i, None)
            return
        view = p.graph.pointee(place, POINTER_TAG)
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
        view = p.graph.pointee(place, POINTER_TAG)
        _note_pointee(p, i, view)
        p.graph.points(view, p.handle(instance, value))
        return
    _access(p, instance, i, value, place)


def _access(p: Program, instance: Instance, i: Instruction, value: Value, place: Handle) -> None:
    """The value is what lies at the place."""
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
            p.graph.access(place, tag)
    else:
        for offset, leaf in leaves(type_):
            tag = scalar_tag(leaf)
            if tag is not None and tag is not POINTER_TAG:
                p.graph.access(place._replace(offset=place.offset + offset), tag)
        if not _is_plain_vector(type_) or _has_bit_users(value):
            p.graph.copies(Handle(p.register(instance, value)), place, store_size(type_))


def _packed_source(value: Value) -> Value | None:
    """The vector of floats whose bits a double is."""
    if isinstance(value, Instruction) and value.opcode == "bitcast" and isinstance(value.operands[0].type, VectorType):
        return value.operands[0]
    return None


def _is_plain_vector(type_: Type) -> bool:
    return isinstance(type_, VectorType) and isinstance(type_.element, FloatType)


def _has_bit_users(value: Value) -> bool:
    """Whether the bits of a vector are also seen as another type."""
    if isinstance(value, Instruction) and value.opcode == "bitcast":
        return True
    return isinstance(value, Local) and any(u.opcode in ("bitcast", "insertvalue", "phi") for u in value.users)


def _integer_access(p: Program, instance: Instance, i: Instruction, value: Value, place: Handle) -> None:
    tag = _tbaa_scalar(p, i)
    size = store_size(value.type)
    if tag is not None and tag.size == size:
        if tag is POINTER_TAG or tag.kind is POINTER_TAG.kind:
            p.graph.pointee(place, POINTER_TAG)
        else:
            p.graph.access(place, tag)
    if instance.local.is_number(value):
        p.graph.access(place, integer_tag(value.type))
    if isinstance(value, ConstantInt):
        p.graph.copies(Handle(p.register(instance, value)), place, size)
    elif instance.local.is_open(value):
        p.graph.copies(Handle(p.register(instance, value)), place, size)
        note_uses(p, instance, value)
    elif i is value:
        use = integer_use(instance, value)
        if use is not None:
            p.graph.access(place, use)


def _alloca(p: Program, instance: Instance, i: Instruction) -> None:
    node = Node("a local variable")
    assert i.memory.accessed is not None
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
    p.define(instance, i, p.moved(base, *instance.local.offset(i)))


def _join(p: Program, instance: Instance, i: Instruction, operands: list[Value]) -> None:
    """phi, select, freeze: the result is one of the operands."""
    if isinstance(i.type, PointerType):
        view = Node()
        p.define(instance, i, Handle(view))
        for operand in operands:
            p.graph.points(view, p.handle(instance, operand))
    elif p.needs_register(instance, i) and not _is_plain_vector(i.type):
        note_uses_of_integer(p, instance, i)
        for operand in operands:
            _same(p, instance, i, operand)


def note_uses_of_integer(p: Program, instance: Instance, value: Value) -> None:
    if isinstance(value.type, IntType):
        note_uses(p, instance, value)


def _same(p: Program, instance: Instance, a: Value, b: Value, at_a: int = 0, at_b: int = 0, size: int = 0) -> None:
    """Bytes of one value are bytes of another."""
    if isinstance(b, Instruction) and isinstance(b.type, IntType) and instance.local.is_number(b):
        p.graph.access(Handle(p.register(instance, a), at_a), integer_tag(b.type))
    size = size or min(store_size(a.type), store_size(b.type))
    if at_a == at_b == 0 and size == store_size(a.type) == store_size(b.type) and isinstance(b, Local):
        p.graph.same(p.register(instance, a), p.register(instance, b))
        return
    p.graph.copies(Handle(p.register(instance, a), at_a), Handle(p.register(instance, b), at_b), size)


def _phi(p: Program, instance: Instance, i: Instruction) -> None:
    _join(p, instance, i, [v for v in i.operands[::2] if v is not i])


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


# -- integers that carry something


def _bitcast(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if isinstance(i.type, PointerType):
        p.define(instance, i, p.handle(instance, source))
    elif isinstance(source.type, FloatType) and isinstance(i.type, FloatType):
        return
    else:
        _same(p, instance, i, source)
        note_uses_of_integer(p, instance, i)


def _ptrtoint(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, IntType) and i.type.bits == 64 and instance.local.is_open(i):
        view = p.graph.pointee(Handle(p.register(instance, i)), POINTER_TAG)
        p.graph.points(view, p.handle(instance, i.operands[0]))


def _inttoptr(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if isinstance(source, ConstantInt) or not isinstance(i.type, PointerType):
        p.define(instance, i, None)
        return
    p.define(instance, i, Handle(p.graph.pointee(Handle(p.register(instance, source)), POINTER_TAG)))


def _trunc(p: Program, instance: Instance, i: Instruction) -> None:
    if p.needs_register(instance, i) or instance.local.is_packed(i.operands[0]):
        _same(p, instance, i, i.operands[0], size=store_size(i.type))
        note_uses_of_integer(p, instance, i)


def _zext(p: Program, instance: Instance, i: Instruction) -> None:
    source = i.operands[0]
    if p.needs_register(instance, i) and store_size(source.type) >= 2:
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type, weak=True))
        _same(p, instance, i, source, size=store_size(source.type))


def _shift(p: Program, instance: Instance, i: Instruction) -> None:
    bits = part_shift(i)
    if bits is None or not (p.needs_register(instance, i) or instance.local.is_packed(i.operands[0])):
        return
    by, size = bits // 8, store_size(i.type)
    if i.opcode == "shl":
        _same(p, instance, i, i.operands[0], at_a=by, size=size - by)
        return
    _same(p, instance, i, i.operands[0], at_b=by, size=size - by)
    uses = instance.local.uses(i)
    if uses.strong or uses.weak:  # of what was shifted down; above it are zeros
        p.graph.access(Handle(p.register(instance, i)), Tag(Kind.INTEGER, size - by, not uses.strong))


def _logic(p: Program, instance: Instance, i: Instruction) -> None:
    if not p.needs_register(instance, i):
        return
    if i in instance.local.pointerish:
        _pointer_arithmetic(p, instance, i)
    elif keeps_bits(i):
        low, size = _kept_bytes(i)
        for operand in i.operands:
            if not isinstance(operand, ConstantInt):
                _same(p, instance, i, operand, low, low, size)
    else:
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type, weak=True))


def _kept_bytes(i: Instruction) -> tuple[int, int]:
    """First byte and number of bytes that an and/or/xor which keeps bits passes on."""
    size = store_size(i.type)
    mask = next((o.value for o in i.operands if isinstance(o, ConstantInt)), None)
    if i.opcode != "and" or mask is None:
        return 0, size
    unsigned = mask & ((1 << 8 * size) - 1)
    if unsigned == (1 << 4 * size) - 1:
        return 0, size // 2
    return (size // 2, size // 2) if unsigned & 1 == 0 else (0, size)


def _arithmetic(p: Program, instance: Instance, i: Instruction) -> None:
    if i in instance.local.pointerish:
        _pointer_arithmetic(p, instance, i)
    elif instance.local.is_open(i):
        p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type))


def _pointer_arithmetic(p: Program, instance: Instance, i: Instruction) -> None:
    """Addresses computed as integers: the result points somewhere into what the operands point into."""
    view = p.graph.pointee(Handle(p.register(instance, i)), POINTER_TAG)
    for operand in i.operands:
        if operand in instance.local.pointerish or _is_address(operand):
            source = p.graph.pointee(Handle(p.register(instance, operand)), POINTER_TAG)
            p.graph.points(view, Handle(source, 0, 1))


def _is_address(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "ptrtoint"


# -- aggregates and vectors


def _part_of(p: Program, instance: Instance, i: Instruction, whole: Value, part: Value, at: int) -> None:
    """`part` lies in `whole` at an offset."""
    register = Handle(p.register(instance, whole), at)
    if isinstance(part.type, PointerType):
        view = p.graph.pointee(register, POINTER_TAG)
        if part is i:
            p.define(instance, i, Handle(view))
        else:
            p.graph.points(view, p.handle(instance, part))
    elif not isinstance(part.type, FloatType) and (p.needs_register(instance, part) or part is not i):
        _same(p, instance, whole, part, at, 0, store_size(part.type))
        if part is i:
            note_uses_of_integer(p, instance, i)


def _offset_of(type_: Type, indices: tuple[int, ...]) -> int:
    from ..ir.types import ArrayType, alloc_size, field_offsets, struct_fields

    at = 0
    for index in indices:
        if isinstance(type_, ArrayType | VectorType):
            at, type_ = at + index * alloc_size(type_.element), type_.element
        else:
            at, type_ = at + field_offsets(type_)[index], struct_fields(type_)[index]
    return at


def _extractvalue(p: Program, instance: Instance, i: Instruction) -> None:
    whole = i.operands[0]
    _part_of(p, instance, i, whole, i, _offset_of(whole.type, i.indices))


def _insertvalue(p: Program, instance: Instance, i: Instruction) -> None:
    whole, part = i.operands
    _same(p, instance, i, whole)
    _part_of(p, instance, i, i, part, _offset_of(i.type, i.indices))


def _element_offset(index: Value, type_: Type) -> int | None:
    assert isinstance(type_, VectorType)
    return index.value * store_size(type_.element) if isinstance(index, ConstantInt) else None


def _extractelement(p: Program, instance: Instance, i: Instruction) -> None:
    vector, index = i.operands
    at = _element_offset(index, vector.type)
    if isinstance(i.type, FloatType):
        return
    _part_of(p, instance, i, vector, i, at or 0)


def _insertelement(p: Program, instance: Instance, i: Instruction) -> None:
    vector, part, index = i.operands
    if not isinstance(part.type, FloatType):
        _same(p, instance, i, vector)
        _part_of(p, instance, i, i, part, _element_offset(index, i.type) or 0)


def _shufflevector(p: Program, instance: Instance, i: Instruction) -> None:
    if _is_plain_vector(i.type):
        return
    element = store_size(i.type.element) if isinstance(i.type, VectorType) else 1
    for operand in i.operands[:2]:  # which elements go where is not followed
        p.graph.copies(
            Handle(p.register(instance, i), 0, element), Handle(p.register(instance, operand), 0, element), element
        )


def _ret(p: Program, instance: Instance, i: Instruction) -> None:
    if not i.operands:
        return
    value = i.operands[0]
    if isinstance(value.type, PointerType):
        p.graph.points(instance.result_view, p.handle(instance, value))
    elif isinstance(value.type, IntType) or is_aggregate(value.type):
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
    "bitcast": _bitcast,
    "ptrtoint": _ptrtoint,
    "inttoptr": _inttoptr,
    "trunc": _trunc,
    "zext": _zext,
    "shl": _shift,
    "lshr": _shift,
    "and": _logic,
    "or": _logic,
    "xor": _logic,
    "add": _arithmetic,
    "sub": _arithmetic,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _extractelement,
    "insertelement": _insertelement,
    "shufflevector": _shufflevector,
    "ret": _ret,
    "call": call,
    "invoke": call,
    "landingpad": _landingpad,
    "va_arg": _landingpad,
}
