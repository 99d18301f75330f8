"""Lowers the body of one function: it returns where it throws, and looks for an exception behind calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from ...analysis.callees import strip_casts
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantInt, ConstantWord, GlobalRef
from ...ir.edit import drop_incoming, drop_unreachable, move_tail, tail
from ...ir.folding import int_constant, zero
from ...ir.instructions import FUNCTION_CALLS
from ...ir.module import Module
from ...ir.types import I32, PTR, VOID, FunctionType
from ...ir.values import Argument, Block, CallInfo, Function, Instruction, LandingPad, Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ...rules.runtime_functions import RuntimeFunction
from ..core.markers import request_kind
from . import abi

_WORD = 8
_TYPEID = "@llvm.eh.typeid.for"


class LoweredCallees(Protocol):
    """The functions that lowered calls call. `Lowering` makes each when it is first asked for."""

    module: Module

    def may_throw(self, call: Instruction) -> bool:
        """True if an exception may leave the call."""

    def lowered(self, name: str) -> Function | None:
        """Returns the lowered copy of a function, if it has one."""

    def entry(self, function: Constant) -> Function | None:
        """Returns a function of the same type that calls the lowered copy of a function, if it has one."""

    def dispatcher(self, call: Instruction) -> Function | None:
        """Returns a function that calls the lowered copy of a pointer's target; None if no candidate has one."""

    def around_native(self, call: Instruction, name: str) -> Function:
        """Returns a function that calls a native one, and catches and keeps what that throws."""

    def selector(self, type_info: Constant) -> int:
        """Returns the number of a type in this module's handlers."""

    def is_native(self, type_info: Value, destructor: Value) -> bool:
        """True for a class of the library, whose objects carry no derivatives."""

    def note_thrown(self, throw: Instruction) -> None:
        """Notes what destroys the exception: the end of a handler must know it."""

    def note_readopted(self, request: Instruction) -> None:
        """Notes that what leaves that request's derivative arrives in lowered code."""


@dataclass
class Body:
    """Lowers the body of `function`, a copy. It gets a last parameter: the address of the `struct unwinding`."""

    function: Function
    callees: LoweredCallees
    original: str
    unwinding: Argument = field(init=False)
    _leaving: Block | None = None

    def __post_init__(self) -> None:
        f = self.function
        self.unwinding = Argument(PTR, "unwinding", "noalias noundef nonnull", len(f.arguments))
        f.arguments.append(self.unwinding)
        f.type = with_unwinding(f.type)
        for argument in f.arguments:
            argument.attributes = abi.without_untrue(argument.attributes)

    def lower(self) -> None:
        f = self.function
        work = list(f.blocks)
        for block in work:
            for i in list(block.instructions):
                after = self._lower(i) if i.block is block else None
                if after is not None:
                    work.append(after)
                    break
        drop_unreachable(f)
        for i in [i for i in f.instructions() if i.opcode == "landingpad"]:
            self._lower_pad(i)

    # ---------------------------------------------------------------------------------------------------- instructions

    def _lower(self, i: Instruction) -> Block | None:
        """Lowers one instruction. Returns the block of what follows, if that was cut off."""
        if i.opcode == "resume":
            self._resume(i)
        elif i.opcode in FUNCTION_CALLS:
            return self._lower_call(i)
        return None

    def _resume(self, i: Instruction) -> None:
        block, value = _block(i), i.operands[0]
        i.erase()
        b = Builder(block)
        b.store(b.extract_value(value, 0), self.unwinding)
        b.br(self._leave())

    def _lower_call(self, i: Instruction) -> Block | None:
        target = strip_casts(i.callee, self.callees.module)
        name = target.name if isinstance(target, GlobalRef) else ""
        if name.startswith(_TYPEID):
            i.replace_uses(int_constant(self.callees.selector(_constant(i.arguments[0])), I32))
            i.erase()
        elif name in abi.PRIMITIVES:
            self._throw(i, name)
        elif name in abi.REPLACED:
            helper, needs_unwinding = abi.REPLACED[name]
            self._put(i, self._helper(helper, *i.arguments, *([self.unwinding] if needs_unwinding else [])))
        elif name == abi.INITIALISE:
            self._put(i, self._helper(runtime.UNWIND_HOLD, *i.arguments[:2]))
        elif name in abi.TERMINATE:
            self._put(i, self._helper(runtime.UNWIND_TERMINATE))
        elif name:
            return self._lower_named(i, name)
        else:
            return self._lower_indirect(i)
        return None

    def _lower_named(self, i: Instruction, name: str) -> Block | None:
        if name == abi.ALLOCATE:
            _round_up(i)
        if abi.makes_thread(i) and (entry := self.callees.entry(_constant(i.arguments[0]))) is not None:
            i.set_operand(0, entry.ref)
        throws = self.callees.may_throw(i)
        if (lowered := self.callees.lowered(name)) is not None:
            return self._put(i, _call(i, lowered.ref, self.unwinding), throws)
        if not throws:
            return self._put(i, _same_call(i)) if i.opcode == "invoke" else None
        if request_kind(name) is not None:
            self.callees.note_readopted(i)
            return self._put(i, _same_call(i), throws, runtime.UNWIND_READOPT)
        return self._put(i, _around(i, self.callees.around_native(i, name)), throws, runtime.UNWIND_ADOPT)

    def _lower_indirect(self, i: Instruction) -> Block | None:
        throws = self.callees.may_throw(i)
        dispatcher = self.callees.dispatcher(i)
        if dispatcher is not None:
            info = CallInfo(dispatcher.type, ("",) * len(dispatcher.arguments))
            operands = [i.callee, *i.arguments, self.unwinding, dispatcher.ref]
            return self._put(i, Instruction("call", i.type, operands, info, i.flags), throws)
        return self._put(i, _same_call(i)) if i.opcode == "invoke" else None

    def _throw(self, i: Instruction, name: str) -> None:
        block, place, debug = _block(i), _unwind_block(i), i.metadata_node("!dbg")
        passed = i.arguments
        if name == abi.THROW:
            self.callees.note_thrown(i)
        for following in block.successors:
            if following is not place:
                for phi in following.phis:
                    drop_incoming(phi, block)
        for rest in reversed(tail(i)):
            rest.replace_uses(zero(rest.type))
            rest.erase()
        arguments: list[Value] = [self.unwinding]
        if name == abi.THROW:
            thrown, kind, destructor = passed
            if self.callees.is_native(kind, destructor):
                thrown = Builder(block).insert(self._helper(runtime.UNWIND_CONSTANT, thrown))
            arguments = [thrown, kind, destructor, int_constant(abi.is_pointer(kind)), self.unwinding]
        elif name == abi.RETHROW_KEPT:
            arguments = [*passed, self.unwinding]
        call = block.append(self._helper(abi.THROWING[name], *arguments))
        call.metadata = (("!dbg", debug),) if debug is not None else ()
        Builder(block).br(place or self._leave())

    # ------------------------------------------------------------------------------------------------------------ calls

    def _put(
        self, i: Instruction, call: Instruction, throws: bool = False, adopt: RuntimeFunction | None = None
    ) -> Block | None:
        """Replaces a call or invoke by a call and, if that may throw, a test for an exception.

        Returns the block of what follows, if that was cut off. `adopt` is the function that takes a caught exception.
        """
        block, place = _block(i), _unwind_block(i)
        normal = i.successors[0] if i.opcode == "invoke" else None
        call.debug_records, call.name = i.debug_records, i.name
        Builder.before(i).insert(call)
        i.replace_uses(call)
        after = self._cut(i) if throws and normal is None else None
        i.erase()
        if throws:
            self._look(Builder(block), normal or after, place, adopt)
            return after
        if normal is not None:
            assert place is not None
            for phi in place.phis:
                drop_incoming(phi, block)
            Builder(block).br(normal)
        return None

    def _look(self, b: Builder, normal: Block | None, place: Block | None, adopt: RuntimeFunction | None) -> None:
        """Goes to the handlers, or leaves the function, if an exception is in flight."""
        assert normal is not None
        if adopt is not None:
            b.insert(self._helper(adopt, self.unwinding))
        thrown = b.icmp("ne", b.load(PTR, self.unwinding), zero(PTR))
        b.cond_br(thrown, place or self._leave(), normal)

    def _cut(self, i: Instruction) -> Block:
        """Moves the instruction, and what follows it in its block, to a new block."""
        after = self.function.add_block()
        move_tail(i, after)
        return after

    def _leave(self) -> Block:
        """The block that returns with an exception in flight."""
        if self._leaving is None or self._leaving not in self.function.blocks:
            self._leaving = self.function.add_block()
            result = self.function.type.result
            Builder(self._leaving).ret(None if result == VOID else zero(result))
        return self._leaving

    def _helper(self, helper: RuntimeFunction, *arguments: Value) -> Instruction:
        """A call of a function of toolchain/stand_ins/unwinding.c or of the runtime."""
        callee = helper.declare(self.callees.module).ref
        info = CallInfo(helper.type, ("",) * len(arguments))
        return Instruction("call", helper.type.result, [*arguments, callee], info)

    # ----------------------------------------------------------------------------------------------------- landing pads

    def _lower_pad(self, i: Instruction) -> None:
        """Takes the exception in flight, if a handler matches it or there is a cleanup; else leaves the function."""
        pad, clauses = i.extra, list(i.operands)
        assert isinstance(pad, LandingPad)
        if "filter" in pad.clauses:
            raise EnzymeError.of(
                "EZ0307",
                "an exception specification",
                reason="what an exception that it does not list leads to is not lowered",
                remedy="use noexcept, or catch the exception",
                function=self.original,
                location=self.callees.module.source_location(i),
            )
        block = _block(i)
        rest = self._cut(i)
        b = Builder(block)
        exception = b.load(PTR, self.unwinding)
        taken: list[tuple[Value, Block]] = []
        for clause in map(_constant, clauses):
            kind = int_constant(abi.is_pointer(clause))
            match = b.insert(self._helper(runtime.UNWIND_MATCH, exception, clause, kind))
            matches = b.icmp("ne", match, int_constant(0, I32))
            following = self.function.add_block()
            taken.append((int_constant(self.callees.selector(clause), I32), b.block))
            b.cond_br(matches, rest, following)
            b = Builder(following)
        if pad.cleanup:
            taken.append((int_constant(0, I32), b.block))
        b.br(rest if pad.cleanup else self._leave())
        self._take(i, rest, exception, taken)

    def _take(self, i: Instruction, rest: Block, exception: Value, taken: list[tuple[Value, Block]]) -> None:
        selector = Builder(rest).phi(I32, taken)
        b = Builder.before(i)
        b.store(zero(PTR), self.unwinding)
        whole = b.insert_value(b.insert_value(ConstantWord(i.type, "poison"), exception, 0), selector, 1)
        for user in list(i.users):
            if user.opcode == "extractvalue":
                user.replace_uses((exception, selector)[user.indices[0]])
                user.erase()
        i.replace_uses(whole)
        i.erase()


def with_unwinding(type_: FunctionType) -> FunctionType:
    """Returns the type of a lowered copy."""
    return FunctionType(type_.result, (*type_.params, PTR), type_.vararg)


def _call(i: Instruction, callee: GlobalRef, *more: Value) -> Instruction:
    """A call of another function, with more arguments behind those of fixed parameters."""
    old = i.call.function_type
    own, named = tuple(map(abi.without_untrue, i.call.argument_attributes)), len(old.params)
    attributes = (*own[:named], *("" for _ in more), *own[named:])
    operands = [*i.arguments[:named], *more, *i.arguments[named:], callee]
    type_ = FunctionType(old.result, (*old.params, *(v.type for v in more)), old.vararg)
    return Instruction("call", i.type, operands, CallInfo(type_, attributes), i.flags)


def _around(i: Instruction, wrapper: Function) -> Instruction:
    """A call of the wrapper of a native function."""
    attributes = tuple(a.attributes for a in wrapper.arguments)
    return Instruction("call", i.type, [*i.arguments, wrapper.ref], CallInfo(wrapper.type, attributes), i.flags)


def _same_call(i: Instruction) -> Instruction:
    """The same call, as no invoke."""
    operands = [v for v in i.operands if not isinstance(v, Block)]
    return Instruction("call", i.type, operands, replace(i.call, tail=""), i.flags)


def _round_up(allocation: Instruction) -> None:
    """Rounds the size up to whole words: an exception's memory may hold a pointer at one time, a number at another."""
    size = allocation.arguments[0]
    if isinstance(size, ConstantInt):
        allocation.set_operand(0, int_constant((size.value + _WORD - 1) // _WORD * _WORD))


def _block(i: Instruction) -> Block:
    assert i.block is not None
    return i.block


def _unwind_block(i: Instruction) -> Block | None:
    return i.successors[1] if i.opcode == "invoke" else None


def _constant(value: Value) -> Constant:
    assert isinstance(value, Constant)
    return value
