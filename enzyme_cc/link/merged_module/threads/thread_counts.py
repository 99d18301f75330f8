"""Warns of numbers of threads that differentiated code does not get by asking: its regions run in teams of one.

A program may give a slot to each thread, and read as many slots as it has threads. What asks for that number in
differentiated code says one. But the number may come from elsewhere:

- a global, or a member of a struct, where some function has stored what OpenMP told it;
- an argument of a request;
- a clause `num_threads`, if the region asks for its own number only, and does not run in turns (teams_of_one.py).

The first two are found in unoptimised text: from the call, through variables on the stack, to the store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from enzyme_cc.link.inputs.module_text import NAME, ModuleText, unquoted
from enzyme_cc.link.inputs.units import REQUEST, Unit
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.teams_of_one import QUERIES, Turns, forks_in, knows_only_itself
from enzyme_cc.report import Diagnostic, warn

_FORK = "@__kmpc_fork_call("
_ASKED = re.compile(rf"  (%\S+) = (?:tail )?call [^\n@]*@(?:{'|'.join(sorted(QUERIES))})_?\(")
_MADE = re.compile(r"  (%\S+) = (?:load|sext|zext|trunc|select|phi|freeze|add|sub|mul) ")
_STORE = re.compile(rf"  store i\d+ (?P<value>%\S+), ptr (?P<place>[%@]{NAME})")
_LOCAL = re.compile(rf"%{NAME}")
_MEMBER = re.compile(
    rf"  (?P<pointer>%\S+) = getelementptr [^%\n]*(?P<type>%{NAME}), ptr [^,\n]*(?P<member>(?:, i\d+ \d+)+)"
)
_LOAD = re.compile(rf"  %\S+ = load i\d+, ptr (?P<place>[%@]{NAME})")
_NUMBERED = re.compile(r"\.\d+(?=\"?$)")


def warn_of_counts(text: str, units: Iterable[Unit], text_of: Callable[[Unit], ModuleText]) -> None:
    """Warns of such numbers."""
    warn(counts_from_elsewhere(ModuleText(text), units, text_of))


def counts_from_elsewhere(
    module: ModuleText, units: Iterable[Unit], text_of: Callable[[Unit], ModuleText]
) -> list[Diagnostic]:
    """Returns what to warn of. `units` are those of the program, `text_of` gives the module of one with bitcode."""
    if _FORK not in module.text:
        return []
    reached = sorted(reached_by_requests(module), key=lambda entity: entity.start)
    turns = Turns(module, reached)
    if all(fork.name in turns.in_turns for entity in reached for fork in forks_in(module.of(entity))):
        return []
    others = [text_of(u) for u in units if u.modules and any(s.name.rstrip("_") in QUERIES for s in u.symbols)]
    kept: set[str] = set()
    passed: dict[str, None] = {}
    for other in others:
        for entity in filter(lambda e: e.is_function and e.is_definition, other.entities.values()):
            places, is_passed = _traced(other.of(entity))
            kept |= places
            passed.update({entity.name: None} if is_passed else {})
    told = [_told(name, "a number of threads is passed to a request") for name in passed]
    for entity in reached:
        text = module.of(entity)
        for place in dict.fromkeys(p for p in _loaded(text) if p in kept):
            told.append(_told(entity.name, f"differentiated code reads a number of threads from {_plain(place)}"))
        told += (
            [_told(entity.name, "a region of differentiated code is for a given number of threads")]
            if _is_given(turns, text)
            else []
        )
    return told


def _told(function: str, what: str) -> Diagnostic:
    reason = "regions run in one thread there: what other threads would write is missing"
    return Diagnostic("EZ0312", what, function=function, reason=reason)


def _plain(place: str) -> str:
    """Returns the name of a global, or `struct, i32 0, i32 2` for a member."""
    return unquoted(place[1:]) if place.startswith("@") else place[1:].partition(",")[0]


def _traced(text: str) -> tuple[set[str], bool]:
    """Returns where a function stores numbers of threads, and whether it passes one to a request."""
    marked = {found[1] for found in _ASKED.finditer(text)}
    if not marked:
        return set(), False
    members = dict(_members(text))
    places: set[str] = set()
    for _ in range(2):  # a loop may use a variable before it is stored
        for line in text.split("\n"):
            made, stored = _MADE.match(line), _STORE.match(line)
            if made is not None and not marked.isdisjoint(_LOCAL.findall(line[made.end() :])):
                marked.add(made[1])
            elif stored is not None and stored["value"].rstrip(",") in marked:
                place = stored["place"]
                is_kept = place in members or place.startswith("@")
                (places if is_kept else marked).add(members.get(place, place))
    requests = [line for line in text.split("\n") if REQUEST in line]
    return places, any(not marked.isdisjoint(_LOCAL.findall(line.partition("(")[2])) for line in requests)


def _members(text: str) -> Iterator[tuple[str, str]]:
    for found in _MEMBER.finditer(text):
        if found["type"].startswith(("%struct", '%"struct', "%class", '%"class')):
            yield found["pointer"], _NUMBERED.sub("", found["type"]) + found["member"]


def _loaded(text: str) -> Iterator[str]:
    members = dict(_members(text))
    for found in _LOAD.finditer(text):
        yield members.get(found["place"], found["place"])


def _is_given(turns: Turns, text: str) -> bool:
    """True if a function has a region with a clause `num_threads` that divides work by the number of its own thread."""
    asked = {found[1] for found in _ASKED.finditer(text)}
    given = [f for f in forks_in(text) if f.count not in ("", "1") and not (asked and f.count.startswith("%"))]
    return any(knows_only_itself(turns.names_of(f.name)) for f in given if f.name not in turns.in_turns)
