"""Which allocations the addresses come from that a program stores in a pointer of a global."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...analysis.callees import plain_name
from ...analysis.integers.offsets import global_of
from ...ir.constants import Constant
from ...ir.folding import is_zero
from ...ir.instructions import FUNCTION_CALLS
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Argument, Instruction, Value
from ...rules.memory_functions import heap_family, is_flang_runtime
from ..core.pointers import GlobalPointer
from ..core.round import PreparedRound
from .global_users import Unclear
from .heap_holders import Holder


class Origin:
    """The sources of all addresses that the program stores in one pointer of a global.

    - `made`: the calls that allocate the blocks.
    - `passed`: other calls that return such an address, and `returning`: the functions that they call.
    - `loaded`: pointers in globals from which an address was loaded. With `follows_loads`, what is stored in these is
      followed as well.
    - `is_moved`: some address may be that of a byte other than the first of its block.

    Raises Unclear if an address has a source of any other kind.
    """

    def __init__(
        self, round: PreparedRound, holders: Mapping[str, Holder], word: GlobalPointer, *, follows_loads: bool = True
    ) -> None:
        self.round = round
        self.holders = holders
        self.users = holders[word.name].users
        self.made: set[Instruction] = set()
        self.passed: set[Instruction] = set()
        self.returning: set[str] = set()
        self.loaded: set[GlobalPointer] = set()
        self.is_moved = False
        seen: set[Value] = set()
        work = self._stored_in(word)
        while work:  # each step may also add to `loaded`, and so start from more values
            v = work.pop()
            if v not in seen and not (isinstance(v, Constant) and is_zero(v)):
                seen.add(v)
                known = set(self.loaded)
                if isinstance(v, Argument):
                    work += self._passed_for(v)
                elif isinstance(v, Instruction):
                    work += self._sources(v)
                else:
                    raise Unclear
                if follows_loads:
                    work += [value for new in self.loaded - known for value in self._stored_in(new)]

    def _stored_in(self, word: GlobalPointer) -> list[Value]:
        return self.holders[word.name].stored_in(word)

    def _sources(self, v: Instruction) -> Sequence[Value]:
        match v.opcode:
            case opcode if opcode in SAME_OBJECT:
                self.is_moved |= opcode == "getelementptr"
                return SAME_OBJECT.operands(v)
            case "load":
                self.loaded |= self._pointers_at(v)
                return []
            case opcode if opcode in FUNCTION_CALLS:
                name = str(v.callee)
                is_own = self.round.callees.has_body(name) or heap_family(plain_name(name)) is None
                if is_own and not is_flang_runtime(name):
                    self.passed.add(v)
                    return self._returned_by(name)
                self.made.add(v)
                return []
        raise Unclear

    def _passed_for(self, parameter: Argument) -> list[Value]:
        """Returns what the calls of the function pass for the parameter."""
        user = next(iter(parameter.users))
        assert user.block is not None and user.block.function is not None
        name = user.block.function.name
        return [call.arguments[parameter.index] for call in self.users.calls(name)]

    def _pointers_at(self, load: Instruction) -> set[GlobalPointer]:
        found = {word for holder in self.holders.values() for word in holder.words_of(load)}
        if not found:
            raise Unclear(global_of(load.operands[0]))
        return found

    def _returned_by(self, name: str) -> list[Value]:
        function = self.round.source.functions.get(name)
        if function is None or function.is_declaration:
            raise Unclear
        self.returning.add(name)
        body = self.round.source.body(name)
        return [i.operands[0] for i in body.instructions() if i.opcode == "ret"]


def family(calls: Iterable[Instruction]) -> str:
    """Returns the function that allocates from the same heap as all of the calls; malloc if they differ."""
    found = {family for call in calls if (family := heap_family(plain_name(str(call.callee))))}
    return found.pop() if len(found) == 1 else "malloc"
