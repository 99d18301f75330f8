"""Lowers the exceptions of a module: makes copies of the functions that they pass, and lets requests name these."""

from __future__ import annotations

from ...analysis.callees import plain_name, strip_casts
from ...ir.attributes import group_words
from ...ir.constants import Constant, GlobalRef
from ...ir.module import Module
from ...ir.text.printer import body_for_copy
from ...ir.types import FunctionType, Type
from ...ir.values import Argument, Function, Instruction, Value
from ...ir.verify import verify_module
from ...report.diagnostics import EnzymeError
from ...rules.library_functions import known
from ..requests.request import find_requests, function_of
from . import abi, natives
from .body import Body
from .names import COPY
from .scope import Scope, calls, may_catch

_NULL = "@_ZTIDn"
#: attributes of a function that need not hold for a copy that returns early
_UNTRUE = ("nounwind", "noreturn", "willreturn", "nofree", "memory(", "norecurse", "nosync", "mustprogress", "cold")


def lower_exceptions(
    text: str,
    opaque: frozenset[str] = frozenset(),
    native: frozenset[str] = frozenset(),
    left_out: bool = False,
    verify: bool = False,
) -> str | None:
    """Returns the module with copies of functions in which exceptions are control flow; None if nothing is caught.

    `opaque` names functions with derivatives of their own, whose bodies are not read, and `native` those that the link
    left out. `left_out`: it left out functions that calls through pointers may reach. Raises EnzymeError (EZ0307).
    With `verify`, raises InvalidIR if a rewritten function is invalid.
    """
    if "@__cxa_begin_catch" not in text or "landingpad" not in text:
        return None
    module = Module.parse(text)
    if not may_catch(module):
        return None
    scope = Scope(text, module, opaque, native, left_out)
    if not scope.involved:
        return None
    _refuse_observers(scope)
    Lowering(scope).run()
    if verify:
        verify_module(module, "lowering exceptions")
    return str(module)


class Lowering:
    """Makes the lowered copies of one module, and what they call."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.module = scope.module
        self.may_throw = scope.may_throw
        self._copies: dict[str, Function] = {}
        self._entries: dict[str, Function] = {}
        self._dispatchers: dict[tuple[FunctionType, tuple[str, ...]], Function] = {}
        self._around: dict[tuple[str, tuple[Type, ...]], Function] = {}
        self._selectors: dict[Constant, int] = {}
        self._destructors: dict[str, None] = {}
        self._carries = False  # an exception may hold numbers
        self._readopting: EnzymeError | None = None  # the refusal, if lowered code makes a request that may throw

    def run(self) -> None:
        copies = [self._copy(name) for name in sorted(self.scope.involved)]
        for body in copies:
            body.lower()
        if self._carries and self._readopting is not None:
            raise self._readopting
        natives.destroying(self.module, {name: self.lowered(name) for name in self._destructors})
        natives.mention_virtual(self.module)
        self._redirect_requests({body.function for body in copies})

    def _redirect_requests(self, inside: set[Function]) -> None:
        """Lets requests name an entry in the place of a lowered function, and throw what leaves its derivative.

        `inside`: the lowered functions, which look at what was thrown themselves.
        """
        for function, call, _ in find_requests(self.module):
            name = self.scope.requested(call)
            entry = None if name is None else self.entry(GlobalRef.of(name))
            if entry is None:
                continue
            self._name(call, entry)
            if function not in inside:
                natives.rethrow_behind(self.module, call)

    def _name(self, call: Instruction, entry: Function) -> None:
        at = next(k for k, a in enumerate(call.arguments) if function_of(self.module, a) is not None)
        call.set_operand(at, entry.ref)

    def _copy(self, name: str) -> Body:
        """A copy of the function, which is still to be lowered."""
        original = self.module.functions[name]
        arguments = [Argument(a.type, a.name, a.attributes, a.index) for a in original.arguments]
        new = self.module.fresh_name(plain_name(name) + COPY)
        copy = Function(new, original.type, arguments, "internal", self._attributes(original))
        copy.unparsed = body_for_copy(original)
        self._copies[name] = self.module.add_function(copy)
        return Body(self.module.body(new), self, plain_name(name))

    def _attributes(self, original: Function) -> str:
        """The attributes of a copy: those of the original that still hold if it returns early."""
        kept = [word for word in group_words(self.module, original.suffix) if not word.startswith(_UNTRUE)]
        return self.module.add_attributes(" ".join(kept)) if kept else ""

    # -------------------------------------------------------------------------------------- what bodies ask for

    def lowered(self, name: str) -> Function | None:
        return self._copies.get(name)

    def entry(self, function: Constant) -> Function | None:
        name = function.name if isinstance(function, GlobalRef) else ""
        lowered = self.lowered(name)
        if lowered is not None and name not in self._entries:
            original = self.module.functions[name]
            self._entries[name] = natives.entry_of(self.module, original, lowered, self._attributes(original))
        return self._entries.get(name)

    def dispatcher(self, call: Instruction) -> Function | None:
        type_, attributes = call.call.function_type, tuple(map(abi.without_untrue, call.call.argument_attributes))
        others_throw = self.scope.left_out
        names = filter(self.scope.has_body, self.scope.pointed.of_type(type_))
        copies = {name: copy for name in names if (copy := self.lowered(name)) is not None or others_throw}
        if type_.vararg or not (copies or others_throw):
            return None
        if (type_, attributes) not in self._dispatchers:
            made = natives.dispatching(self.module, type_, attributes, copies, others_throw)
            self._dispatchers[type_, attributes] = made
        return self._dispatchers[type_, attributes]

    def around_native(self, call: Instruction, name: str) -> Function:
        parameters = tuple(a.type for a in call.arguments)
        if (name, parameters) not in self._around:
            self._around[name, parameters] = natives.around_native(self.module, call, name)
        return self._around[name, parameters]

    def selector(self, type_info: Constant) -> int:
        return self._selectors.setdefault(type_info, len(self._selectors) + 1)

    def is_native(self, type_info: Value, destructor: Value) -> bool:
        target = strip_casts(destructor, self.module)
        if not isinstance(target, GlobalRef) or self.scope.has_body(target.name):
            return False
        # a class derived from a library's that adds numbers only, and nothing to destroy, has the library's destructor
        described = self.module.globals.get(type_info.name) if isinstance(type_info, GlobalRef) else None
        return known(plain_name(target.name)) is not None and (described is None or described.initializer is None)

    def note_thrown(self, throw: Instruction) -> None:
        _, type_info, destructor = throw.arguments
        if not isinstance(type_info, GlobalRef) or not isinstance(destructor, Constant):
            raise _refusal(
                self.module,
                throw,
                "one place throws exceptions of several types",
                "the optimiser has merged places that throw, before the code came here",
                "compile that file without -flto",
            )
        if type_info.name == _NULL:
            raise _refusal(
                self.module,
                throw,
                "nullptr is thrown",
                "handlers of all pointer types catch it",
                "throw a value of another type",
            )
        target = strip_casts(destructor, self.module)
        if isinstance(target, GlobalRef):
            self._destructors[target.name] = None
        if not self.is_native(type_info, destructor) and abi.may_hold_numbers(type_info, throw.arguments[0]):
            self._carries = True

    def note_readopted(self, request: Instruction) -> None:
        self._readopting = self._readopting or _refusal(
            self.module,
            request,
            "an exception may leave this derivative for differentiated code, and carry numbers",
            "what it carries would lose its derivative on the way",
            "catch it in the function that the request names, or throw what holds no numbers",
        )


def _refuse_observers(scope: Scope) -> None:
    for function in scope.reached.values():
        for call in calls(function):
            if isinstance(call.callee, GlobalRef) and call.callee.name in abi.REFUSED:
                raise _refusal(
                    scope.module,
                    call,
                    f"{abi.REFUSED[call.callee.name]} is asked in differentiated code that catches exceptions",
                    "exceptions are ordinary control flow there, which it knows nothing of",
                    "keep that out of the differentiated part",
                )


def _refusal(module: Module, at: Instruction, message: str, reason: str, remedy: str) -> EnzymeError:
    function = at.block.function if at.block is not None else None
    name = plain_name(function.name).removesuffix(COPY) if function is not None else None
    location = module.source_location(at)
    return EnzymeError.of("EZ0307", message, reason=reason, remedy=remedy, function=name, location=location)
