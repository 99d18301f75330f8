"""Which definitions of a large module make a part.

The parts depend on the module alone, and not on how many are compiled at once. A part ends where a hash of a name says
so: if a function changes, the other parts mostly stay what they were.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from zlib import crc32

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, labelled_functions, unquoted
from enzyme_cc.link.merged_module.parts.sizes import Sizes
from enzyme_cc.link.participants.linkage import LOCAL, has_assembly, is_constant, linkage

_ENDS = 8  # one of so many groups of functions may begin a part
_SMALL_CONSTANT = 4_000  # bytes of text
_NOT_SPLIT = re.compile(r"^attributes #\d+ = \{[^\n]*\bsanitize_", re.MULTILINE)  # passes of sanitizers see the module
_INLINE_ASSEMBLY = re.compile(r'\basm [^"\n]*"([^"\n]*)"')
_COMDAT = re.compile(rf" comdat\(\$({NAME})\)")
_BOUND = re.compile(r"@[^\n]*? = (?:appending |[^\"\n]*?\b(?:alias|ifunc) )")
# A callee stands before a bracket, and so does a function where it is defined.
_USE = re.compile(rf'"[^"\n]*"|@({NAME})(\(?)|!(\d+)')
_STRING = re.compile(r'"[^"\n]*"')
_LABEL = "blockaddress("
_NEVER_INLINED = re.compile(r"^attributes (#\d+) = \{[^\n]*\b(?:noinline|optnone)\b", re.MULTILINE)
_GROUP = re.compile(r"#\d+")


class TextReferences(NamedTuple):
    """What a text names: functions and variables in order, those that are not just called, and metadata."""

    names: dict[str, None]
    values: frozenset[str]
    nodes: dict[int, None]

    @classmethod
    def of(cls, text: str) -> TextReferences:
        """Reads a text. Strings in it name nothing."""
        names: dict[str, None] = {}
        values, nodes = set[str](), dict[int, None]()
        for name, call, node in _USE.findall(text):
            if name:
                names[name] = None
                if not call:
                    values.add(name)
            elif node:
                nodes[int(node)] = None
        plain = {name: unquoted(name) for name in names}
        return cls(dict.fromkeys(plain.values()), frozenset(plain[name] for name in values), nodes)


class Partition(Struct, frozen=True):
    """The definitions of each part by name, in the module's order.

    - `copied` are in all parts that name them, and in none of these lists.
    - `uses`: what each definition of the module names.
    """

    parts: tuple[tuple[str, ...], ...]
    copied: frozenset[str]
    uses: Mapping[str, TextReferences]


def partition(module: ModuleText, sizes: Sizes) -> Partition | None:
    """Returns the parts of a module. None if it stays whole: it is one part, or something in it sees all of it.

    - What LLVM may inline goes along: functions that are called once stay with their callers, and small local functions
      whose address is not taken are copied. So are small constants.
    - What must be in one module stays in one part: the members of a COMDAT group, aliases and what they stand for,
      lists that the linker joins and what they name, labels and those who take their addresses.
    - A variable is in the first part that names it.
    """
    if has_assembly(module) or _NOT_SPLIT.search(module.text):
        return None
    graph = _Graph(module, sizes)
    words = {word for line in _INLINE_ASSEMBLY.findall(module.text) for word in re.findall(r"[\w.$]+", line)}
    if any(graph.is_local(name) for name in words & graph.texts.keys()):
        return None
    copied = frozenset(graph.copied())
    groups = graph.groups(copied)
    parts = [*_cut(groups, graph.lines, sizes)]
    return Partition(graph.with_variables(parts, groups, copied), copied, graph.uses) if len(parts) > 1 else None


def comdat_group(name: str, head: str) -> str | None:
    """Returns the COMDAT group of a definition, by its first line. None if it has none."""
    if " comdat" not in head or " comdat" not in bare(head):
        return None
    found = _COMDAT.search(head)
    return unquoted(found[1]) if found else name


def bare(text: str) -> str:
    """Returns the text with empty strings."""
    return _STRING.sub('""', text)


class _Groups:
    """Definitions that stay together, by the first of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._order = {name: i for i, name in enumerate(names)}
        self._first = {name: name for name in self._order}

    def first(self, name: str) -> str:
        while self._first[name] != name:
            self._first[name] = self._first[self._first[name]]
            name = self._first[name]
        return name

    def join(self, one: str, other: str) -> None:
        one, other = sorted((self.first(one), self.first(other)), key=self._order.__getitem__)
        self._first[other] = one

    def members(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._order:
            found[self.first(name)].append(name)
        return found


class _Graph:
    """The definitions of a module, and which of them name which."""

    def __init__(self, module: ModuleText, sizes: Sizes) -> None:
        defined = {name: entity for name, entity in module.entities.items() if entity.is_definition}
        self.module, self.sizes = module, sizes
        self.entities: Mapping[str, Entity] = defined
        self.texts = {name: module.of(entity) for name, entity in defined.items()}
        self.heads = {name: text.partition("\n")[0] for name, text in self.texts.items()}
        self.lines = {name: text.count("\n") for name, text in self.texts.items()}
        self.uses = {name: TextReferences.of(text) for name, text in self.texts.items()}
        self.named = {
            name: [other for other in uses.names if other in defined and other != name]
            for name, uses in self.uses.items()
        }
        self.users: dict[str, list[str]] = defaultdict(list)
        for name, others in self.named.items():
            for other in others:
                self.users[other].append(name)

    def is_local(self, name: str) -> bool:
        return linkage(self.heads[name]) in LOCAL

    def copied(self) -> Iterator[str]:
        """Yields the definitions of which each part that names them has a copy."""
        addressed = {name for uses in self.uses.values() for name in uses.values}
        addressed |= labelled_functions(self.module.text)
        kept = set(_NEVER_INLINED.findall(self.module.text))
        bound = {other for name in self.texts if self._is_bound(name) for other in self.named[name]}
        for name, entity in self.entities.items():
            head = _STRING.sub("", self.heads[name])
            if name in bound or " comdat" in head or linkage(head) not in LOCAL or _LABEL in self.texts[name]:
                continue
            if entity.is_function:
                is_inlined = self.lines[name] <= self.sizes.small and kept.isdisjoint(
                    _GROUP.findall(head.rpartition(")")[2])
                )
                if is_inlined and name not in addressed:
                    yield name
            elif is_constant(head) and " unnamed_addr " in head and len(self.texts[name]) <= _SMALL_CONSTANT:
                yield name

    def _is_bound(self, name: str) -> bool:
        return not self.entities[name].is_function and bool(_BOUND.match(self.heads[name]))

    def groups(self, copied: frozenset[str]) -> dict[str, list[str]]:
        """Returns the definitions that stay together, by the first of them."""
        groups = _Groups(name for name in self.texts if name not in copied)
        self._join_bound(groups)
        for label in labelled_functions(self.module.text) & self.texts.keys():
            for user in self.users[label]:
                groups.join(label, user)
        size = {first: sum(self.lines[name] for name in names) for first, names in groups.members().items()}
        for name, lines in self.lines.items():
            caller = self._only_caller(name, copied)
            if caller is None or lines > self.sizes.called_once:
                continue
            one, other = groups.first(caller), groups.first(name)
            if one != other and size[one] + size[other] <= self.sizes.least:
                groups.join(one, other)
                size[groups.first(one)] = size[one] + size[other]
        return groups.members()

    def _join_bound(self, groups: _Groups) -> None:
        leaders: dict[str, str] = {}
        for name, head in self.heads.items():
            group = comdat_group(name, head)
            if group is not None:
                groups.join(name, leaders.setdefault(group, name))
            if self._is_bound(name):
                for other in self.named[name]:
                    groups.join(name, other)

    def _only_caller(self, name: str, copied: frozenset[str]) -> str | None:
        """Returns the function that alone names a local function."""
        users = [user for user in self.users[name] if user != name]
        if name in copied or len(users) != 1 or not self.entities[name].is_function or not self.is_local(name):
            return None
        return users[0] if users[0] not in copied and self.entities[users[0]].is_function else None

    def with_variables(
        self, parts: list[list[str]], groups: Mapping[str, list[str]], copied: frozenset[str]
    ) -> tuple[tuple[str, ...], ...]:
        """Returns the parts of functions with the variables that they are the first to name."""
        group = {name: names for names in groups.values() for name in names}
        placed = {name for part in parts for name in part}
        found = []
        for part in parts:
            members, seen, waiting = set(part), set(part), [*part]
            while waiting:
                for name in self.named[waiting.pop()]:
                    if name in seen:
                        continue
                    seen.add(name)
                    if name in copied:
                        waiting.append(name)
                    elif name not in placed:
                        members.update(group[name])
                        placed.update(group[name])
                        waiting.extend(group[name])
            found.append(members)
        found[0].update(name for name in group if name not in placed)
        return tuple(tuple(name for name in self.texts if name in members) for members in found)


def _cut(groups: Mapping[str, list[str]], lines: Mapping[str, int], sizes: Sizes) -> Iterator[list[str]]:
    """Yields the functions of each part."""
    part: list[str] = []
    size = 0
    for first, names in groups.items():
        own = sum(lines[name] for name in names)
        if own <= len(names):  # variables have one line each
            continue
        ends = size >= sizes.least and crc32(first.encode("utf-8", "surrogateescape")) % _ENDS == 0
        if part and (ends or size + own > sizes.most):
            yield part
            part, size = [], 0
        part += names
        size += own
    yield part
