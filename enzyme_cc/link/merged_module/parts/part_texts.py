"""The texts of a module's parts: each is a module that declares what others define.

A local definition that another part names becomes hidden, under a name of its own. Metadata and attributes are numbered
by their first use, and what is not used is left out: so a change elsewhere changes nothing in a part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME, ModuleText, quoted, unquoted
from enzyme_cc.link.merged_module.parts.partition import Partition, TextReferences, bare, comdat_group
from enzyme_cc.link.participants.linkage import LOCAL, aliases, declaration, lasting, linkage, with_linkage

#: what the name of a local definition ends with if other parts name it
SHARED = ".ez_shared"

_NODE = re.compile(r"^!(\d+) = ", re.MULTILINE)
_NODE_USE = re.compile(r"!(\d+)")
_NAMED_LIST = re.compile(r"^![A-Za-z][^\n]* = !\{")
_UNITS = "!llvm.dbg.cu = "
_VARIABLES = re.compile(r"\bglobals: !(\d+)")
_OF_FIRST_PART = re.compile(r", (?:enums|retainedTypes|imports|macros): !\d+")
_DEBUG = re.compile(r"!dbg !(\d+)")
_NUMBERED_GROUP = re.compile(r"attributes #(\d+) = ")
_TYPE = re.compile(rf"(%{NAME}) = type ")
_TYPE_USE = re.compile(r'%(?:"[^"\n]*"|[A-Za-z_$.][-\w.$]*|\d+)')
_COMDAT = re.compile(rf"\$({NAME}) = comdat ")
# What is renamed and renumbered; strings are matched, too.
_TOKEN = re.compile(rf'@({NAME})|"[^"\n]*"|!(\d+)|#(\d+)')
_FUNCTION_NAME = re.compile(rf"@{NAME}\(")
_KEPT_OF_FUNCTION = re.compile(r"\b(?:local_)?unnamed_addr\b|#\d+|\baddrspace\(\d+\)")
_FLAGS = re.compile(
    rf"@{NAME} = (?:hidden |protected |dso_local |dso_preemptable )*"
    r"(?:thread_local(?:\(\w+\))? |(?:local_)?unnamed_addr |addrspace\(\d+\) |externally_initialized )*"
    r"(?:global|constant) "
)
_ALIGNED = re.compile(r", align \d+")
_BRACKET = re.compile(r'"[^"\n]*"|[\[\](){}<>]')
_OPENING, _CLOSING = frozenset("([{<"), frozenset(")]}>")
_ATOM = re.compile(r'ptr(?: addrspace\(\d+\))?|%(?:"[^"\n]*"|[-\w.$]+)|target\([^)]*\)|\w+')


def part_texts(module: ModuleText, found: Partition) -> Iterator[str]:
    """Yields the text of each part."""
    whole = _Whole(module, found.uses)
    drafts = [whole.draft(names, found.copied) for names in found.parts]
    homes = {name for names in found.parts for name in names}
    shared = frozenset[str]().union(*(d.named - d.defined for d in drafts)) & homes
    described: set[int] = set()  # compilation units
    for draft in drafts:
        yield _text(whole, draft, shared, described)
        described |= whole.units.intersection(draft.nodes)


class _Draft(Struct, frozen=True, dict=True):
    """What is in a part: definitions in order, the numbers of metadata, and the names of all that these name."""

    names: Sequence[str]
    nodes: Sequence[int]
    named: frozenset[str]

    @cached_property
    def defined(self) -> frozenset[str]:
        return frozenset(self.names)


class _Whole:
    """The lines of a module by what they define."""

    def __init__(self, module: ModuleText, uses: Mapping[str, TextReferences]) -> None:
        self.module, self.uses = module, uses
        self.header: list[str] = []
        self.types: dict[str, str] = {}
        self.comdats: dict[str, str] = {}
        self.groups: dict[int, str] = {}
        self.lists: list[str] = []
        self.nodes: dict[int, str] = {}
        self.aliases = aliases(module)
        for line in self._other_lines():
            self._sort(line)
        globals_ = (e for e in module.entities.values() if not e.is_function and e.is_definition)
        self.described = {int(n) for e in globals_ for n in _DEBUG.findall(module.of(e))}
        self._of_nodes = {number: TextReferences.of(line) for number, line in self.nodes.items()}
        self.units = frozenset(number for number, line in self.nodes.items() if " !DICompileUnit(" in line)
        self._always = [n for line in self.lists if not line.startswith(_UNITS) for n in TextReferences.of(line).nodes]

    def _other_lines(self) -> Iterable[str]:
        position = 0
        for entity in self.module.entities.values():
            yield from self.module.text[position : entity.start].split("\n")
            position = entity.end
        yield from self.module.text[position:].split("\n")

    def _sort(self, line: str) -> None:
        if found := _NODE.match(line):
            self.nodes[int(found[1])] = line
        elif found := _NUMBERED_GROUP.match(line):
            self.groups[int(found[1])] = line
        elif found := _TYPE.match(line):
            self.types[found[1]] = line
        elif found := _COMDAT.match(line):
            self.comdats[unquoted(found[1])] = line
        elif _NAMED_LIST.match(line):
            self.lists.append(line)
        elif line and not line.startswith(";"):
            self.header.append(line)

    def draft(self, names: Iterable[str], copied: frozenset[str]) -> _Draft:
        """Returns what is in the part with these definitions: also copies, and all that they need."""
        members, nodes, named = set(names), set[int](), set[str]()
        waiting, numbers = [*members], self._always
        while waiting:
            uses = [self.uses[name] for name in waiting]
            new = {name for use in uses for name in use.names}
            numbers = [*numbers, *(n for use in uses for n in use.nodes)]
            new.update(name for n in self._reached(numbers, nodes) for name in self._of_nodes[n].names)
            named |= new
            waiting = [name for name in new & copied if name not in members]
            members.update(waiting)
        order = [name for name in self.module.entities if name in members]
        return _Draft(order, sorted(nodes), frozenset(named & self.module.entities.keys()))

    def _of(self, name: str) -> str:
        return self.module.of(self.module.entities[name])

    def _reached(self, numbers: Iterable[int], nodes: set[int]) -> list[int]:
        """Adds the metadata that these lead to, and returns what was added."""
        found, waiting = [], [*numbers]
        while waiting:
            number = waiting.pop()
            if number not in nodes and number in self.nodes:
                nodes.add(number)
                found.append(number)
                waiting += self._of_nodes[number].nodes
        return found

    def is_leaf(self, number: int) -> bool:
        """True if this metadata names no other."""
        return len(self._of_nodes[number].nodes) == 1

    def declared(self, name: str, is_shared: bool) -> str:
        """Returns the line that declares an entity. `is_shared`: it is hidden."""
        entity = self.module.entities[name]
        text = self._of(entity.name)
        head = text.partition("\n")[0]
        if not entity.is_definition:
            return head
        if is_shared:
            head = with_linkage(head, "hidden")
        elif name not in self.aliases and "ifunc" not in head:
            head = with_linkage(head, "")
        if entity.is_function:
            return _declared_function(head)
        if _FLAGS.match(head):
            return _declared_variable(head)
        return declaration(entity, lambda _: "ptr", text)


def _text(whole: _Whole, draft: _Draft, shared: frozenset[str], described: Collection[int]) -> str:
    """Returns a part. `described`: the compilation units whose types and imports are in parts before it."""
    module = whole.module
    local = {name for name in shared if linkage(_head(module, name)) in LOCAL}

    def defined(name: str) -> str:
        text = module.of(module.entities[name])
        if name not in shared:
            return text
        head, newline, rest = text.partition("\n")
        return (with_linkage(head, "hidden") if name in local else lasting(head)) + newline + rest

    # in the module's order: variables without a name are numbered in order
    named = draft.named | draft.defined
    lines = (defined(n) if n in draft.defined else whole.declared(n, n in local) for n in module.entities if n in named)
    body = "\n".join(line.rstrip("\n") for line in lines)
    numbers = _Numbers(lambda name: quoted(name + SHARED) if name in local else None)
    body = numbers.renamed(body)
    lists = [numbers.renamed(line) for line in _lists(whole, draft)]
    here = {int(n) for name in draft.names for n in _DEBUG.findall(_head(module, name))}
    variables = {
        int(n): unit in described
        for unit in whole.units.intersection(draft.nodes)
        for n in _VARIABLES.findall(whole.nodes[unit])
    }

    def node(number: int) -> str:
        line = whole.nodes[number]
        if number in described:
            line = _OF_FIRST_PART.sub("", line)
        if number in variables:
            line = _with(line, lambda n: n in here or not (variables[number] or n in whole.described))
        return numbers.renamed(line)

    nodes = {number: node(number) for number in numbers.nodes}  # grows
    # An LLVM with assertions may refuse an imported entity (using) whose file is defined below.
    ordered = [line for _, line in sorted(nodes.items(), key=lambda node: not whole.is_leaf(node[0]))]
    groups = [numbers.renamed(whole.groups[number]) for number in numbers.groups]
    groups_of_links = frozenset(_comdats(module, draft))
    comdats = [line for name, line in whole.comdats.items() if name in groups_of_links]
    return "\n".join([*whole.header, *_types(whole, body), *comdats, body, *groups, *lists, *ordered, ""])


class _Numbers:
    """Numbers of metadata and attributes in a part, by their first use. `renaming` gives the new names of symbols."""

    def __init__(self, renaming: Callable[[str], str | None]) -> None:
        self.nodes: list[int] = []
        self.groups: list[int] = []
        self._renaming = renaming
        self._new_names: dict[str, str] = {}
        self._new_nodes: dict[int, int] = {}
        self._new_groups: dict[int, int] = {}

    def renamed(self, text: str) -> str:
        """Returns the text with new names and numbers."""
        return _TOKEN.sub(self._new, text)

    def _new(self, found: re.Match[str]) -> str:
        name, node, group = found.groups()
        if name is not None:
            if name not in self._new_names:
                self._new_names[name] = "@" + (self._renaming(unquoted(name)) or name)
            return self._new_names[name]
        if node is not None:
            return f"!{_numbered(int(node), self._new_nodes, self.nodes)}"
        return f"#{_numbered(int(group), self._new_groups, self.groups)}" if group is not None else found[0]


def _numbered(old: int, numbers: dict[int, int], order: list[int]) -> int:
    if old not in numbers:
        numbers[old] = len(order)
        order.append(old)
    return numbers[old]


def _lists(whole: _Whole, draft: _Draft) -> Iterator[str]:
    """Yields the named lists of metadata; of compilation units, those that the part uses."""
    nodes = frozenset(draft.nodes)
    for line in whole.lists:
        if not line.startswith(_UNITS):
            yield line
        elif units := [f"!{n}" for n in map(int, _NODE_USE.findall(line)) if n in nodes]:
            yield f"{_UNITS}!{{{', '.join(units)}}}"


def _with(line: str, is_kept: Callable[[int], bool]) -> str:
    """Returns a list of metadata with those that are kept."""
    start, brace, rest = line.partition("!{")
    return start + brace + ", ".join(f"!{n}" for n in map(int, _NODE_USE.findall(rest)) if is_kept(n)) + "}"


def _types(whole: _Whole, body: str) -> list[str]:
    """Returns the definitions of the types that a text uses, in the module's order."""
    waiting = {*_TYPE_USE.findall(body)} & whole.types.keys()
    used: set[str] = set()
    while waiting:
        name = waiting.pop()
        used.add(name)
        waiting |= ({*_TYPE_USE.findall(whole.types[name])} & whole.types.keys()) - used
    return [line for name, line in whole.types.items() if name in used]


def _comdats(module: ModuleText, draft: _Draft) -> Iterator[str]:
    for name in draft.names:
        group = comdat_group(name, _head(module, name))
        if group is not None:
            yield group


def _head(module: ModuleText, name: str) -> str:
    return module.of(module.entities[name]).partition("\n")[0]


def _declared_function(head: str) -> str:
    """Returns the declaration of a function by the first line of its definition."""
    found = _FUNCTION_NAME.search(head)
    assert found is not None, head
    start = found.end() - 1
    end = _balanced(head, start)
    kept = _KEPT_OF_FUNCTION.findall(bare(head[end:]))
    return " ".join(["declare", head[len("define ") : end], *kept])


def _declared_variable(head: str) -> str:
    """Returns the declaration of a variable by its definition."""
    flags = _FLAGS.match(head)
    assert flags is not None, head
    end = _type_end(head, flags.end())
    name, is_, rest = head[:end].partition(" = ")
    aligned = _ALIGNED.findall(bare(head[end:]))[-1:]
    return f"{name}{is_}external {rest}{''.join(aligned)}"


def _type_end(text: str, start: int) -> int:
    """Returns where the type that starts there ends."""
    if text[start] in _OPENING:
        return _balanced(text, start)
    found = _ATOM.match(text, start)
    assert found is not None, text[start : start + 80]
    return found.end()


def _balanced(text: str, start: int) -> int:
    """Returns the end of what the bracket there opens."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += (found[0] in _OPENING) - (found[0] in _CLOSING)
        if not depth:
            return found.end()
    raise AssertionError(text[start : start + 80])
