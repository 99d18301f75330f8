"""The functions that exceptions may pass in differentiated code, and whether a handler ends such an exception."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.callees import plain_name, strip_casts
from ...analysis.pointed_functions import PointedFunctions
from ...ir.constants import GlobalRef, InlineAsm
from ...ir.graphs import reachable
from ...ir.instructions import FUNCTION_CALLS
from ...ir.module import Module
from ...ir.types import FunctionType
from ...ir.values import Block, Function, Instruction
from ...rules.library_functions import is_standard_cxx
from ..core.markers import request_kind
from ..core.registrations import read_registrations
from ..requests.request import find_requests, function_of
from . import abi

#: in the text of a landing pad that may have handlers
_HANDLER = " catch ptr "


class Scope:
    """The functions that requests reach and that exceptions pass on the way to a handler.

    `opaque` functions have derivatives of their own: their bodies do not count. `left_out`: calls through pointers may
    reach functions that the link left out.
    """

    def __init__(
        self, text: str, module: Module, opaque: frozenset[str], native: frozenset[str], left_out: bool
    ) -> None:
        self.module = module
        self.left_out = left_out
        self.pointed = PointedFunctions.read(text, module)
        self.requests = find_requests(module)
        self._opaque = opaque
        self._native = native
        self._inactive = read_registrations(module).inactive
        self._pointed_by_type: dict[FunctionType, list[str]] = {}
        self.involved: set[str] = set()  # functions in which something may throw
        self._own_makers: frozenset[str] = frozenset()
        self._own_makers = self._makers_behind_pointers()
        self._pointed_by_type.clear()
        roots = {name for _, call, _ in self.requests if (name := self.requested(call)) is not None}
        reached = {root: self._reached(root) for root in sorted(roots)}
        self._involve({name: f for functions in reached.values() for name, f in functions.items()})
        kept = [functions for functions in reached.values() if self._catches(functions)]
        self.reached = {name: f for functions in kept for name, f in functions.items()}
        self.involved &= self.reached.keys()

    def requested(self, call: Instruction) -> str | None:
        """The function that a request differentiates."""
        found = (function_of(self.module, argument) for argument in call.arguments[:2])
        return next((name for name in found if name is not None), None)

    def has_body(self, name: str) -> bool:
        plain = plain_name(name)
        if name not in self.module.functions or self.module.functions[name].is_declaration:
            return False
        return plain not in self._opaque and not is_standard_cxx(plain)

    def callees(self, call: Instruction) -> list[str]:
        """Returns the functions with bodies that a call may run, or that destroy the exception that it throws."""
        target = strip_casts(call.callee, self.module)
        if not isinstance(target, GlobalRef):
            return self._pointed(call.call.function_type)
        names = [target.name]
        if target.name == abi.THROW:
            parts = [strip_casts(a, self.module) for a in call.arguments]
            names = [part.name for part in parts if isinstance(part, GlobalRef)]
        elif request_kind(target.name) is not None:
            requested = self.requested(call)
            names = [requested] if requested is not None else []
        elif abi.makes_thread(call):
            names = [a.name for a in call.arguments[:1] if isinstance(a, GlobalRef)]
        return [name for name in names if self.has_body(name)]

    def _pointed(self, type_: FunctionType) -> list[str]:
        """Returns the functions with bodies that a call through a pointer may run."""
        if type_ not in self._pointed_by_type:
            names = [name for name in self.pointed.of_type(type_) if name not in self._own_makers]
            self._pointed_by_type[type_] = [name for name in names if self.has_body(name)]
        return self._pointed_by_type[type_]

    def _makers_behind_pointers(self) -> frozenset[str]:
        """Returns the functions that make a request for a function from which calls through pointers might reach them.

        No derivative could be made if one did. A call of a copy here would say so of all calls of its type.
        """
        makers: dict[str, set[str]] = {}
        for maker, call, _ in self.requests:
            if maker.name in self.pointed.types and (name := self.requested(call)) is not None:
                makers.setdefault(name, set()).add(maker.name)
        return frozenset(n for name, of_name in makers.items() for n in of_name & self._reached(name).keys())

    def may_throw(self, call: Instruction) -> bool:
        """True if an exception of differentiated code, or one that a wrapper catches, may leave the call."""
        if abi.call_never_throws(self.module, call):
            return False
        return self._throws_itself(call) or any(map(self.leaks, self.callees(call)))

    def _throws_itself(self, call: Instruction) -> bool:
        """True if the exception may come from a callee without a body."""
        target = strip_casts(call.callee, self.module)
        if not isinstance(target, GlobalRef):
            return self.left_out and not isinstance(target, InlineAsm) and not call.call.function_type.vararg
        return target.name in abi.PRIMITIVES or self.is_caught_native(target.name)

    def is_caught_native(self, name: str) -> bool:
        """True for a native function that may throw and carries no derivative: a wrapper catches what it throws.

        A function that the link left out either carries none, or ends the program.
        """
        if name not in self.module.functions or self.has_body(name):
            return False
        if name in self._inactive or name in self._native:
            return not abi.never_throws(self.module, self.module.functions[name])
        return abi.native_may_throw(self.module, name)

    def leaks(self, name: str) -> bool:
        """True if exceptions may leave the function."""
        return name in self.involved and not abi.never_throws(self.module, self.module.functions[name])

    def _reached(self, root: str) -> dict[str, Function]:
        def called(name: str) -> list[str]:
            return [callee for call in calls(self.module.body(name)) for callee in self.callees(call)]

        return {name: self.module.body(name) for name in reachable([root] if self.has_body(root) else [], called)}

    def _involve(self, functions: dict[str, Function]) -> None:
        starts: dict[str, None] = {}
        callers: dict[str, dict[str, None]] = {}  # by calls that exceptions may pass
        others: dict[str, dict[str, None]] = {}  # by calls that never throw
        for name, function in functions.items():
            for call in calls(function):
                passes = not abi.call_never_throws(self.module, call)
                if (passes and self._throws_itself(call)) or asks_for_exceptions(call):
                    starts[name] = None
                for callee in self.callees(call):
                    (callers if passes else others).setdefault(callee, {})[name] = None

        def all_callers(name: str) -> Iterable[str]:
            return (*callers.get(name, ()), *others.get(name, ()))

        # these return after an exception, or ask for it: their callers must call their copies, though none leaves them
        entered = [
            n for n, f in functions.items() if returns_from_handler(f) or any(map(asks_for_exceptions, calls(f)))
        ]
        ending = set(reachable(entered, all_callers))

        def leaks_into(name: str) -> Iterable[str]:
            if name in ending:
                return all_callers(name)
            return () if abi.never_throws(self.module, self.module.functions[name]) else callers.get(name, ())

        self.involved = set(reachable(starts, leaks_into))

    def _catches(self, functions: dict[str, Function]) -> bool:
        """True if one of the involved functions has a handler that ends an exception."""
        return any(catches(self.module, f) for name, f in functions.items() if name in self.involved)


def may_catch(module: Module) -> bool:
    """True if some function of the module has a handler that ends an exception: else there is nothing to lower."""
    texts = ((name, module.functions[name].unparsed) for name in list(module.functions))
    return any(catches(module, module.body(name)) for name, text in texts if text is not None and _HANDLER in text)


def calls(function: Function) -> Iterator[Instruction]:
    return (i for i in function.instructions() if i.opcode in FUNCTION_CALLS)


def asks_for_exceptions(call: Instruction) -> bool:
    return isinstance(call.callee, GlobalRef) and call.callee.name in abi.ASKING


def catches(module: Module, function: Function) -> bool:
    """True if a handler of the function ends in anything but throwing again what it caught."""
    return any(_goes_on(module, block) for block in _behind_handlers(function))


def ends_what_it_catches(module: Module, function: Function) -> bool:
    """True if the function may go on behind the beginning of a handler, in whatever landing pad that is."""
    starts = [i.block for i in calls(function) if isinstance(i.callee, GlobalRef) and i.callee.name == abi.BEGIN_CATCH]
    return any(_goes_on(module, block) for block in reachable([b for b in starts if b is not None], _successors))


def returns_from_handler(function: Function) -> bool:
    """True if the function may return behind a landing pad that may have a handler."""
    return any(block.terminator.opcode == "ret" for block in _behind_handlers(function))


def _behind_handlers(function: Function) -> Iterator[Block]:
    pads = [i.block for i in function.instructions() if i.opcode == "landingpad" and i.operands]
    return reachable([b for b in pads if b is not None], _successors)


def _successors(block: Block) -> list[Block]:
    return block.successors


def _goes_on(module: Module, block: Block) -> bool:
    """True if a block returns or ends the program."""
    if block.terminator.opcode == "ret":
        return True
    names = {
        i.callee.name for i in block.instructions if i.opcode in FUNCTION_CALLS and isinstance(i.callee, GlobalRef)
    }
    return any(name in module.functions and abi.ends(module, name) for name in names)
