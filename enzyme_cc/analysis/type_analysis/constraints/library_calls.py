"""What calls of library functions say: allocation, copies, callbacks, math functions, type hints, unknown functions."""

from __future__ import annotations

import re

from ....ir.constants import ConstantInt, GlobalRef, InlineAsm
from ....ir.target import architecture_of
from ....ir.types import FloatType, PointerType
from ....ir.values import Instruction, Value
from ....rules.control_functions import Callback, callback
from ....rules.knowledge import CalleeKind, Known
from ....rules.library_functions import known
from ....rules.table import lookup
from ...callees import plain_name, strip_casts
from ..declared.hints import Hint
from ..graph.graph_nodes import Handle, Node
from ..kinds import POINTER_TAG, Kind, Tag, scalar_tag
from .program import NO_CONSTANTS, Instance, Program

#: the user's hints: `__enzyme_double(p, bytes)`
_USER_HINTS = {
    "__enzyme_double": Tag(Kind.DOUBLE, 8),
    "__enzyme_float": Tag(Kind.FLOAT, 4),
    "__enzyme_integer": Tag(Kind.INTEGER, 1),
    "__enzyme_pointer": POINTER_TAG,
}


_NO_INSTRUCTION = re.compile(r'asm (?:\w+ )*"\s*(?:#[^"]*)?"')


def library_call(p: Program, instance: Instance, i: Instruction, name: str) -> None:
    """Enters what a call of a function without an analysed body says."""
    hint = next((tag for prefix, tag in _USER_HINTS.items() if name.startswith(prefix)), None)
    row = known(name)
    if hint is not None:
        _user_hint(p, instance, i, hint)
    elif (calls_back := callback(name)) is not None:
        _callback(p, instance, i, calls_back)
    elif row is not None:
        _KNOWN.get(row.kind, _inactive)(p, instance, i, row)
    elif lookup(name) is not None:
        _math(p, instance, i, name)
    else:
        _unknown(p, instance, i)
    _fill_result(p, instance, i, name)


def _fill_result(p: Program, instance: Instance, i: Instruction, name: str) -> None:
    if isinstance(i.type, PointerType) and (i not in instance.values or i in instance.pending):
        p.define(instance, i, Handle(p.unknown(f"the result of {name}")))


def _size(i: Instruction, operands: tuple[int, ...]) -> int | None:
    size = 1
    for k in operands:
        operand = i.arguments[k]
        if not isinstance(operand, ConstantInt):
            return None
        size *= operand.value
    return size


def _allocate(p: Program, instance: Instance, i: Instruction, row: Known) -> None:
    node = Node("a heap block")
    if row.copies is not None:
        p.graph.access(Handle(node, 0, 1), Tag(Kind.INTEGER, 1))
    if row.through is None:
        p.define(instance, i, Handle(node))
        return
    place = p.handle(instance, i.arguments[row.through])
    if place is not None:
        p.graph.points(p.graph.pointee(place, POINTER_TAG), Handle(node))


def _reallocate(p: Program, instance: Instance, i: Instruction, row: Known) -> None:
    view = Node()
    p.graph.points(view, Handle(Node("a heap block")))
    p.graph.points(view, p.handle(instance, i.arguments[row.pointer]))
    p.define(instance, i, Handle(view))


def _copy(p: Program, instance: Instance, i: Instruction, row: Known) -> None:
    target, source = (p.handle(instance, i.arguments[k]) for k in (row.target, row.source))
    size = _size(i, (row.length,))
    if target is not None and source is not None and size != 0:
        p.graph.copies(target, source, size)
        reference = i.metadata_node("!tbaa.struct")
        declared = p.hints.copy(reference, p.module.metadata.get(reference, "")) if reference is not None else None
        if declared is not None:
            p.graph.access(target, Hint(declared.regions, None, size))
    if row.result is not None and isinstance(i.type, PointerType):
        p.define(instance, i, p.handle(instance, i.arguments[row.result]))


def _inactive(p: Program, instance: Instance, i: Instruction, row: Known) -> None:
    if row.result is not None and isinstance(i.type, PointerType):
        base = p.handle(instance, i.arguments[row.result])
        down = _distance_down(i)
        p.define(instance, i, p.moved(base, 0, 1) if down is None else p.moved(base, -down, 0))
    if plain_name(getattr(i.callee, "name", "")).startswith("llvm.va_start"):
        _va_start(p, instance, i)
    elif plain_name(getattr(i.callee, "name", "")).startswith("llvm.va_copy"):
        _copy(p, instance, i, Known(CalleeKind.COPY)) if len(i.arguments) > 2 else _va_copy(p, instance, i)


def _distance_down(i: Instruction) -> int | None:
    """Returns how far before its base dynamic_cast finds the object, if the compiler knows (Itanium C++ ABI 2.9.7)."""
    if plain_name(getattr(i.callee, "name", "")) != "__dynamic_cast":
        return None
    hint = i.arguments[3]
    return hint.value if isinstance(hint, ConstantInt) and 0 <= hint.value < 1 << 31 else None


def _va_start(p: Program, instance: Instance, i: Instruction) -> None:
    """Enters the pointers of a va_list: to arguments in memory, and to saved registers."""
    handle = p.handle(instance, i.arguments[0])
    if handle is None:
        return
    for offset in architecture_of(p.module.head).variable_arguments.pointers:
        view = p.graph.pointee(handle._replace(offset=handle.offset + offset), POINTER_TAG)
        p.graph.points(view, Handle(instance.varargs, 0, 8))


def _va_copy(p: Program, instance: Instance, i: Instruction) -> None:
    target, source = (p.handle(instance, a) for a in i.arguments[:2])
    if target is not None and source is not None:
        p.graph.copies(target, source, architecture_of(p.module.head).variable_arguments.size)


def _math(p: Program, instance: Instance, i: Instruction, name: str) -> None:
    """Enters what a math function stores: numbers (sincos, modf) or integers (frexp, remquo, lgamma_r)."""
    rule = lookup(name)
    assert rule is not None
    number = next((scalar_tag(t) for t in i.call.function_type.params if isinstance(t, FloatType)), None)
    for k, argument in enumerate(i.arguments):
        handle = p.handle(instance, argument) if isinstance(argument.type, PointerType) else None
        if handle is not None:
            tag = number if k in rule.outputs else Tag(Kind.INTEGER, 4)
            if tag is not None:
                p.graph.access(handle, tag)


def _callback(p: Program, instance: Instance, i: Instruction, row: Callback) -> None:
    """Binds a callback that is given elements of an array, and other operands."""
    element = p.moved(p.handle(instance, i.arguments[row.array]), 0, _size(i, (row.size,)) or 1)
    target = strip_casts(i.arguments[row.operand], p.module)
    function = p.functions.get(target.name) if isinstance(target, GlobalRef) else None
    if function is None:
        _unknown(p, instance, i)
        return
    callee, own = p.instance_for_call(function, instance, NO_CONSTANTS, alone=True)
    for parameter, base in zip(function.arguments, row.bases, strict=False):
        handle = element if base == row.array else p.handle(instance, i.arguments[base])
        if own:
            callee.values[parameter] = handle
        else:
            view = callee.values[parameter]
            assert view is not None
            p.graph.points(view.node, handle)
    if isinstance(i.type, PointerType):
        p.define(instance, i, element)


def _user_hint(p: Program, instance: Instance, i: Instruction, tag: Tag) -> None:
    handle = p.handle(instance, i.arguments[0])
    size = _size(i, (1,)) if len(i.arguments) > 1 else None
    if handle is None:
        return
    if size is None:
        p.graph.access(handle._replace(stride=tag.size), tag)
        return
    for at in range(0, min(size, 64 * tag.size), tag.size):
        p.graph.access(handle._replace(offset=handle.offset + at), tag)
    if size > 64 * tag.size:
        p.graph.access(handle._replace(stride=tag.size), tag)


def assembly(p: Program, instance: Instance, i: Instruction, text: InlineAsm) -> None:
    """Enters what inline assembly says. Text without instructions (a barrier against moving code) does nothing."""
    if not _NO_INSTRUCTION.match(text.text):
        _unknown(p, instance, i)
    _fill_result(p, instance, i, "inline assembly")


def _unknown(p: Program, instance: Instance, i: Instruction) -> None:
    """Enters that unknown code may do anything with the arguments."""
    for argument in i.arguments:
        if isinstance(argument.type, PointerType):
            handle = p.handle(instance, argument)
            if handle is not None:
                p.graph.mark_external(handle.node)
        elif not _is_number(argument) and p.needs_register(instance, argument):
            p.graph.mark_external(p.register(instance, argument))


def _is_number(value: Value) -> bool:
    return isinstance(value, ConstantInt) or isinstance(value.type, FloatType)


_KNOWN = {
    CalleeKind.ALLOCATE: _allocate,
    CalleeKind.REALLOCATE: _reallocate,
    CalleeKind.COPY: _copy,
}
