"""Copies of functions that report what memory they touch: the state of a checkpointed loop consists of that memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec.structs import replace

from ...analysis.callees import Callee, Callees, plain_name
from ...analysis.integers.offsets import base_of
from ...analysis.memory.memory_attribute import effects
from ...analysis.pointed_functions import PointedFunctions
from ...ir.attributes import group_words, without
from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.edit import drop_unreachable
from ...ir.folding import wrap_int
from ...ir.module import Module
from ...ir.text.printer import body_for_copy
from ...ir.types import I32, PTR, FunctionType, PointerType, holds
from ...ir.values import Argument, Block, CallInfo, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ...rules.knowledge import CalleeKind
from .indirect_calls import call_instead, compare, pass_on
from .plain_forms import call_for_invokes
from .touched_memory import (
    Report,
    Touched,
    copied_arguments,
    declare_reports,
    emit_report,
    touched_by_access,
    touched_by_library,
)

#: attributes of parameters that do not hold if pointers are passed to the runtime
_UNTRUE = (
    "readonly", "readnone", "writeonly", "nofree", "nocapture", "returned", "captures(", "initializes(",
)  # fmt: skip
_TARGET = ('"target', '"tune')


class Watcher:
    """Makes the copies of one module, each once.

    - `refusal(function, instruction, reason)` makes the error for a function that cannot be watched.
    - `closures`: functions whose first operand points to memory that is saved apart, and not reported.
    - `silent`: calls that only print are left out of the copies.
    """

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
        declare_reports(module)

    def copy(self, name: str) -> str:
        """Returns the name of the function's copy that reports what it touches. Raises the refusal's error."""
        copies, dispatchers = dict(self._copies), dict(self._dispatchers)
        try:
            return self._copy(name)
        except EnzymeError:  # the functions made since may call the unfinished copy
            self._copies, self._dispatchers = copies, dispatchers
            raise

    def _copy(self, name: str) -> str:
        if name not in self._copies:
            original = self._module.body(name)
            new = self._copies[name] = self._module.fresh_name(f"__ez_watched.{plain_name(name)}")
            arguments = [Argument(a.type, a.name, without(a.attributes, _UNTRUE), a.index) for a in original.arguments]
            copy = Function(new, original.type, arguments, "internal", self._attributes(original))
            copy.unparsed = body_for_copy(original)
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
            for touched in self._touched(i, original):
                base = base_of(touched.pointer)
                if base is closure or _is_on_stack(base) or self._is_constant(touched.pointer):
                    continue
                if i.opcode == "load" and i.type == PTR:
                    emit_report(Builder.before(i), Report.FOLLOWED, touched.pointer)
                else:
                    _report_touched(i, touched)

    def _touched(self, i: Instruction, original: Function) -> Iterator[Touched]:
        access = touched_by_access(i)
        if access is not None:
            yield access
        elif i.opcode == "call":
            yield from self._touched_by_call(i, original)
        elif i.opcode == "callbr" or i.opcode == "va_arg":
            raise self._refusal(original, i, f"{plain_name(original.name)} takes variable arguments")

    # -- calls

    def _touched_by_call(self, i: Instruction, original: Function) -> Iterator[Touched]:
        """Yields what the call itself touches; a callee with a body reports what it touches, once the call names its
        copy."""
        callee = self._callees.of(i)
        yield from copied_arguments(self._module, i)
        if callee.kind in (CalleeKind.DEFINED, CalleeKind.INACTIVE) and self._callees.has_body(callee.name):
            i.set_operand(len(i.operands) - 1, GlobalRef.of(self.copy(callee.name)))
            i.extra = _without_untrue(i.call)
        elif (touched := touched_by_library(i, callee)) is not None:
            yield from touched
        elif callee.kind is CalleeKind.INDIRECT and self._can_dispatch(i):
            self._dispatch(i)
        elif not self._is_harmless(i, callee):
            raise self._unknown(original, i, callee)
        elif self._silent and callee.kind is CalleeKind.INACTIVE and not i.users and not _ends_program(i):
            i.erase()

    def _unknown(self, original: Function, i: Instruction, callee: Callee) -> EnzymeError:
        name = plain_name(callee.name)
        what = name or "a function through a pointer"
        reason = f"{plain_name(original.name)} calls {what}, and it is unknown what memory this call accesses"
        return self._refusal(original, i, reason)

    def _is_harmless(self, i: Instruction, callee: Callee) -> bool:
        """True if the call touches no memory of the program, or only prints and its result is not used."""
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

    def _is_constant(self, pointer: Value) -> bool:
        variable = self._module.globals.get(pointer.name) if isinstance(pointer, GlobalRef) else None
        return variable is not None and variable.constant

    # -- function pointers

    @staticmethod
    def _can_dispatch(i: Instruction) -> bool:
        return not i.call.function_type.vararg and not any("byval(" in text for text in i.call.argument_attributes)

    def _dispatch(self, i: Instruction) -> None:
        """Replaces a call through a pointer by a call of a dispatcher."""
        dispatcher = self._module.functions[self._dispatcher(i.call.function_type)]
        call_instead(i, dispatcher, ("", *_without_untrue(i.call).argument_attributes))

    def _dispatcher(self, type_: FunctionType) -> str:
        """A function that compares the pointer with all functions of its type, and calls the watched copy."""
        if type_ not in self._dispatchers:
            full = FunctionType(type_.result, (PTR, *type_.params))
            pointer, *rest = [Argument(t, "", "", k) for k, t in enumerate(full.params)]
            name = self._dispatchers[type_] = self._module.fresh_name("__ez_watched_dispatch")
            function = self._module.add_function(Function(name, full, [pointer, *rest], "internal"))
            for candidate, block in compare(function, pointer, self._pointed.of_type(type_)):
                if candidate is None or not self._pass_on(function, candidate, block, rest):
                    emit_report(Builder(block), Report.UNKNOWN)
                    Builder(block).unreachable()
        return self._dispatchers[type_]

    def _pass_on(self, function: Function, candidate: str, block: Block, arguments: list[Argument]) -> bool:
        """Calls the candidate in the block, if it can be watched. If it cannot, the program may still never call it."""
        target = self._module.functions[candidate]
        result = pass_on(block, GlobalRef.of(candidate), target.type, arguments, true_attributes(target))
        call = block.instructions[-1]
        try:
            for touched in self._touched_by_call(call, function):
                _report_touched(call, touched)
        except EnzymeError:
            while block.instructions:
                block.instructions[-1].erase()
            return False
        Builder(block).ret(result)
        return True

    @cached_property
    def _pointed(self) -> PointedFunctions:
        return PointedFunctions.read(str(self._module), self._module)


def true_attributes(function: Function) -> tuple[str, ...]:
    """Returns the attributes for the arguments of a call of the function's copy."""
    return tuple(without(a.attributes, _UNTRUE) for a in function.arguments)


def _report_touched(i: Instruction, touched: Touched) -> None:
    writes = wrap_int(int(touched.writes), I32)
    emit_report(Builder.before(i), Report.TOUCHED, touched.pointer, touched.size, writes)


def _is_on_stack(base: Value) -> bool:
    return isinstance(base, Instruction) and base.opcode == "alloca"


def _ends_program(i: Instruction) -> bool:
    assert i.block is not None
    return i.block.terminator.opcode == "unreachable"


def _without_untrue(call: CallInfo) -> CallInfo:
    attributes = tuple(without(text, _UNTRUE) for text in call.argument_attributes)
    return replace(call, argument_attributes=attributes, convention="", attributes="", tail="")
