"""How much code lies behind a definition: the size of all that its references lead to.

A class library is mostly one strongly connected component, and each of its methods leads to all of it. So what lies
behind is a set of components. A set is an integer, of which each bit stands for a component: unions and differences
are one operation. The size of a set is summed by the binary digits of the sizes: for each digit, the components with
this digit are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from msgspec import Struct, field

from enzyme_cc.ir.graphs import strongly_connected
from enzyme_cc.link.inputs.units import Definition, Unit


class Components(Struct):
    """The components of definitions that refer to each other, found as they are asked for.

    `behind` gives the size of a definition's text, and the definitions that it refers to. `reached` are the definitions
    that cost nothing; `reach` tells of each that is added to them.
    """

    behind: Callable[[Unit, str], tuple[int, Sequence[Definition]]]
    reached: Container[Definition]
    _number_of: dict[Definition, int] = field(default_factory=dict)
    _with_behind: list[int] = field(default_factory=list)
    _digits: list[int] = field(default_factory=list)
    _done: int = 0

    def cost(self, start: Definition) -> int:
        """Returns the size of the text that a definition would bring, beyond what is reached.

        What reached definitions refer to must be reached, too.
        """
        self._find(start)
        new = self._with_behind[self._number_of[start]] & ~self._done
        return sum((new & digit).bit_count() << place for place, digit in enumerate(self._digits))

    def reach(self, place: Definition) -> None:
        """Notes that a definition is reached."""
        if (number := self._number_of.get(place)) is not None:
            self._done |= 1 << number

    def _find(self, start: Definition) -> None:
        """Finds the components that a definition leads to, each after those behind it."""
        for members in strongly_connected(start, lambda place: self.behind(*place)[1], self._number_of):
            number = len(self._with_behind)
            self._number_of.update(dict.fromkeys(members, number))
            self._enter(number, members)

    def _enter(self, number: int, members: Sequence[Definition]) -> None:
        """Enters a component: its size, and what is behind it."""
        references = [self.behind(*member) for member in members]
        found = own = 1 << number
        for other in {self._number_of[place] for _, places in references for place in places} - {number}:
            found |= self._with_behind[other]
        self._with_behind.append(found)
        self._done |= own if members[0] in self.reached else 0
        size = sum(size for size, _ in references)
        self._digits += [0] * (size.bit_length() - len(self._digits))
        for place in range(size.bit_length()):
            self._digits[place] |= own if size >> place & 1 else 0
