"""Memory in both sweeps: shadows of allocations, copies, fills; adjoints of loads, stores and copies.

The adjoint of memory lies in the shadow. A load adds to it; a store takes what is there and leaves zero; a copy does
both, for the bytes that hold floating-point numbers. Pointers in shadow memory are handled in the forward sweep. What
lies where is the type analysis' word (layouts.py); where that changes while the program runs, mixed.py tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.callees import Callee
from ...analysis.storage.needs import Need
from ...analysis.type_analysis.analysis import Layout
from ...ir.builder import Builder, int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import I1, I8, I64, PTR, VOID, FloatType, Type, alloc_size, store_size
from ...ir.values import Constant, ConstantInt, GlobalRef, Instruction, Value, references
from ..core.layouts import constant_size, float_segments, layout_of, pointer_segments, stride
from ..emit import mixed_memory as mixed
from ..emit.frame import SHADOW_METADATA, kept_metadata
from ..globals import external_memory as outside
from . import releases

if TYPE_CHECKING:
    from ..emit.cloning import Cloning
    from .primal_sweep import ForwardSweep
    from .reverse_values import ReverseValues

#: the numbers of kinds in the runtime's tables
_SUFFIXES = ("f64", "f32", "f80")


def clear(b: Builder, pointer: Value, size: Value) -> None:
    """Zeroes size (i64) bytes."""
    b.call("@llvm.memset.p0.i64", VOID, (pointer, int_constant(0, I8), size, int_constant(0, I1)))


# -- loads and stores


def adjoint_of_load(sweep: ReverseValues, i: Instruction) -> None:
    _add_to_shadow(sweep, i, i.operands[0], sweep.take(i))


def _add_to_shadow(sweep: ReverseValues, i: Instruction, pointer: Value, adjoint: Value) -> None:
    shadow = _guarded(sweep, pointer, sweep.shadow(pointer))
    is_mixed = sweep.session.types.is_mixed(pointer, store_size(adjoint.type))
    for indices, leaf, offset in float_leaves(adjoint.type):
        part = sweep.b.extract_value(adjoint, *indices) if indices else adjoint
        place = sweep.b.offset(shadow, offset)
        align = _align(i, offset)
        old = sweep.b.load(leaf, place, align)
        old.metadata = _shadow_metadata(sweep, i)
        total = sweep.b.fadd(old, part)
        if is_mixed and isinstance(leaf, FloatType):  # LLVM may load early what turns out to be a pointer
            total = sweep.b.select(sweep.b.fcmp("oeq", part, zero(leaf)), old, total)
        store = sweep.b.store(total, place, align)
        store.metadata = _shadow_metadata(sweep, i)


def adjoint_of_store(sweep: ReverseValues, i: Instruction) -> None:
    value, pointer = i.operands
    type_ = sweep.activity.carriers.stored_type(i)
    if type_ is None:
        mixed.clear_after(sweep, i)
        return
    _refuse_write(sweep, i, pointer, value)
    sweep.add(value, _take_shadow(sweep, i, pointer, type_))


def _refuse_write(sweep: ReverseValues, i: Instruction, pointer: Value, value: Value) -> None:
    if value in sweep.activity.varied:
        outside.refuse_write(sweep.session, sweep.b, i, is_constant_memory(sweep, pointer))


def _refuse_copy(sweep: ReverseValues, i: Instruction) -> None:
    target, source = sweep.activity.copy_operands(i)
    if sweep.activity.shadowed(source):
        same, of_source = is_constant_memory(sweep, target), is_constant_memory(sweep, source)
        outside.refuse_copy(sweep.session, sweep.b, i, same, of_source, _bytes(sweep, size_operand(sweep, i)))


def _take_shadow(sweep: ReverseValues, i: Instruction, pointer: Value, type_: Type) -> Value:
    """What the shadow holds; it is zero after."""
    shadow = _guarded(sweep, pointer, sweep.shadow(pointer))
    taken: Value = zero(type_)
    for indices, leaf, offset in float_leaves(type_):
        place, align = sweep.b.offset(shadow, offset), _align(i, offset)
        old = sweep.b.load(leaf, place, align)
        old.metadata = _shadow_metadata(sweep, i)
        sweep.b.store(zero(leaf), place, align).metadata = _shadow_metadata(sweep, i)
        taken = sweep.b.insert_value(taken, old, *indices) if indices else old
    return taken


def _shadow_metadata(sweep: ReverseValues, i: Instruction) -> tuple[tuple[str, str], ...]:
    """Of an access to adjoint memory where the primal accesses its own."""
    return sweep.session.scopes.of("shadow", kept_metadata(i, SHADOW_METADATA))


def _align(i: Instruction, offset: int) -> int | None:
    align = i.memory.align
    if align is None or offset == 0:
        return align
    return min(align, offset & -offset)


def take_memory(sweep: ReverseValues, i: Instruction, pointer: Value, type_: Type) -> Value:
    """The adjoint of a number that a library function stored at the pointer; zero after."""
    outside.refuse_write(sweep.session, sweep.b, i, is_constant_memory(sweep, pointer))
    shadow = _guarded(sweep, pointer, sweep.shadow(pointer))
    old = sweep.b.load(type_, shadow)
    sweep.b.store(zero(type_), shadow)
    return old


def _guarded(sweep: ReverseValues, pointer: Value, shadow: Value) -> Value:
    """With runtime activity: a scratch place where the shadow is the primal itself, which marks constant memory."""
    same = is_constant_memory(sweep, pointer)
    return shadow if same is None else sweep.b.select(same, sweep.scratch(), shadow)


def is_constant_memory(sweep: ReverseValues, pointer: Value) -> Value | None:
    """With runtime activity: whether the pointer's shadow is the pointer itself; None where it surely is not."""
    if not sweep.session.options.runtime_activity or sweep.activity.has_own_shadow(pointer):
        return None
    return sweep.b.icmp("eq", sweep.shadow(pointer), sweep.primal(pointer))


def adjoint_of_atomicrmw(sweep: ReverseValues, i: Instruction) -> None:
    """The new number is old ± value, or the value alone; the result is the old one."""
    pointer, value = i.operands
    if i.memory.operation not in _ATOMIC:
        raise sweep.analysed.refusal(i, f"{i.memory.operation} of a number that carries a derivative is atomic")
    type_ = sweep.activity.carriers.stored_type(i)
    assert type_ is not None
    _refuse_write(sweep, i, pointer, value)
    new = _take_shadow(sweep, i, pointer, type_)
    sweep.add(value, sweep.b.fneg(new) if i.memory.operation == "fsub" else new)
    old = sweep.converted(i, sweep.take(i), type_) if sweep.is_active(i) else zero(type_)
    _add_to_shadow(sweep, i, pointer, old if i.memory.operation == "xchg" else sweep.b.fadd(new, old))


#: operations with a linear adjoint
_ATOMIC = frozenset(["fadd", "fsub", "xchg"])


# -- copies and fills


def _needs_no_type(sweep: ForwardSweep | ReverseValues, target: Value, source: Value | None) -> bool:
    """Whether constant bytes come into memory that nobody outside this call sees.

    Then its shadow is cleared in both sweeps, whatever it holds: a number's adjoint ends here, and a pointer's shadow
    is not asked for any more in the reverse sweep, which has gone past all that came after.
    """
    if not sweep.analysed.facts.is_private(target):
        return False
    if source is None:
        return True
    if not isinstance(source, GlobalRef):
        return False
    variable = sweep.session.source.globals.get(source.name)
    if variable is None or not variable.constant or variable.initializer is None:
        return False
    return not any(True for _ in references(variable.initializer))


def size_operand(sweep: Cloning | ReverseValues, i: Instruction) -> Value:
    """The operand that says how many bytes a copy or fill is about."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    return i.arguments[known.length]


def copy_shadow_pointers(sweep: ForwardSweep, i: Instruction) -> None:
    """The forward half of a copy: pointers in the shadow of the source go to the shadow of the target."""
    target, source = sweep.activity.copy_operands(i)
    if not sweep.activity.shadowed(target):
        return
    b, length = sweep.b, size_operand(sweep, i)
    size = b_size(sweep, length)
    if _needs_no_type(sweep, target, source):
        clear(b, sweep.shadow_of(target), size)
        return
    if mixed.is_mixed(sweep, [target, source], length):
        to, origin = sweep.shadow_of(target), sweep.shadow_of(source)
        mixed.copy_shadow(sweep, i, [target, source], to, origin, size, _constants(sweep, source, size))
        return
    layout = layout_of(sweep, i, [target, source], length)
    if mixed.is_mixed_target(sweep, target, length):
        mixed.clear_before(sweep, target, size)
    same = sweep.is_constant_memory(target)
    if same is not None:  # which may overlap with the source: it is copied once
        size = b.select(same, int_constant(0), size)
    for segment in pointer_segments(layout):
        arguments = (sweep.shadow_of(target), sweep.shadow_of(source), size, *stride(layout, segment, size))
        b.call("@__ez_copy", VOID, arguments)


def _constants(sweep: ForwardSweep, source: Value, size: Value) -> Value:
    """How many of the bytes are constants: all, or none, of what is copied out of constant memory."""
    if not isinstance(source, Constant) and not sweep.activity.shadowed(source):
        return size
    same = sweep.is_constant_memory(source)
    return int_constant(0) if same is None else sweep.b.select(same, size, int_constant(0))


def b_size(sweep: Cloning, size: Value) -> Value:
    return sweep.b.resize_int(sweep.of(size), I64)


def adjoint_of_copy(sweep: ReverseValues, i: Instruction) -> None:
    target, source = sweep.activity.copy_operands(i)
    length = size_operand(sweep, i)
    if _needs_no_type(sweep, target, source):
        clear(sweep.b, sweep.shadow(target), _bytes(sweep, length))
        return
    if mixed.is_mixed(sweep, [target, source], length):
        origin = _origin(sweep, source)
        kinds = sweep.session.types.words([target, source], constant_size(length))
        _refuse_copy(sweep, i)
        mixed.adjoint_of_copy(sweep, i, kinds, sweep.shadow(target), origin, _bytes_there(sweep, target, length))
        return
    layout = layout_of(sweep, i, [target, source], length)
    if any(True for _ in float_segments(layout)):
        _refuse_copy(sweep, i)
        size = _bytes_there(sweep, target, length)
        _copy_adjoint(sweep, layout, sweep.shadow(target), _origin(sweep, source), size)
    if mixed.is_mixed_target(sweep, target, length):
        clear(sweep.b, sweep.shadow(target), _bytes_there(sweep, target, length))


def _bytes(sweep: ReverseValues, length: Value) -> Value:
    return sweep.b.resize_int(sweep.primal(length), I64)


def _bytes_there(sweep: ReverseValues, target: Value, length: Value) -> Value:
    """How many bytes of a shadow are written where so many are in the memory: none where that is constant."""
    same, size = is_constant_memory(sweep, target), _bytes(sweep, length)
    return size if same is None else sweep.b.select(same, int_constant(0), size)


def _origin(sweep: ReverseValues, pointer: Value) -> Value:
    """The shadow of what is copied from; null where that is constant memory."""
    if not sweep.activity.shadowed(pointer):
        return zero(PTR)
    same, shadow = is_constant_memory(sweep, pointer), sweep.shadow(pointer)
    return shadow if same is None else sweep.b.select(same, zero(PTR), shadow)


def _copy_adjoint(sweep: ReverseValues, layout: Layout, target: Value, origin: Value, size: Value) -> None:
    """Adds the numbers in the shadow of the target to those of the origin, and leaves zero."""
    segments = list(float_segments(layout))
    if len(segments) == 1:
        suffix, segment = segments[0]
        arguments = (target, origin, size, *stride(layout, segment, size))
        sweep.b.call(f"@__ez_copy_adjoint_{suffix}", VOID, arguments)
        return
    period = size if layout.period is None else int_constant(layout.period)
    numbers = [n for suffix, s in segments for n in (s.offset, s.length, _SUFFIXES.index(suffix))]
    table = sweep.session.table(numbers)
    sweep.b.call("@__ez_copy_adjoint", VOID, (target, origin, size, period, table, int_constant(len(segments))))


def fill_shadow_pointers(sweep: ForwardSweep, i: Instruction) -> None:
    """The forward half of a fill: pointers in the shadow become the same bytes (null, as a rule)."""
    target = i.arguments[0]
    if not sweep.activity.shadowed(target):
        return
    size = b_size(sweep, size_operand(sweep, i))
    if _needs_no_type(sweep, target, None):
        clear(sweep.b, sweep.shadow_of(target), size)
        return
    if mixed.is_mixed(sweep, [target], size_operand(sweep, i)):
        clear(sweep.b, sweep.shadow_of(target), size)
        return
    layout = layout_of(sweep, i, [target], size_operand(sweep, i))
    for segment in pointer_segments(layout):
        arguments = (sweep.shadow_of(target), size, *stride(layout, segment, size))
        sweep.b.call("@__ez_clear", VOID, arguments)


def adjoint_of_fill(sweep: ReverseValues, i: Instruction) -> None:
    target, length = i.arguments[0], size_operand(sweep, i)
    if _needs_no_type(sweep, target, None) or mixed.is_mixed(sweep, [target], length):
        clear(sweep.b, sweep.shadow(target), _bytes(sweep, length))
        return
    layout = layout_of(sweep, i, [target], length)
    size: Value | None = None
    for _, segment in float_segments(layout):
        size = size or _bytes_there(sweep, target, length)
        sweep.b.call("@__ez_clear", VOID, (sweep.shadow(target), size, *stride(layout, segment, size)))


# -- allocation


def allocate_shadow(sweep: ForwardSweep, i: Instruction) -> None:
    """A second allocation like the first, zeroed."""
    callee = sweep.activity.callees.of(i)
    shadow = sweep.clone(i, [sweep.of(o) for o in i.operands])
    sweep.shadow[i] = shadow
    if not _is_zeroed(callee) and callee.known is not None and callee.known.copies is None:
        clear(sweep.b, shadow, allocated_size(sweep, i))


def adjoint_of_allocation(sweep: ReverseValues, i: Instruction) -> None:
    """What is left in the shadow of memory that began as zero, or as nothing, goes nowhere."""
    size = _size_in_reverse(sweep, i)
    layout = sweep.session.types.layout(i, size.value if isinstance(size, ConstantInt) else None)
    if layout is None:
        return
    for _, segment in float_segments(layout):
        sweep.b.call("@__ez_clear", VOID, (sweep.shadow(i), size, *stride(layout, segment, size)))


def _size_in_reverse(sweep: ReverseValues, i: Instruction) -> Value:
    """Bytes of an alloca or an allocation call."""
    b, known = sweep.b, sweep.activity.callees.of(i).known if i.opcode == "call" else None
    if known is None:
        assert i.memory.accessed is not None
        size: Value = int_constant(alloc_size(i.memory.accessed))
        counts = i.operands
    else:
        size, counts = int_constant(1), [i.arguments[k] for k in known.size_operands]
    for count in counts:
        size = b.mul(size, b.resize_int(sweep.primal(count), I64))
    return size


def _is_zeroed(callee: Callee) -> bool:
    return callee.known is not None and callee.known.zeroed


def allocated_size(sweep: Cloning, i: Instruction) -> Value:
    """How many bytes an allocating call makes."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    return _product(sweep, [i.arguments[k] for k in known.size_operands])


def _product(sweep: Cloning, factors: list[Value]) -> Value:
    size: Value = int_constant(1)
    for factor in factors:
        size = sweep.b.mul(size, b_size(sweep, factor))
    return size


def defer_free(sweep: ForwardSweep, i: Instruction) -> None:
    """Memory lives on until the reverse sweep is done; then it and its shadow are freed by the primal's function."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    pointer = i.arguments[known.pointer]
    if releases.is_registered(sweep.session, i):
        releases.defer(sweep, i, known.pointer)
        return
    release = sweep.session.free_function(sweep.activity.callees.of(i))
    if known.release_operand is not None:
        release = sweep.of(i.arguments[known.release_operand])
    if known.shadow_only:
        sweep.clone_plain(i)
    else:
        sweep.b.call("@__ez_defer_free", VOID, (sweep.frame.arena, sweep.of(pointer), release))
    for _ in sweep.lanes() if sweep.activity.shadowed(pointer) else ():
        sweep.b.call("@__ez_defer_free", VOID, (sweep.frame.arena, sweep.own_shadow(pointer), release))


def reallocate(sweep: ForwardSweep, i: Instruction) -> None:
    """realloc becomes a new allocation and a copy; the old memory is freed when the reverse sweep is done."""
    b, arena = sweep.b, sweep.frame.arena
    known, old = sweep.activity.callees.of(i).known, sweep.activity.moved_from(i)
    assert known is not None
    size = _product(sweep, [i.arguments[k] for k in known.size_operands])
    moved = b.call("@__ez_smaller", I64, (sweep.of(old), size))
    sweep.save(Need("size", i), lambda: moved)
    for _ in sweep.lanes() if i in sweep.activity.objects else ():
        shadow_old = sweep.shadow_of(old)
        new_shadow = sweep.shadow[i] = b.call("@__ez_zeroed", PTR, (size,))
        _move_shadow(sweep, i, new_shadow, shadow_old, moved)
        own = sweep.own_shadow(old) if sweep.activity.shadowed(old) else zero(PTR)
        b.call("@__ez_defer_free", VOID, (arena, own, sweep.session.plain_free()))
    sweep.primal[i] = b.call("@__ez_reallocate", PTR, (arena, sweep.of(old), size))


def _move_shadow(sweep: ForwardSweep, i: Instruction, new: Value, old: Value, size: Value) -> None:
    """Pointers in the shadow of reallocated memory."""
    pointers = [i, sweep.activity.moved_from(i)]
    if mixed.is_mixed(sweep, pointers, None):
        mixed.copy_shadow(sweep, i, pointers, new, old, size, _constants(sweep, pointers[1], size))
        return
    layout = layout_of(sweep, i, pointers, None)
    for segment in pointer_segments(layout):
        sweep.b.call("@__ez_copy", VOID, (new, old, size, *stride(layout, segment, size)))


def adjoint_of_reallocation(sweep: ReverseValues, i: Instruction) -> None:
    old = sweep.activity.moved_from(i)
    if not sweep.activity.shadowed(old):
        return
    moved = sweep.need(Need("size", i))
    if mixed.is_mixed(sweep, [i, old], None):
        kinds = sweep.session.types.words([i, old], None)
        mixed.adjoint_of_copy(sweep, i, kinds, sweep.shadow(i), _origin(sweep, old), moved)
        return
    layout = layout_of(sweep, i, [i, old], None)
    if any(True for _ in float_segments(layout)):
        _copy_adjoint(sweep, layout, sweep.shadow(i), _origin(sweep, old), moved)
