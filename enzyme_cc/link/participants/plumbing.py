"""Finds functions that direct calls reach, bring much code, and hardly compute: strings, files, databases.

A library may open a database in a branch of the function that is differentiated. All code behind that call would take
part. So if direct calls reach more text than a budget, functions are left out that

- dominate at least half as much text as the budget: it is reached through them only;
- have almost no arithmetic behind them. Moves of numbers in arrays count as arithmetic: they move what carries a
  derivative (halo exchanges, copies into buffers).

How few operations are almost none depends on how much is reached: text of several times the budget links in a
reasonable time, so code within that is left out only if it is hardly ever about numbers.

Of a chain of such functions, the last one is left out. The program runs it as native code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from enzyme_cc.ir.graphs import Dominators, reachable, reverse_postorder_from
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText
from enzyme_cc.link.inputs.units import Definition
from enzyme_cc.link.participants import linkage

_NUMBERS = "half|bfloat|float|double|x86_fp80|fp128"
_NUMBER = re.compile(rf"\b(?:{_NUMBERS})\b")
_FUNCTIONS = "fma|fmuladd|sqrt|cbrt|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|log|pow|hypot|erf"
_ARITHMETIC = re.compile(rf" (?:fadd|fsub|fmul|fdiv|frem|fneg) |@(?:llvm\.)?(?:{_FUNCTIONS})[fl]?[(.]")
_VECTOR = rf"(?:<\d+ x )?(?:{_NUMBERS})>?"
_LOADED = re.compile(rf"^  (%{NAME}) = load {_VECTOR}, ", re.M)
_STORED = re.compile(rf"^  store {_VECTOR} (%{NAME}), ptr (%{NAME}),", re.M)
# An address in an array of numbers, which a function for bytes is given.
_ELEMENT = re.compile(rf"^  (%{NAME}) = getelementptr (?:inbounds )?(?:nuw )?(?:{_NUMBERS}), ptr ", re.M)
_COPIES = re.compile(r" call [^\n]*@(?:llvm\.)?mem(?:cpy|move)[^\n(]*\(([^\n]*)")
# The place of a variable or of a member of a struct.
_SINGLE = re.compile(rf"^  (%{NAME}) = (?:alloca |getelementptr (?:inbounds )?(?:nuw )?%)", re.M)
_LOCAL = re.compile(rf"%{NAME}")
_TYPE = re.compile(rf"%({NAME})")
_BY_VALUE = re.compile(rf"\b(?:byval|sret)\(%({NAME})\)")
#: lines of code for each operation on numbers, or more: little arithmetic
LITTLE = 500
#: the same: hardly any, as in code for databases and networks
HARDLY_ANY = 2000
# A move of a number in a loop counts as so many operations: little else shows that a derivative passes there.
_MOVE = 8


class Weight(Struct, frozen=True):
    """What is reached: the size of the text, its lines, and the operations on numbers, with moves in arrays."""

    size: int = 0
    lines: int = 0
    arithmetic: int = 0

    @classmethod
    def of(cls, text: str) -> Weight:
        return cls(len(text), text.count("\n"), len(_ARITHMETIC.findall(text)) + _MOVE * _moves(text))

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.size + other.size, self.lines + other.lines, self.arithmetic + other.arithmetic)

    def has_little_arithmetic(self, little: int = LITTLE) -> bool:
        """True if there are at least `little` lines for each operation on numbers."""
        return self.arithmetic * little <= self.lines


def _moves(function: str) -> int:
    """Returns how many instructions move numbers to arrays of numbers."""
    loaded, single = set(_LOADED.findall(function)), set(_SINGLE.findall(function))
    stores = sum(value in loaded and place not in single for value, place in _STORED.findall(function))
    elements = set(_ELEMENT.findall(function))
    copies = _COPIES.findall(function) if elements else ()
    return stores + sum(not elements.isdisjoint(_LOCAL.findall(arguments)) for arguments in copies)


def plumbing(
    starts: Sequence[Definition],
    successors: Callable[[Definition], Sequence[Definition]],
    text_of: Callable[[Definition], str],
    budget: int,
    may_be_left_out: Callable[[Definition], bool],
    little: int = LITTLE,
) -> list[Definition]:
    """Returns the functions to leave out, until what is reached has the size of the budget, or none is left.

    `little`: so many lines for each operation on numbers show that a function is plumbing.
    """
    weights: dict[Definition, Weight] = {}
    left_out: dict[Definition, None] = {}

    def weigh(place: Definition) -> Weight:
        if place not in weights:
            weights[place] = Weight.of(text_of(place))
        return weights[place]

    def kept(places: Sequence[Definition]) -> list[Definition]:
        return [place for place in places if place not in left_out]

    while sum(weigh(place).size for place in reachable(starts, lambda p: kept(successors(p)))) > budget:
        for place, behind in dominated(starts, lambda p: kept(successors(p)), weigh):
            if 2 * behind.size >= budget and behind.has_little_arithmetic(little) and may_be_left_out(place):
                left_out[place] = None
                break
        else:
            break
    return list(left_out)


def dominated(
    starts: Sequence[Definition],
    successors: Callable[[Definition], Sequence[Definition]],
    weigh: Callable[[Definition], Weight],
) -> list[tuple[Definition, Weight]]:
    """Returns what is reached, each with the weight of all that it dominates, those with nothing behind them first."""
    same: dict[Definition, Definition] = {}  # the dominator tree compares nodes by identity

    def following(place: Definition | None) -> list[Definition | None]:
        return [same.setdefault(p, p) for p in (starts if place is None else successors(place))]

    order = reverse_postorder_from(None, following)
    before: dict[Definition | None, list[Definition | None]] = {place: [] for place in order}
    for place in order:
        for after in following(place):
            before[after].append(place)
    above = Dominators(order, before).idom
    total = {place: Weight() if place is None else weigh(place) for place in order}
    for place in reversed(order[1:]):
        total[above[place]] += total[place]
    return [(place, total[place]) for place in reversed(order) if place is not None]


def is_plain(module: ModuleText, function: Entity) -> bool:
    """True if the link has one function of this name, and it takes and returns no numbers by value.

    It has no alias, and no variable arguments.
    """
    head = module.of(function).partition("\n")[0]
    is_only_one = head.startswith("define ") and not linkage.linkage(head) and " comdat" not in head
    has_alias = function.name in linkage.aliased(module)
    return is_only_one and not has_alias and "..." not in head and not _numbers(module, head)


def _numbers(module: ModuleText, head: str) -> bool:
    """True if the function takes or returns numbers by value, also in structs."""
    names = [*_TYPE.findall(head.partition("@")[0]), *_BY_VALUE.findall(head)]

    def members(name: str) -> list[str]:
        return _TYPE.findall(_body(module, name))

    return bool(_NUMBER.search(head)) or any(_NUMBER.search(_body(module, name)) for name in reachable(names, members))


def _body(module: ModuleText, name: str) -> str:
    """Returns the members of a type by its name."""
    start = module.text.find(f"\n%{name} = type ") + 1
    return module.text[start : module.text.find("\n", start)].partition(" = type ")[2] if start else ""
