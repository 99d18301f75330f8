"""Which functions lie on the way of exceptions that requests may meet, and whether any is caught for good."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.callees import plain_name, strip_casts
from ...ir.module import Module
from ...ir.values import Block, Function, GlobalRef, Instruction
from ...rules.library_functions import is_standard_cxx
from ..core.markers import request_kind
from ..core.registrations import read_registrations
from ..normalise.dispatchers import AddressTaken
from ..requests.request import find_requests, function_of
from . import abi

#: of a landing pad that may have handlers, in a function's text
_HANDLER = " catch ptr "


class Scope:
    """What requests reach that may meet a handler which goes on; `opaque` functions have derivatives of their own."""

    def __init__(self, text: str, module: Module, opaque: frozenset[str]) -> None:
        self.module = module
        self.targets = AddressTaken(text, module)
        self.requests = find_requests(module)
        self._opaque = opaque
        self._inactive = read_registrations(module).inactive
        self.involved: set[str] = set()  # functions in which something may throw
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
        """The functions with bodies that a call may run now, or that destroy what it throws."""
        target = strip_casts(call.callee, self.module)
        if not isinstance(target, GlobalRef):
            return [name for name in self.targets.of_type(call.call.function_type) if self.has_body(name)]
        names = [target.name]
        if target.name == abi.THROW:
            parts = [strip_casts(a, self.module) for a in call.arguments]
            names = [part.name for part in parts if isinstance(part, GlobalRef)]
        elif request_kind(target.name) is not None:
            requested = self.requested(call)
            names = [requested] if requested is not None else []
        return [name for name in names if self.has_body(name)]

    def may_throw(self, call: Instruction) -> bool:
        """Whether an exception may come out of the call that is not left to native code."""
        if abi.call_never_throws(self.module, call):
            return False
        target = strip_casts(call.callee, self.module)
        if isinstance(target, GlobalRef) and (target.name in abi.PRIMITIVES or self.is_caught_native(target.name)):
            return True
        return any(map(self.leaks, self.callees(call)))

    def is_caught_native(self, name: str) -> bool:
        """Whether a wrapper is to catch what that function throws, which carries no derivative."""
        if name not in self.module.functions or self.has_body(name):
            return False
        if name in self._inactive:
            return not abi.never_throws(self.module, self.module.functions[name])
        return abi.native_may_throw(self.module, name)

    def leaks(self, name: str) -> bool:
        """Whether exceptions may leave the function."""
        return name in self.involved and not abi.never_throws(self.module, self.module.functions[name])

    def _reached(self, root: str) -> dict[str, Function]:
        work, reached = [root] if self.has_body(root) else [], dict[str, Function]()
        while work:
            name = work.pop()
            if name not in reached:
                reached[name] = self.module.body(name)
                work += [callee for call in calls(reached[name]) for callee in self.callees(call)]
        return reached

    def _involve(self, functions: dict[str, Function]) -> None:
        before = -1
        while before < len(self.involved):
            before = len(self.involved)
            self.involved |= {name for name, f in functions.items() if any(map(self.may_throw, calls(f)))}

    def _catches(self, functions: dict[str, Function]) -> bool:
        """Whether one of the functions involved has a handler that goes on."""
        return any(catches(self.module, f) for name, f in functions.items() if name in self.involved)


def may_catch(module: Module) -> bool:
    """Whether some function of the module has a handler that goes on: else there is nothing to do."""
    texts = ((name, module.functions[name].unparsed) for name in list(module.functions))
    return any(catches(module, module.body(name)) for name, text in texts if text is not None and _HANDLER in text)


def calls(function: Function) -> Iterator[Instruction]:
    return (i for i in function.instructions() if i.opcode in ("call", "invoke"))


def catches(module: Module, function: Function) -> bool:
    """Whether a handler of the function does anything else in the end than throw again what it caught."""
    pads = [i.block for i in function.instructions() if i.opcode == "landingpad" and i.operands]
    return any(_goes_on(module, b) for b in _reachable([b for b in pads if b is not None]))


def _goes_on(module: Module, block: Block) -> bool:
    """Whether a block returns, throws, or ends the program in a way of its own."""
    if block.terminator.opcode == "ret":
        return True
    names = {
        i.callee.name for i in block.instructions if i.opcode in ("call", "invoke") and isinstance(i.callee, GlobalRef)
    }
    return any(name in module.functions and abi.ends(module, name) for name in names)


def _reachable(blocks: list[Block]) -> set[Block]:
    work, found = list(blocks), set[Block]()
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work += block.successors
    return found
