"""Where a word in a register comes from: the loads that it may be the result of, in any analysed function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...ir.constants import GlobalRef
from ...ir.graphs import reachable
from ...ir.value_edges import MOVED_WORD
from ...ir.values import Argument, Function, Instruction, Value


class MovedWords:
    """Follows words backwards through copies, structs in registers, parameters and results."""

    def __init__(self, functions: Mapping[str, Function], owner: Mapping[Argument, Function]) -> None:
        self._functions = functions
        self._owner = owner
        self._calls: dict[str, list[Instruction]] | None = None

    def loads(self, value: Value) -> Iterator[Instruction]:
        """Yields the loads that the value, or a part of it, may come from without any computation."""
        found = reachable([value], self.origins)
        return (v for v in found if isinstance(v, Instruction) and v.opcode == "load")

    def origins(self, v: Value) -> Iterable[Value]:
        """Returns the values that the value moves on."""
        if isinstance(v, Argument):
            function = self._owner.get(v)
            return [call.arguments[v.index] for call in self._calls_of(function)] if function is not None else ()
        if not isinstance(v, Instruction):
            return ()
        if v.opcode == "call":
            return _returned(self._functions.get(v.callee.name)) if isinstance(v.callee, GlobalRef) else ()
        return MOVED_WORD.operands(v)

    def _calls_of(self, function: Function) -> list[Instruction]:
        if self._calls is None:
            self._calls = {}
            for i in (i for f in self._functions.values() for i in f.instructions() if i.opcode == "call"):
                if isinstance(i.callee, GlobalRef) and i.callee.name in self._functions:
                    self._calls.setdefault(i.callee.name, []).append(i)
        return self._calls.get(function.name, [])


def _returned(function: Function | None) -> list[Value]:
    ends = [block.terminator for block in function.blocks] if function is not None else []
    return [end.operands[0] for end in ends if end.opcode == "ret" and end.operands]
