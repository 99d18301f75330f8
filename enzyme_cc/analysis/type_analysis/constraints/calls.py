"""What calls say: analysed functions, library functions that are known, calls through pointers, all others."""

from __future__ import annotations

from ....ir.types import FloatType, IntType, PointerType, is_aggregate, store_size
from ....ir.values import Constant, ConstantInt, Function, GlobalRef, Instruction, Value
from ....rules.control_functions import callback
from ....rules.knowledge import Known
from ....rules.library_functions import known
from ....rules.table import lookup
from ...callees import plain_name, strip_casts
from ..declared.hints import Hint
from ..graph.graph_nodes import Handle, Node
from ..graph.targets import Targets
from ..kinds import POINTER_TAG, Kind, Tag, integer_tag, scalar_tag
from .program import IndirectCall, Instance, Program, byval_type

#: the user's hints: `__enzyme_double(p, bytes)`
_USER_HINTS = {
    "__enzyme_double": Tag(Kind.DOUBLE, 8),
    "__enzyme_float": Tag(Kind.FLOAT, 4),
    "__enzyme_integer": Tag(Kind.INTEGER, 1),
    "__enzyme_pointer": POINTER_TAG,
}


def call(p: Program, instance: Instance, i: Instruction) -> None:
    """A call or invoke."""
    target = strip_casts(i.callee, p.module)
    if not isinstance(target, GlobalRef):
        if not p.is_dispatcher(instance.function):  # which has called what it knows, and goes on to what nobody knows
            _through_pointer(p, instance, i, i.callee, i.arguments)
        return
    function = p.functions.get(target.name)
    if function is None:
        _library(p, instance, i, plain_name(target.name))
    elif p.is_dispatcher(function):
        _through_pointer(p, instance, i, i.arguments[0], i.arguments[1:], function)
    else:
        bind(p, instance, i, function, i.arguments)


# -- analysed functions


def bind(p: Program, instance: Instance, i: Instruction, function: Function, arguments: list[Value]) -> None:
    """The call reaches the function with these arguments."""
    known = ((a, instance.constants.get(v, v)) for a, v in zip(function.arguments, arguments, strict=False))
    constants: dict[Value, ConstantInt] = {a: v for a, v in known if isinstance(v, ConstantInt)}
    callee, own = p.instance_for_call(function, instance, constants)
    for parameter, argument in zip(function.arguments, arguments, strict=False):
        if isinstance(parameter.type, PointerType) and isinstance(argument.type, PointerType):
            _bind_pointer(p, instance, callee, parameter, argument, own)
        elif isinstance(parameter.type, IntType) or is_aggregate(parameter.type):
            _bind_bytes(p, instance, callee, parameter, argument)
    for argument in arguments[len(function.arguments) :]:
        _bind_variable(p, instance, callee, argument)
    if isinstance(i.type, PointerType):
        view = _result_view(p, instance, i)
        p.graph.points(view, Handle(callee.result_view))
    elif (isinstance(i.type, IntType) or is_aggregate(i.type)) and p.needs_register(instance, i):
        _note_uses(p, instance, i)
        p.graph.same(p.register(instance, i), callee.result)


def _bind_pointer(
    p: Program, instance: Instance, callee: Instance, parameter: Value, argument: Value, own: bool
) -> None:
    # the dispatching function's own pointers stand for nothing: what its callers pass was bound directly
    handle = p.handle(instance, argument) if not p.is_dispatcher(instance.function) else None
    declared = byval_type(p.module, getattr(parameter, "attributes", ""))
    if declared is not None and "byval(" in getattr(parameter, "attributes", ""):
        copy = callee.values.setdefault(parameter, Handle(Node("an argument passed by value")))
        if handle is not None and copy is not None:
            p.graph.copies(copy, handle, store_size(declared))
    elif own:
        callee.values[parameter] = handle
    else:
        view = callee.values[parameter]
        assert view is not None
        p.graph.points(view.node, handle)


def _bind_bytes(p: Program, instance: Instance, callee: Instance, parameter: Value, argument: Value) -> None:
    if isinstance(parameter.type, IntType) and not callee.local.is_open(parameter):
        uses = callee.local.uses(parameter)
        if (uses.strong or uses.weak) and p.needs_register(instance, argument):
            tag = integer_tag(parameter.type, weak=not uses.strong)
            p.graph.access(Handle(p.register(instance, argument)), tag)
        return
    if isinstance(argument.type, IntType) or is_aggregate(argument.type):
        if instance.local.is_number(argument):
            p.graph.access(Handle(p.register(callee, parameter)), integer_tag(argument.type))
        if parameter.type == argument.type and not isinstance(argument, Constant):
            p.graph.same(p.register(callee, parameter), p.register(instance, argument))
            return
        size = min(store_size(parameter.type), store_size(argument.type))
        p.graph.copies(Handle(p.register(callee, parameter)), Handle(p.register(instance, argument)), size)


def _bind_variable(p: Program, instance: Instance, callee: Instance, argument: Value) -> None:
    """An argument past the named ones: anywhere in the area that va_arg reads."""
    area = Handle(callee.varargs, 0, 8)
    tag = scalar_tag(argument.type)
    if tag is POINTER_TAG:
        p.graph.points(p.graph.pointee(area, POINTER_TAG), p.handle(instance, argument))
    elif tag is not None:
        p.graph.access(area, tag)
    elif isinstance(argument.type, IntType):
        p.graph.access(area, integer_tag(argument.type, weak=True))


def _note_uses(p: Program, instance: Instance, i: Instruction) -> None:
    if isinstance(i.type, IntType):
        uses = instance.local.uses(i)
        if uses.strong or uses.weak:
            p.graph.access(Handle(p.register(instance, i)), integer_tag(i.type, weak=not uses.strong))


def _result_view(p: Program, instance: Instance, i: Instruction) -> Node:
    handle = instance.values.get(i)
    if handle is None or i in instance.pending:
        view = Node()
        p.define(instance, i, Handle(view))
        return view
    return handle.node.find()


# -- calls through pointers


def _through_pointer(
    p: Program,
    instance: Instance,
    i: Instruction,
    pointer: Value,
    arguments: list[Value],
    dispatcher: Function | None = None,
) -> None:
    if isinstance(i.type, PointerType):
        p.define(instance, i, Handle(Node()))
    p.indirect.append(IndirectCall(instance, i, pointer, arguments, dispatcher))


def resolve(p: Program, call: IndirectCall, targets: Targets, last_resort: bool) -> bool:
    """Binds the functions that the called pointer may be. Returns True if there were new ones.

    If the graph does not tell what the pointer is, all functions of fitting type whose address may be taken are bound.
    """
    handle = p.handle(call.instance, call.pointer)
    names, is_complete = targets.of(handle.node) if handle is not None else (frozenset(), True)
    if not is_complete or (last_resort and not names):
        names |= _candidates(p, call)
    new = sorted(n for n in names - call.found if n in p.functions and _fits(call, p.functions[n]))
    call.found |= names
    for name in new:
        bind(p, call.instance, call.instruction, p.functions[name], call.arguments)
    return bool(new)


def _candidates(p: Program, call: IndirectCall) -> set[str]:
    """Returns all functions that the call could reach as far as anybody knows."""
    if call.dispatcher is None:
        return p.address_taken()
    callees = (i.callee for i in call.dispatcher.instructions() if i.opcode == "call")
    return {callee.name for callee in callees if isinstance(callee, GlobalRef)}


def _fits(call: IndirectCall, function: Function) -> bool:
    """Returns whether the function's type is that of the call."""
    if function.type.vararg or len(function.arguments) != len(call.arguments):
        return False
    pairs = zip(function.arguments, call.arguments, strict=True)
    return function.type.result == call.instruction.type and all(p.type == a.type for p, a in pairs)


# -- library functions


def _library(p: Program, instance: Instance, i: Instruction, name: str) -> None:
    hint = next((tag for prefix, tag in _USER_HINTS.items() if name.startswith(prefix)), None)
    row = known(name)
    if hint is not None:
        _user_hint(p, instance, i, hint)
    elif (calls_back := callback(name)) is not None:
        _callback(p, instance, i, *calls_back)
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
        _copy(p, instance, i, Known("copy")) if len(i.arguments) > 2 else _va_copy(p, instance, i)


def _distance_down(i: Instruction) -> int | None:
    """How far before a base dynamic_cast finds the object, where the compiler knows (Itanium C++ ABI 2.9.7)."""
    if plain_name(getattr(i.callee, "name", "")) != "__dynamic_cast":
        return None
    hint = i.arguments[3]
    return hint.value if isinstance(hint, ConstantInt) and 0 <= hint.value < 1 << 31 else None


def _va_start(p: Program, instance: Instance, i: Instruction) -> None:
    """x86-64: {i32, i32, overflow area, register save area}."""
    handle = p.handle(instance, i.arguments[0])
    if handle is None:
        return
    for offset in (8, 16):
        view = p.graph.pointee(handle._replace(offset=handle.offset + offset), POINTER_TAG)
        p.graph.points(view, Handle(instance.varargs, 0, 8))


def _va_copy(p: Program, instance: Instance, i: Instruction) -> None:
    target, source = (p.handle(instance, a) for a in i.arguments[:2])
    if target is not None and source is not None:
        p.graph.copies(target, source, 24)


def _math(p: Program, instance: Instance, i: Instruction, name: str) -> None:
    """Numbers stored through pointers: sincos, modf; integers: frexp, remquo, lgamma_r."""
    rule = lookup(name)
    assert rule is not None
    number = next((scalar_tag(t) for t in i.call.function_type.params if isinstance(t, FloatType)), None)
    for k, argument in enumerate(i.arguments):
        handle = p.handle(instance, argument) if isinstance(argument.type, PointerType) else None
        if handle is not None:
            tag = number if k in rule.outputs else Tag(Kind.INTEGER, 4)
            if tag is not None:
                p.graph.access(handle, tag)


def _callback(p: Program, instance: Instance, i: Instruction, operand: int, bases: tuple[int, ...], size: int) -> None:
    """The callback is given pointers into the memory of operands."""
    stride = _size(i, (size,)) or 1
    target = strip_casts(i.arguments[operand], p.module)
    function = p.functions.get(target.name) if isinstance(target, GlobalRef) else None
    if function is None:
        _unknown(p, instance, i)
        return
    callee, own = p.instance_for_call(function, instance)
    for parameter, base in zip(function.arguments, bases, strict=False):
        handle = p.moved(p.handle(instance, i.arguments[base]), 0, stride)
        if own:
            callee.values[parameter] = handle
        else:
            view = callee.values[parameter]
            assert view is not None
            p.graph.points(view.node, handle)
    if isinstance(i.type, PointerType):
        p.define(instance, i, p.moved(p.handle(instance, i.arguments[bases[-1]]), 0, stride))


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


def _unknown(p: Program, instance: Instance, i: Instruction) -> None:
    """Code that nobody knows may do anything with what it is given."""
    for argument in i.arguments:
        if isinstance(argument.type, PointerType):
            handle = p.handle(instance, argument)
            if handle is not None:
                p.graph.mark_external(handle.node)
        elif p.needs_register(instance, argument) and not isinstance(argument, ConstantInt):
            p.graph.mark_external(p.register(instance, argument))


_KNOWN = {
    "allocate": _allocate,
    "reallocate": _reallocate,
    "copy": _copy,
}
