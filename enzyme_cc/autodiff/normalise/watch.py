"""Copies of functions that say what memory they touch: what the state of a checkpointed loop consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from ...analysis.activity.carriers import holds
from ...analysis.callees import Callee, CalleeKind, Callees, plain_name
from ...analysis.memory.memory_attribute import effects
from ...analysis.type_analysis.constraints.program import byval_type
from ...ir.attributes import group_words, without
from ...ir.builder import Builder, int_constant, wrap_int
from ...ir.edit import drop_unreachable
from ...ir.module import Module
from ...ir.printer import print_function
from ...ir.types import I32, I64, PTR, VOID, FunctionType, IntType, PointerType, Type, alloc_size, store_size
from ...ir.values import Argument, Block, CallInfo, Function, GlobalRef, Instruction, Value
from ...report.diagnostics import EnzymeError
from .dispatchers import AddressTaken, call_instead, compare, pass_on
from .normalise import call_for_invokes

_TOUCH, _FOLLOWED, _ALLOCATED, _FREED, _UNKNOWN = (
    f"@__ez_checkpoint_{word}" for word in ("touch", "followed", "allocated", "freed", "unknown")
)
_TYPES = {
    _TOUCH: FunctionType(VOID, (PTR, I64, I32)),
    _FOLLOWED: FunctionType(VOID, (PTR,)),
    _ALLOCATED: FunctionType(VOID, (PTR, I64)),
    _FREED: FunctionType(VOID, (PTR,)),
    _UNKNOWN: FunctionType(VOID, ()),
}
#: what does not hold of pointers that are said to the runtime
_UNTRUE = (
    "readonly", "readnone", "writeonly", "nofree", "nocapture", "returned", "captures(", "initializes(",
)  # fmt: skip
_TARGET = ('"target', '"tune')


class Watcher:
    """Makes the copies of one module, each once. `refusal` is told in which function, at which instruction, and why
    none can be made. `closures`: functions of which the first operand points to what is kept apart. `silent`: what
    only prints is left out."""

    def __init__(
        self,
        module: Module,
        refusal: Callable[[Function, Instruction, str], EnzymeError],
        closures: frozenset[str] = frozenset(),
        silent: bool = False,
    ) -> None:
        self._module = module
        self._callees = Callees(module)
        self._refusal = refusal
        self._closures = closures
        self._silent = silent
        self._copies: dict[str, str] = {}
        self._dispatchers: dict[FunctionType, str] = {}
        for name, type_ in _TYPES.items():
            module.declare(name, type_)

    def copy(self, name: str) -> str:
        """The function that does what that one does, and says what it touches. Raises what `refusal` makes."""
        copies, dispatchers = dict(self._copies), dict(self._dispatchers)
        try:
            return self._copy(name)
        except EnzymeError:  # what was made since may call what could not be finished
            self._copies, self._dispatchers = copies, dispatchers
            raise

    def _copy(self, name: str) -> str:
        if name not in self._copies:
            original = self._module.body(name)
            new = self._copies[name] = self._module.fresh_name(f"__ez_watched.{plain_name(name)}")
            arguments = [Argument(a.type, a.name, without(a.attributes, _UNTRUE), a.index) for a in original.arguments]
            copy = Function(new, original.type, arguments, "internal", self._attributes(original))
            copy.unparsed = "\n" + print_function(original).partition("\n")[2][:-1]
            self._module.add_function(copy)
            self._watch(self._module.body(new), original)
        return self._copies[name]

    def _attributes(self, original: Function) -> str:
        words = [word for word in group_words(self._module, original.suffix) if word.startswith(_TARGET)]
        return self._module.add_attributes(" ".join(["noinline", *words]))

    def _watch(self, copy: Function, original: Function) -> None:
        call_for_invokes(copy)
        drop_unreachable(copy)
        closure = copy.arguments[0] if original.name in self._closures else None
        for i in list(copy.instructions()):
            for touched, size, writes in self._touched(i, original):
                base = _base(touched)
                if base is closure or _is_on_stack(base) or self._is_constant(touched):
                    continue
                if i.opcode == "load" and i.type == PTR:
                    _insert(i, _FOLLOWED, (touched,))
                else:
                    _insert(i, _TOUCH, (touched, size, wrap_int(int(writes), I32)))

    def _touched(self, i: Instruction, original: Function) -> Iterator[tuple[Value, Value, bool]]:
        """(pointer, bytes, whether it writes them)"""
        match i.opcode:
            case "load":
                yield i.operands[0], _size(i.type), False
            case "store":
                yield i.operands[1], _size(i.operands[0].type), True
            case "atomicrmw" | "cmpxchg":
                yield i.operands[0], _size(i.operands[1].type), True
            case "call":
                yield from self._touched_by_call(i, original)
            case "callbr" | "va_arg":
                raise self._refusal(original, i, f"{plain_name(original.name)} takes variable arguments")

    def _touched_by_call(self, i: Instruction, original: Function) -> Iterator[tuple[Value, Value, bool]]:
        callee = self._callees.of(i)
        known = callee.known
        for argument, text in zip(i.arguments, i.call.argument_attributes, strict=True):
            if "byval(" in text:  # the call itself makes a copy
                type_ = byval_type(self._module, text)
                assert type_ is not None
                yield argument, int_constant(alloc_size(type_)), False
        has_body = callee.kind in (CalleeKind.DEFINED, CalleeKind.INACTIVE) and self._callees.has_body(callee.name)
        if has_body:
            i.set_operand(len(i.operands) - 1, GlobalRef.of(self.copy(callee.name)))
            i.extra = _without_untrue(i.call)
        elif callee.kind is CalleeKind.COPY and known is not None:
            yield i.arguments[known.source], _resized(i, known.length), False
            yield i.arguments[known.target], _resized(i, known.length), True
        elif callee.kind is CalleeKind.FILL and known is not None:
            yield i.arguments[known.target], _resized(i, known.length), True
        elif callee.kind is CalleeKind.ALLOCATE and known is not None and known.through is None and known.size_operands:
            _insert(i, _ALLOCATED, (i, self._product(i, known.size_operands)), behind=True)
        elif callee.kind is CalleeKind.REALLOCATE and known is not None and not known.arena:
            _insert(i, _FREED, (i.arguments[known.pointer],))
            _insert(i, _ALLOCATED, (i, self._product(i, known.size_operands)), behind=True)
        elif callee.kind is CalleeKind.FREE and known is not None:
            _insert(i, _FREED, (i.arguments[known.pointer],))
        elif callee.kind is CalleeKind.INDIRECT and self._can_dispatch(i):
            self._dispatch(i)
        elif self._is_harmless(i, callee):
            if self._silent and callee.kind is CalleeKind.INACTIVE and not i.users and not self._ends(i):
                i.erase()
        else:
            name = plain_name(callee.name)
            what = f"{name}, of which" if name else "a function through a pointer:"
            reason = f"{plain_name(original.name)} calls {what} it is not known what memory it touches"
            raise self._refusal(original, i, reason)

    @staticmethod
    def _product(i: Instruction, operands: tuple[int, ...]) -> Value:
        size: Value = _resized(i, operands[0])
        for k in operands[1:]:
            size = _insert(i, "mul", (size, _resized(i, k)))
        return size

    # -- function pointers

    @staticmethod
    def _can_dispatch(i: Instruction) -> bool:
        return not i.call.function_type.vararg and not any("byval(" in text for text in i.call.argument_attributes)

    def _dispatch(self, i: Instruction) -> None:
        """A call through a pointer calls a function that compares it with all that it may be."""
        dispatcher = self._module.functions[self._dispatcher(i.call.function_type)]
        call_instead(i, dispatcher, ("", *_without_untrue(i.call).argument_attributes))

    def _dispatcher(self, type_: FunctionType) -> str:
        if type_ not in self._dispatchers:
            full = FunctionType(type_.result, (PTR, *type_.params))
            pointer, *rest = [Argument(t, "", "", k) for k, t in enumerate(full.params)]
            name = self._dispatchers[type_] = self._module.fresh_name("__ez_watched_dispatch")
            function = self._module.add_function(Function(name, full, [pointer, *rest], "internal"))
            for candidate, block in compare(function, pointer, self._targets.of_type(type_)):
                if candidate is None or not self._pass_on(function, candidate, block, rest):
                    Builder(block).call(_UNKNOWN, VOID, ())
                    Builder(block).unreachable()
        return self._dispatchers[type_]

    def _pass_on(self, function: Function, candidate: str, block: Block, arguments: list[Argument]) -> bool:
        """Calls the candidate, if it can be watched: it may well never be called."""
        target = self._module.functions[candidate]
        result = pass_on(block, GlobalRef.of(candidate), target.type, arguments, true_attributes(target))
        try:
            for touched, size, writes in self._touched_by_call(block.instructions[-1], function):
                _insert(block.instructions[-1], _TOUCH, (touched, size, wrap_int(int(writes), I32)))
        except EnzymeError:
            while block.instructions:
                block.instructions[-1].erase()
            return False
        Builder(block).ret(result)
        return True

    @cached_property
    def _targets(self) -> AddressTaken:
        return AddressTaken(str(self._module), self._module)

    # -- what touches nothing

    def _is_harmless(self, i: Instruction, callee: Callee) -> bool:
        """Whether it touches nothing, or only prints: then nothing may depend on what it returns."""
        known = callee.known
        if callee.kind is CalleeKind.STACK or (known is not None and known.pure):
            return True
        if callee.kind is CalleeKind.INACTIVE:
            return not i.users and (known is None or known.writes == "none")
        if any(holds(a.type, PointerType) for a in i.arguments):
            return False
        if callee.kind is CalleeKind.RULE:
            return True
        found = effects(self._module, i.call.attributes, self._module.functions.get(callee.name))
        return bool(found) and all(how == "none" for how in found.values())

    @staticmethod
    def _ends(i: Instruction) -> bool:
        """Whether nothing comes after it."""
        assert i.block is not None
        return i.block.terminator.opcode == "unreachable"

    def _is_constant(self, pointer: Value) -> bool:
        variable = self._module.globals.get(pointer.name) if isinstance(pointer, GlobalRef) else None
        return variable is not None and variable.constant


def _size(type_: Type) -> Value:
    return int_constant(store_size(type_))


def _resized(i: Instruction, k: int) -> Value:
    """A length operand as i64."""
    value = i.arguments[k]
    assert isinstance(value.type, IntType)
    return value if value.type == I64 else _insert(i, "zext", (value,))


def _insert(i: Instruction, what: str, operands: tuple[Value, ...], behind: bool = False) -> Instruction:
    """An instruction, or a call of a function of the runtime, before another."""
    assert i.block is not None
    if what in _TYPES:
        info = CallInfo(_TYPES[what], ("",) * len(operands))
        new = Instruction("call", VOID, (*operands, GlobalRef.of(what)), info)
    else:
        new = Instruction(what, I64, operands)
    return i.block.insert(i.block.instructions.index(i) + behind, new)


def _base(pointer: Value) -> Value:
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer


def _is_on_stack(base: Value) -> bool:
    return isinstance(base, Instruction) and base.opcode == "alloca"


def true_attributes(function: Function) -> tuple[str, ...]:
    """Of the arguments of a call of the copy."""
    return tuple(without(a.attributes, _UNTRUE) for a in function.arguments)


def _without_untrue(call: CallInfo) -> CallInfo:
    attributes = tuple(without(text, _UNTRUE) for text in call.argument_attributes)
    return replace(call, argument_attributes=attributes, convention="", attributes="", tail="")
