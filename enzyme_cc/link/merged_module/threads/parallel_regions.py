"""Decides whether the parallel regions of differentiated code run on teams of threads, or in teams of one.

They run on teams if all that they reach has a derivative there (rules/parallel/openmp.py). Otherwise all of them run in
teams of one: code outside of regions asks for the number of threads, and may keep something for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from msgspec import Struct

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.broadcasts import with_shared_places
from enzyme_cc.link.merged_module.threads.library_copies import with_own_copies
from enzyme_cc.link.merged_module.threads.task_reductions import with_task_reductions
from enzyme_cc.link.merged_module.threads.teams_of_one import forks_in
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.openmp import (
    FORK,
    MEMBERS_ON_TEAMS,
    TASK_COPY,
    TASK_REDUCTIONS,
    TICKETS,
    UNORDERED_UPDATES,
    is_called_itself,
    on_team,
)

_FORK = f"@{FORK}("
_UNORDERED = rf"(?:{'|'.join(sorted(UNORDERED_UPDATES))})\b"
#: Atomic accesses whose order matters for derivatives. Those of regions themselves are looked at when LLVM has
#: optimised them (autodiff/normalise/threads/forks.py): reductions have some that do not run.
_ATOMIC = re.compile(
    rf"^  (?:%\S+ = )?(?:(?P<exchange>cmpxchg)\b|atomicrmw (?:volatile )?(?!{_UNORDERED})(?P<update>\w+)"
    r"|(?P<access>load|store) atomic (?!(?:volatile )?i8\b)|(?P<fence>fence)\b)",
    re.MULTILINE,
)
#: requests for more than derivatives, which rewrite the functions that are called, and follow no forks
VARIANTS = re.compile(
    r"@\S*__enzyme_(?:truncate|expand|trace|condition|\w*likelihood|error_estimate|autodiff_errors|sample|\w*checkpoint)"
)
#: memory that other ranks of MPI may write
_SHARED = re.compile(r"@P?(?:MPI_Win_allocate_shared|mpi_win_allocate_shared\w*)\(")
_REDUCES = "@__kmpc_reduce"
_CATCHES = "@__cxa_begin_catch("
#: a new task, and what sort it is
_TASK = re.compile(
    r"@__kmpc_omp_task_alloc\(ptr [^\n]*?, i32 [^\n,]*, i32 (?:noundef )?(?P<sort>[%\w.]+), "
    rf"i64 [^\n,]*, i64 [^\n,]*, ptr (?:nonnull |noundef )*(?P<routine>[@%]{NAME})"
)
#: Any thread that begins a task ends it: 1. It may be merged with its maker (4), or have a priority (32). Others are
#: not tied, end outside, or have destructors. `final` (2) tells when a task need not be deferred.
_TIED = frozenset("1 5 33 37".split())
_MAY_BE_FINAL = r"^  {} = or (?:disjoint )?i32 %\S+, (?:1|5|33|37)(?:,|$)"
#: a task that is not deferred: its maker calls its function
_NOT_DEFERRED = "@__kmpc_omp_task_begin_if0("
_UNDEFERRED = re.compile(
    rf"^  (?:tail )?call void {re.escape(_NOT_DEFERRED)}(?P<place>ptr [^\n]*?, i32 [^\n,]*), (?P<task>ptr [^\n,]*)"
    r"\)(?P<rest>[^\n]*)\n"
    r"  (?:%\S+ = )?(?:tail )?call [^\n]*\n  (?:tail )?call void @__kmpc_omp_task_complete_if0\([^\n]*\n",
    re.MULTILINE,
)
#: those that are left (task_reductions.py)
_REDUCTIONS_OF_TASKS = frozenset([*TASK_REDUCTIONS, TASK_COPY])
_GROUP = {
    "__kmpc_taskgroup": "declare void @__kmpc_taskgroup(ptr, i32)",
    "__kmpc_omp_task": "declare i32 @__kmpc_omp_task(ptr, i32, ptr)",
    "__kmpc_end_taskgroup": "declare void @__kmpc_end_taskgroup(ptr, i32)",
}
#: functions of the C library whose stand-ins say that there is one thread
_ENVIRONMENT = frozenset(["getenv", "secure_getenv"])


class Regions(Struct, frozen=True):
    """How the regions of differentiated code run.

    `why_not`: why they run in teams of one; empty if there are none. `gathers`: threads that are made are such regions,
    too (gathered_threads.py). `in_turns`: why they are not, with a function that makes some.
    """

    on_teams: bool
    why_not: str = ""
    gathers: bool = False
    in_turns: tuple[str, str] | None = None

    def is_called_itself(self, name: str) -> bool:
        """True if a function with a stand-in is called itself."""
        return self.on_teams and (is_called_itself(name) or name in _ENVIRONMENT)


ALONE = Regions(False)


def decided(text: str, is_serial: bool) -> Regions:
    """Returns how regions run. `is_serial`: in teams of one in any case."""
    if _FORK not in text or is_serial:
        return ALONE
    module = ModuleText(_prepared(text))
    reached = sorted(reached_by_requests(module), key=lambda entity: entity.start)
    forks = [fork.region for entity in reached for fork in forks_in(module.of(entity))]
    if not forks:
        return ALONE
    if VARIANTS.search(text):
        return Regions(False, "a request asks for more than derivatives")
    if _SHARED.search(text):
        return Regions(False, "ranks of MPI share memory")
    found = next(_obstacles(module, dict.fromkeys(forks)), None)
    return Regions(True) if found is None else Regions(False, found)


def _obstacles(module: ModuleText, regions: Iterable[str]) -> Iterator[str]:
    """Yields what keeps regions from running on teams."""

    named = [unquoted(region[1:]) for region in regions if region.startswith("@")]
    if len(named) < len(list(regions)) or len(module.definitions(named)) < len(named):
        yield "the function of a region is not known"

    def from_regions(names: list[str]) -> Iterator[Entity]:
        return reachable(module.definitions(names), lambda e: module.definitions(module.ordered_references(e)))

    for region in named:
        routines = [found["routine"] for e in from_regions([region]) for found in _TASK.finditer(module.of(e))]
        tasks = from_regions([unquoted(routine[1:]) for routine in routines])
        waits = sorted(TICKETS & {name for entity in tasks for name in module.references(entity)})
        if waits:
            yield f"there is a call of {waits[0]} in a task of {region}"
    for entity in from_regions(named):
        for what in obstacles_in(module, entity, entity.name in named or _REDUCES in module.of(entity)):
            yield f"{what} in {entity.name}"


def obstacles_in(module: ModuleText, entity: Entity, is_looked_at_later: bool) -> Iterator[str]:
    """Yields what keeps a function from running on teams. `is_looked_at_later`: atomic accesses of it are."""
    text = module.of(entity)
    if not entity.is_function:
        return
    for name in module.ordered_references(entity):
        known = module.entities.get(name)
        if name in _REDUCTIONS_OF_TASKS:
            yield "a reduction of tasks is of types that are not told apart, of objects, or of a caller,"
        elif on_team(name) is None and not (known is not None and known.is_definition):
            yield f"there is a call of {name}"
    if not all(_is_usual(text, found["sort"]) for found in _TASK.finditer(text)):
        yield "a task is not tied, or always final, detached, or of objects,"
    if _CATCHES in text and _ends_exceptions(module, entity):
        yield "an exception is caught"
    for found in () if is_looked_at_later else _ATOMIC.finditer(text):
        what = found["exchange"] or found["update"] or found["access"] or found["fence"]
        yield f"there is an atomic {what}"


def _ends_exceptions(module: ModuleText, entity: Entity) -> bool:
    """Returns whether the function has a handler that does anything but clean up and throw again what it caught.

    Where all handlers throw again, an exception leaves the region: the program ends.
    """
    from enzyme_cc.autodiff.unwinding.scope import ends_what_it_catches

    return ends_what_it_catches(module.parsed, module.parsed.body(f"@{quoted(entity.name)}"))


def _is_usual(text: str, sort: str) -> bool:
    return sort in _TIED or re.search(_MAY_BE_FINAL.format(re.escape(sort)), text, re.MULTILINE) is not None


def _prepared(text: str) -> str:
    """Returns the text in which functions that requests may reach are such that they can run on teams."""
    return with_own_copies(with_shared_places(_with_groups(with_task_reductions(text))))


def _with_groups(text: str) -> str:
    """Returns the text in which functions that requests may reach make a group of each task that is not deferred."""
    if _NOT_DEFERRED not in text:
        return text
    module, number = ModuleText(text), count()
    reached = reached_by_requests(module)

    def group(found: re.Match[str]) -> str:
        place, rest = found["place"], found["rest"]
        return (
            f"  call void @__kmpc_taskgroup({place}) memory(inaccessiblemem: readwrite){rest}\n"
            f"  %ez.task{next(number)} = call i32 @__kmpc_omp_task({place}, {found['task']}){rest}\n"
            f"  call void @__kmpc_end_taskgroup({place}){rest}\n"
        )

    def edit(entity: Entity, body: str) -> str | None:
        return _UNDEFERRED.sub(group, body) if entity in reached and _NOT_DEFERRED in body else None

    missing = [line for name, line in _GROUP.items() if name not in module.entities]
    return "\n".join([linkage.edit(module, edit), *missing, ""])


def with_names_of_teams(text: str) -> str:
    """Returns the text in which functions that requests may reach call stand-ins for teams, where there are any."""
    module = ModuleText(text := _prepared(text))
    reached = reached_by_requests(module)
    renamed = {
        name: other
        for name, entity in module.entities.items()
        if entity.is_function
        and (not entity.is_definition or name in MEMBERS_ON_TEAMS)
        and (other := on_team(name)) not in (None, name)
    }
    if not renamed:
        return text
    pattern = re.compile("@(" + "|".join(re.escape(quoted(name)) for name in sorted(renamed)) + r")(?![-\w.$])")

    def rename(text: str) -> str:
        return pattern.sub(lambda found: "@" + quoted(renamed[unquoted(found[1])] or ""), text)

    def edit(entity: Entity, body: str) -> str | None:
        return rename(body) if entity in reached and entity.name not in MEMBERS_ON_TEAMS else None

    library = sorted(renamed.keys() - MEMBERS_ON_TEAMS)
    members = [f"declare void @{renamed[name]}(ptr)" for name in sorted(renamed.keys() & MEMBERS_ON_TEAMS)]
    declared = [*(rename(module.of(module.entities[name])) for name in library), *members]
    return "\n".join([linkage.edit(module, edit), *declared, ""])
