"""How much code lies behind a definition: the size of all that its references lead to.

A class library is mostly one strongly connected component, and each of its methods leads to all of it. So the walk goes
from component to component.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field

from enzyme_cc.ir.graphs import strongly_connected
from enzyme_cc.link.inputs.units import Definition, Unit


@dataclass(frozen=True)
class _Component:
    """A strongly connected component: one of its members, the size of their text, and the components they refer to."""

    member: Definition
    size: int
    behind: frozenset[int]


@dataclass
class Components:
    """The components of definitions that refer to each other, found as they are asked for.

    `behind` gives the size of a definition's text, and the definitions that it refers to.
    """

    behind: Callable[[Unit, str], tuple[int, Sequence[Definition]]]
    _number_of: dict[Definition, int] = field(default_factory=dict)
    _components: list[_Component] = field(default_factory=list)

    def cost(self, start: Definition, reached: Container[Definition], most: int) -> int:
        """Returns the size of the text that a definition would bring, beyond what is reached. Stops behind `most`.

        What reached definitions refer to must be reached, too.
        """
        self._find(start)
        work, cost = [self._number_of[start]], 0
        found = set(work)
        while work and cost <= most:
            component = self._components[work.pop()]
            if component.member not in reached:
                cost += component.size
                new = component.behind - found
                found |= new
                work += new
        return cost

    def _find(self, start: Definition) -> None:
        """Finds the components that a definition leads to, each after those behind it."""
        number_of = self._number_of
        for members in strongly_connected(start, lambda place: self.behind(*place)[1], number_of):
            number = len(self._components)
            number_of.update(dict.fromkeys(members, number))
            references = [self.behind(*member) for member in members]
            behind = frozenset(number_of[place] for _, places in references for place in places) - {number}
            self._components.append(_Component(members[0], sum(size for size, _ in references), behind))
