"""The functions between lowered and native code: they catch from it, throw to it, and call by address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.folding import zero
from ...ir.module import Module
from ...ir.types import I32, I64, PTR, VOID, FunctionType, StructType
from ...ir.values import Argument, CallInfo, Function, Instruction, LandingPad, Value
from ...rules import runtime_functions as runtime
from ...rules.library_functions import CATCHING, POINTER
from ...rules.runtime_functions import RuntimeFunction
from ..normalise.indirect_calls import compare, pass_on
from . import abi
from .names import ENTRY, RETHROW

_PERSONALITY = "@__gxx_personality_v0"
_PERSONAL = f"personality ptr {_PERSONALITY}"
_HEADER = StructType((PTR, I32))
_UNWINDING = StructType((PTR, PTR, I64))  # as in toolchain/stand_ins/unwinding.c
_RETHROW_EXCEPTION = "@_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"


def new_function(
    module: Module, name: str, type_: FunctionType, attributes: Iterable[str] = (), suffix: str = ""
) -> Function:
    """Adds an internal function without blocks to the module. `attributes` are those of its parameters."""
    texts = [*attributes, *[""] * len(type_.params)]
    arguments = [Argument(t, "", texts[k], k) for k, t in enumerate(type_.params)]
    return module.add_function(Function(module.fresh_name(name), type_, arguments, "internal", suffix))


def around_native(module: Module, call: Instruction, name: str) -> Function:
    """Adds a function that calls a native one, as the given call does, and catches and keeps what that throws.

    It returns zero then. If the native function takes variable arguments, the new one has those of the given call.
    """
    result = call.type
    attributes = tuple(map(abi.without_untrue, call.call.argument_attributes))
    type_ = FunctionType(result, tuple(a.type for a in call.arguments))
    f = new_function(module, f"@{CATCHING}{plain_name(name)}", type_, attributes, f"noinline {_PERSONAL}")
    _catch(module, f, GlobalRef.of(name), f.arguments, CallInfo(call.call.function_type, attributes))
    return f


def around_pointer(module: Module, type_: FunctionType, attributes: tuple[str, ...]) -> Function:
    """Adds a function (pointer, arguments…) as `around_native` does, which calls the pointer."""
    whole = FunctionType(type_.result, (PTR, *type_.params))
    f = new_function(module, f"@{CATCHING}{POINTER}", whole, ("", *attributes), f"noinline {_PERSONAL}")
    _catch(module, f, f.arguments[0], f.arguments[1:], CallInfo(type_, attributes))
    return f


def _catch(module: Module, f: Function, callee: Value, arguments: Sequence[Value], info: CallInfo) -> None:
    """Emits the body of a function that calls another one, and keeps what that throws."""
    _declare_personality(module)
    result = f.type.result
    entry, normal, pad = f.add_block(), f.add_block(), f.add_block()
    value = entry.append(Instruction("invoke", result, [*arguments, normal, pad, callee], info))
    Builder(normal).ret(None if result == VOID else value)
    header = pad.append(Instruction("landingpad", _HEADER, [zero(PTR)], LandingPad(("catch",), False)))
    b = Builder(pad)
    b.call(_declared(module, runtime.UNWIND_KEEP), VOID, [b.extract_value(header, 0)])
    b.ret(None if result == VOID else zero(result))


def entry_of(module: Module, original: Function, lowered: Function, attributes: str) -> Function:
    """Adds the function that a request names: it keeps an exception that leaves the lowered one."""
    own = [a.attributes for a in lowered.arguments[:-1]]
    f = new_function(module, plain_name(original.name) + ENTRY, original.type, own, attributes)
    block = f.add_block()
    b = Builder(block)
    unwinding = b.alloca(_UNWINDING, align=8)
    b.store(zero(_UNWINDING), unwinding)
    result = pass_on(block, lowered.ref, lowered.type, [*f.arguments, unwinding], (*own, ""))
    b.call(_declared(module, runtime.UNWIND_LEAVE), VOID, [unwinding])
    b.ret(result)
    return f


def dispatching(
    module: Module,
    type_: FunctionType,
    attributes: tuple[str, ...],
    copies: Mapping[str, Function | None],
    others_throw: bool,
) -> Function:
    """Adds a function (pointer, arguments…, unwinding) that calls the lowered copy of the function that the pointer is.

    A function without a copy (None) is called itself. So are functions that `copies` does not have, and with
    `others_throw`, what these throw is caught. `attributes` are those of the arguments of a call.
    """
    f = new_function(module, "@__ez_unwind_dispatch", FunctionType(type_.result, (PTR, *type_.params, PTR)))
    pointer, *rest, unwinding = f.arguments
    for name, block in compare(f, pointer, copies):
        copy = None if name is None else copies[name]
        if copy is not None:
            result = pass_on(block, copy.ref, copy.type, f.arguments[1:], (*attributes, ""))
        elif name is not None or not others_throw:
            result = pass_on(block, pointer if name is None else GlobalRef.of(name), type_, rest, attributes)
        else:
            around = around_pointer(module, type_, attributes)
            result = pass_on(block, around.ref, around.type, f.arguments[:-1], ("", *attributes))
            Builder(block).call(_declared(module, runtime.UNWIND_ADOPT), VOID, [unwinding])
        Builder(block).ret(result)
    return f


def destroying(module: Module, destructors: Mapping[str, Function | None]) -> None:
    """Adds the function (destructor, object, unwinding) that destroys a thrown object.

    The runtime's helpers call it, so it is visible until they are linked.
    """
    f = Function("@__ez_unwind_destroy", FunctionType(VOID, (PTR, PTR, PTR)), [])
    f.arguments = [Argument(PTR, "", "", k) for k in range(3)]
    module.add_function(f)
    destructor, thrown, unwinding = f.arguments
    for name, block in compare(f, destructor, destructors):
        if name is not None:
            copy = destructors[name]
            given = [thrown] if copy is None else [thrown, unwinding]
            callee = GlobalRef.of(name) if copy is None else copy.ref
            pass_on(block, callee, FunctionType(VOID, (PTR,) * len(given)), given, ("",) * len(given))
        Builder(block).ret()


_CALLED_WHEN_ESCAPED = (
    runtime.UNWIND_ESCAPED,
    runtime.UNWIND_ESCAPED_TYPE,
    runtime.UNWIND_ESCAPED_DESTRUCTOR,
    runtime.UNWIND_RELEASE,
)
_RETHROW_ESCAPED = f"""define hidden void {RETHROW}() noinline {_PERSONAL} {{
  %object = call ptr {runtime.UNWIND_ESCAPED.symbol}()
  %none = icmp eq ptr %object, null
  br i1 %none, label %back, label %some

some:
  %type = call ptr {runtime.UNWIND_ESCAPED_TYPE.symbol}()
  %destroy = call ptr {runtime.UNWIND_ESCAPED_DESTRUCTOR.symbol}()
  %is_native = icmp eq ptr %destroy, {runtime.UNWIND_RELEASE.symbol}
  br i1 %is_native, label %native, label %own

own:
  call void @__cxa_throw(ptr %object, ptr %type, ptr %destroy)
  unreachable

native:
  %pointer = alloca ptr, align 8
  store ptr %object, ptr %pointer, align 8
  invoke void {_RETHROW_EXCEPTION}(ptr %pointer) to label %never unwind label %release

never:
  unreachable

release:
  %header = landingpad {{ ptr, i32 }}
          cleanup
  call void {runtime.UNWIND_RELEASE.symbol}(ptr %object)
  resume {{ ptr, i32 }} %header

back:
  ret void
}}"""


def rethrow_escaped(module: Module) -> Function:
    """Returns the function that is called behind each request, and throws what left the derivative.

    Derivatives may call it too, so LLVM must not change its signature. It becomes internal in the end.
    """
    if RETHROW not in module.functions:
        _declare_personality(module)
        for callee in _CALLED_WHEN_ESCAPED:
            _declared(module, callee)
        module.declare("@__cxa_throw", FunctionType(VOID, (PTR, PTR, PTR)))
        module.declare(_RETHROW_EXCEPTION, FunctionType(VOID, (PTR,)))
        module.functions.add_text(RETHROW, _RETHROW_ESCAPED)
    return module.functions[RETHROW]


def rethrow_behind(module: Module, request: Instruction) -> None:
    """Emits the call behind the request that throws what has left the derivative."""
    block, info = request.block, CallInfo(FunctionType(VOID, ()), ())
    assert block is not None and block.function is not None
    callee = rethrow_escaped(module).ref
    metadata = tuple(pair for pair in request.metadata if pair[0] == "!dbg")
    if request.opcode == "call":
        Builder.after(request).insert(Instruction("call", VOID, [callee], info))
        return
    normal, pad = request.successors
    between = block.function.add_block()
    for phi in normal.phis:
        phi.replace_operand(block, between)
    for phi in pad.phis:
        value = next(value for value, source in phi.incoming if source is block)
        phi.append_operand(value)
        phi.append_operand(between)
    request.set_operand(len(request.operands) - 3, between)
    between.append(Instruction("invoke", VOID, [normal, pad, callee], info, metadata=metadata))


def mention_virtual(module: Module) -> None:
    """Takes the addresses of the library's virtual functions that handlers call."""
    for name in abi.VIRTUAL:
        module.declare(name, FunctionType(PTR, (PTR,)), "nounwind")
    values = ", ".join(f"ptr {name}" for name in abi.VIRTUAL)
    module.add_global(f"@__ez_unwind_virtual = hidden constant [{len(abi.VIRTUAL)} x ptr] [{values}]")


def _declare_personality(module: Module) -> None:
    module.declare(_PERSONALITY, FunctionType(I32, (), True))


def _declared(module: Module, function: RuntimeFunction) -> GlobalRef:
    return module.declare(function.symbol, function.type, "nounwind").ref
