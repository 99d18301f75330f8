"""All uses of a global variable or of a function in the program."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...ir.constants import Constant, references
from ...ir.instructions import FUNCTION_CALLS
from ...ir.values import Instruction
from ..core.round import PreparedRound

#: linkage of a symbol that no other module refers to
OWN = ("internal", "private")


class Unclear(Exception):
    """The program does something with an address that the analysis of heap blocks does not follow.

    `at`: the global in which the program stores the address, if nothing is known of that global yet.
    """

    def __init__(self, at: str | None = None) -> None:
        super().__init__(at)
        self.at = at


def named_globals(i: Instruction) -> set[str]:
    """Returns the globals and functions that an instruction names."""
    return {name for o in i.operands if isinstance(o, Constant) for name in references(o)}


class Users:
    """All uses of the globals and functions of a program: the instructions that name them.

    A use in the initializer of another global is None.
    """

    def __init__(self, round: PreparedRound) -> None:
        self._round = round
        self._found: dict[str, list[Instruction | None]] = {}

    def find(self, names: Iterable[str]) -> None:
        """Finds the uses of several names in one pass over the program."""
        new = {name: list[Instruction | None]() for name in names if name not in self._found}
        self._found |= new
        if not new:
            return
        source = self._round.source
        word = re.compile(rf"(?:{'|'.join(map(re.escape, new))})(?![-\w$.])")
        for other, variable in source.globals.items():
            for name in () if other.startswith("@llvm.") else word.findall(variable.text):
                if name != other:
                    new[name].append(None)
        for function in source.functions.values():
            if not function.is_declaration and (function.unparsed is None or word.search(function.unparsed)):
                for i in source.body(function.name).instructions():
                    for name in named_globals(i) & new.keys():
                        new[name].append(i)

    def of(self, name: str) -> list[Instruction | None]:
        self.find([name])
        return self._found[name]

    def calls(self, name: str) -> list[Instruction]:
        """Returns all calls of a function. Raises Unclear if the function has other uses or external linkage."""
        function, found = self._round.source.functions[name], self.of(name)
        calls = [i for i in found if i is not None and i.opcode in FUNCTION_CALLS and str(i.callee) == name]
        if len(calls) < len(found) or not any(word in OWN for word in function.prefix.split()):
            raise Unclear
        return calls
