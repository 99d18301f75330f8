"""What a neighbour of a class of errors is: a small function, in some language, that must not be differentiated wrongly."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Neighbour:
    """`text`: definitions, in which CASE stands for a name of its own; `call`: the statement that tries them."""

    name: str
    text: str
    call: str

    def named(self, number: int) -> tuple[str, str]:
        return self.text.replace("CASE", f"case_{number}"), self.call.replace("CASE", f"case_{number}")


@dataclass(frozen=True)
class Kind:
    """A class of neighbours: how they are compiled, what stands before them, and all of them.

    Comments `/*library: … */` and `/*native: … */` of the neighbours make up units of their own, the second one compiled
    by clang; both begin with `others`.
    """

    language: str
    head: str
    neighbours: tuple[Neighbour, ...]
    flags: tuple[str, ...] = ()
    others: str = ""

    def some(self, count: int, seed: int) -> list[Neighbour]:
        """Returns that many of them by chance, in their order; all if count is 0."""
        if not 0 < count < len(self.neighbours):
            return list(self.neighbours)
        chosen = set(random.Random(seed).sample(range(len(self.neighbours)), count))
        return [n for k, n in enumerate(self.neighbours) if k in chosen]


def pairs(first: Mapping[str, str], second: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """Yields the joined name of each pair, and both texts."""
    for (a, left), (b, right) in itertools.product(first.items(), second.items()):
        yield f"{a}-{b}", left, right


def of_number(name: str, body: str, before: str = "", number: str = "double", trial: str = "TRY") -> Neighbour:
    """A function of one number, in C or C++: the text of its body, in which T is the type of the number."""
    text = f"{before}\nstatic T CASE(T x) {{ {body} }}\n"
    text = f"#define T {number}\n{text}#undef T\n"
    return Neighbour(f"{name} {number}", text, f"{trial}({number}, CASE);")
