"""Gives each `copyprivate` a place in memory that the threads of its team share.

One thread of the team stores there where its variables are, and the others copy these
(toolchain/stand_ins/teams.c). The place is a variable of the function that forks, which the region captures. So for all
analyses, it is a shared variable of the program. If the function with `copyprivate` is called by others than a region,
there is no such place, and its regions run in teams of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

from enzyme_cc.link.inputs.module_text import NAME, ModuleText, quoted, unquoted, with_first
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.openmp import COPYPRIVATE, FORK, TEAM

_CALL = f"@{COPYPRIVATE}("
_ON_TEAM = f"@{TEAM}{COPYPRIVATE}("
_DECLARATION = f"declare void {_ON_TEAM}ptr, i32, i64, ptr, ptr, i32, ptr)"
_FORK = re.compile(
    rf"@{FORK}\((?P<place>ptr [^\n]*?), i32 (?P<count>\d+), ptr (?P<flags>(?:nonnull |noundef )*)@(?P<region>{NAME})"
)


def with_shared_places(text: str) -> str:
    """Returns the text in which regions that requests may reach are given a place for each `copyprivate` in them."""
    if _CALL not in text:
        return text
    module = ModuleText(text)
    regions, names = _Regions(module), count()
    sites: dict[str, list[str]] = {}
    given: dict[str, list[str]] = {}
    for entity in sorted(reached_by_requests(module), key=lambda entity: entity.start):
        chain = regions.up_to_fork(entity.name) if _CALL in module.of(entity) else None
        if chain is not None:
            sites[entity.name] = [f"%ez.copyprivate.{next(names)}" for _ in range(module.of(entity).count(_CALL))]
            for name in chain:
                given.setdefault(name, []).extend(sites[entity.name])
    if not sites:
        return text
    changed = linkage.edit(module, lambda entity, body: _changed(body, sites.get(entity.name, []), given))
    return f"{changed}\n{_DECLARATION}\n"


def _changed(text: str, sites: list[str], given: dict[str, list[str]]) -> str | None:
    """Returns a function that passes places on. `sites`: those of its own calls, `given`: those of each function."""
    made = [place for region in dict.fromkeys(_forks(text)) for place in given.get(region, ())]
    openings = {f"@{quoted(name)}(": places for name, places in given.items() if f"@{quoted(name)}(" in text}
    if not text.startswith("define") or not (made or openings):
        return None
    if openings:
        calls = re.compile("|".join(map(re.escape, openings)))
        text = _with_operands(text, calls, lambda found: openings[found[0]])
    text = _with_operands(text, _FORK, lambda found: given.get(unquoted(found["region"]), []))
    text = _FORK.sub(lambda found: _counted(found, given), text)
    text = with_first(text, "".join(f"  {place} = alloca ptr, align 8\n" for place in made))
    of_sites = iter(sites)
    own = _with_operands(text, re.compile(re.escape(_CALL)), lambda _: [next(of_sites)]) if sites else text
    return own.replace(_CALL, _ON_TEAM) if sites else own


def _with_operands(text: str, call: re.Pattern[str], places: Callable[[re.Match[str]], list[str]]) -> str:
    """Returns the text with operands added to calls, or parameters to a definition. `call` matches their beginnings."""
    pieces, end = [], 0
    for found in call.finditer(text):
        close = _close(text, found.start())
        pieces += [text[end:close], *(f", ptr {place}" for place in places(found))]
        end = close
    return "".join([*pieces, text[end:]])


def _close(text: str, start: int) -> int:
    """Returns where the first bracket behind a place is closed."""
    depth = 0
    for found in re.compile(r"[()]").finditer(text, start):
        depth += 1 if found[0] == "(" else -1
        if not depth:
            return found.start()
    raise ValueError(text[start : start + 80])


def _counted(fork: re.Match[str], given: dict[str, list[str]]) -> str:
    captures = int(fork["count"]) + len(given.get(unquoted(fork["region"]), ()))
    return f"@{FORK}({fork['place']}, i32 {captures}, ptr {fork['flags']}@{fork['region']}"


def _forks(text: str) -> Iterator[str]:
    return (unquoted(found["region"]) for found in _FORK.finditer(text))


class _Regions:
    """Who forks each region."""

    def __init__(self, module: ModuleText) -> None:
        self._module = module
        self._defined = [e for e in module.entities.values() if e.is_definition]
        self._forked = {region for e in self._defined if e.is_function for region in _forks(module.of(e))}

    def up_to_fork(self, name: str) -> list[str] | None:
        """Returns the function, and those that call it, up to a region. None if what calls them is not known."""
        chain: list[str] = []
        while name not in chain:
            chain.append(name)
            callers = self._callers(name)
            if name in self._forked:
                return chain if callers == [] else None
            if callers is None or len(callers) != 1:
                return None
            name = callers[0]
        return None

    def _callers(self, name: str) -> list[str] | None:
        """Returns the functions that call a function and do not fork it; None if its address is known elsewhere."""
        symbol, callers = f"@{quoted(name)}", []
        mention = re.compile(re.escape(symbol) + r"(?![-\w.$])")
        for entity in self._defined:
            text = self._module.of(entity)
            mentions = len(mention.findall(text)) if symbol in text else 0
            forks = sum(region == name for region in _forks(text)) if mentions else 0
            if mentions > forks + text.count(f"{symbol}("):
                return None
            if mentions and not forks and entity.name != name:
                callers.append(entity.name)
        return callers
