"""What calls say: calls of analysed functions, and calls through pointers. library_calls.py has the others."""

from __future__ import annotations

from ....ir.attributes import byval_type
from ....ir.constants import Constant, ConstantInt, GlobalRef, InlineAsm
from ....ir.types import FloatType, IntType, PointerType, is_aggregate, store_size
from ....ir.values import Function, Instruction, Value
from ....rules.library_functions import catches_pointer
from ...callees import plain_name, strip_casts
from ..graph.graph_nodes import Handle, Node
from ..graph.targets import Targets
from ..kinds import POINTER_TAG, integer_tag, scalar_tag
from .library_calls import assembly, library_call
from .program import IndirectCall, Instance, Program


def call(p: Program, instance: Instance, i: Instruction) -> None:
    """Enters what a call or invoke says."""
    target = strip_casts(i.callee, p.module)
    if isinstance(target, InlineAsm):
        assembly(p, instance, i, target)
        return
    if not isinstance(target, GlobalRef):
        if not p.is_dispatcher(instance.function):  # a dispatcher calls what it knows directly, the rest is unknown
            _through_pointer(p, instance, i, i.callee, i.arguments)
        return
    function = p.functions.get(target.name)
    if catches_pointer(plain_name(target.name)):
        return  # the same
    if function is None:
        library_call(p, instance, i, plain_name(target.name))
    elif p.is_dispatcher(function):
        _through_pointer(p, instance, i, i.arguments[0], i.arguments[1:], function)
    else:
        bind(p, instance, i, function, i.arguments)


# -- analysed functions


def bind(
    p: Program, instance: Instance, i: Instruction, function: Function, arguments: list[Value], alone: bool = True
) -> None:
    """Enters that the call reaches the function with these arguments. `alone`: it reaches few other functions."""
    known = ((a, instance.constants.get(v, v)) for a, v in zip(function.arguments, arguments, strict=False))
    constants: dict[Value, ConstantInt] = {a: v for a, v in known if isinstance(v, ConstantInt)}
    callee, own = p.instance_for_call(function, instance, constants, alone)
    for parameter, argument in zip(function.arguments, arguments, strict=False):
        if isinstance(parameter.type, PointerType) and isinstance(argument.type, PointerType):
            _bind_pointer(p, instance, callee, parameter, argument, own)
        elif p.is_word(callee, parameter):
            _bind_bytes(p, instance, callee, parameter, argument)
    for argument in arguments[len(function.arguments) :]:
        _bind_variable(p, instance, callee, argument)
    if isinstance(i.type, PointerType):
        view = _result_view(p, instance, i)
        p.graph.points(view, Handle(callee.result_view))
    elif p.is_word(instance, i) and p.needs_register(instance, i):
        _note_uses(p, instance, i)
        p.graph.same(p.register(instance, i), callee.result)


def _bind_pointer(
    p: Program, instance: Instance, callee: Instance, parameter: Value, argument: Value, own: bool
) -> None:
    # what a dispatcher's callers pass was bound directly: its own pointers say nothing
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
    if isinstance(parameter.type, IntType) and not callee.local.may_carry_bits(parameter):
        uses = callee.local.uses(parameter)
        if (uses.strong or uses.weak) and p.needs_register(instance, argument):
            tag = integer_tag(parameter.type, weak=not uses.strong)
            p.graph.access(Handle(p.register(instance, argument)), tag)
        return
    if isinstance(argument.type, IntType | FloatType) or is_aggregate(argument.type):
        if instance.local.is_number(argument):
            p.graph.access(Handle(p.register(callee, parameter)), integer_tag(argument.type))
        if parameter.type == argument.type and not isinstance(argument, Constant):
            p.graph.same(p.register(callee, parameter), p.register(instance, argument))
            return
        size = min(store_size(parameter.type), store_size(argument.type))
        p.graph.copies(Handle(p.register(callee, parameter)), Handle(p.register(instance, argument)), size)


def _bind_variable(p: Program, instance: Instance, callee: Instance, argument: Value) -> None:
    """Enters an argument after the named ones: it may be anywhere in the area that va_arg reads."""
    area = Handle(callee.varargs, 0, 8)
    tag = scalar_tag(argument.type)
    if tag is POINTER_TAG:
        p.graph.points(p.graph.pointee(area, POINTER_TAG), p.handle(instance, argument))
        p.graph.moves(area)  # integers lie between the pointers
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

#: calls through pointers that reach more functions than this have no instances of their own
_FEW = 4


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
    if call.is_unresolved and call.dispatcher is not None:
        return False  # it calls its candidates only, and all are found
    handle = p.handle(call.instance, call.pointer)
    names, is_complete = targets.of(handle.node) if handle is not None else (frozenset(), True)
    if not call.is_unresolved and (not is_complete or (last_resort and not names)):
        call.is_unresolved = True
        names |= p.candidates(call)
    if names <= call.found:
        return False
    new = sorted(n for n in names - call.found if n in p.functions and _fits(call, p.functions[n]))
    call.found |= names
    for name in new:
        bind(p, call.instance, call.instruction, p.functions[name], call.arguments, len(new) <= _FEW)
    return bool(new)


def _fits(call: IndirectCall, function: Function) -> bool:
    """Returns whether the function's type is that of the call."""
    if function.type.vararg or len(function.arguments) != len(call.arguments):
        return False
    pairs = zip(function.arguments, call.arguments, strict=True)
    return function.type.result == call.instruction.type and all(p.type == a.type for p, a in pairs)
