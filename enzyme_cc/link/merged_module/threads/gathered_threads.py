"""Threads that run on a team, once their maker joins one of them (rules/parallel/gathered.py).

They do if nothing tells them from calls but the time when they run: they do not wait, make no threads, and have no
variables of threads; and all that they reach has a derivative on teams. Otherwise each runs where it is made.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.parallel_regions import VARIANTS, Regions, obstacles_in
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.fibers import MAKERS
from enzyme_cc.rules.parallel.gathered import NAMES, ON_GATHERED, PLAIN, RUN
from enzyme_cc.rules.parallel.openmp import is_of_threads

_JOINS = frozenset(name for name in ON_GATHERED if name.endswith(("_join", "4joinEv")))
_RETURN = re.compile(r"^  ret ", re.MULTILINE)


def with_gathering(text: str, regions: Regions) -> Regions:
    """Returns how regions run, and whether threads that differentiated code makes are gathered."""
    if VARIANTS.search(text):
        return regions
    module = ModuleText(text)
    reached = sorted(reached_by_requests(module), key=lambda entity: entity.start)
    found = next(_obstacles(module, reached), None)
    if found is None:
        return Regions(True, gathers=True)
    maker = next(entity for entity in reached if not module.references(entity).isdisjoint(MAKERS))
    return replace(regions, in_turns=(maker.name, found))


def _obstacles(module: ModuleText, reached: Collection[Entity]) -> Iterator[str]:
    """Yields what keeps threads that reached functions make from being gathered."""
    called = {name for entity in reached for name in module.references(entity)}
    if called.isdisjoint(_JOINS):
        yield "none is joined"
    for name in sorted(called - ON_GATHERED - PLAIN):
        known = module.entities.get(name)
        if is_of_threads(name) and not (known is not None and known.is_definition):
            yield f"there is a call of {name}"
    for entity in _run_by_threads(module, reached):
        named = module.references(entity)
        if not named.isdisjoint(MAKERS):
            yield f"a thread makes threads in {entity.name}"
        if not named.isdisjoint(NAMES):
            yield f"a thread asks what it is called in {entity.name}"
        if any(module.is_thread_local(name) for name in named):
            yield f"there is a variable of threads in {entity.name}"
        # a thread may call a function through a pointer: nobody looks at what the region reaches so later
        yield from (f"{what} in {entity.name}" for what in obstacles_in(module, entity, is_looked_at_later=False))


def _run_by_threads(module: ModuleText, reached: Collection[Entity]) -> Iterator[Entity]:
    """Yields the functions that threads may run: those that reached functions name as values, or by tables."""

    def definitions(names: set[str]) -> list[Entity]:
        return module.definitions(sorted(names))

    values = {name for entity in reached for name in module.values(entity)}
    tables = reachable(definitions(values), lambda e: [] if e.is_function else definitions(module.references(e)))
    starts = [entity for entity in tables if entity.is_function]
    return reachable(starts, lambda entity: definitions(module.references(entity)))


def with_runs(text: str) -> str:
    """Returns the text in which gathered threads run before a function of a request returns: others may join them."""
    module = ModuleText(text)
    users: dict[str, list[str]] = {}
    for entity in module.entities.values():
        for name in module.references(entity) if entity.is_definition and entity.is_function else ():
            users.setdefault(name, []).append(entity.name)
    make = set(reachable(sorted(MAKERS & users.keys()), lambda name: users.get(name, ())))
    reached = {entity.name for entity in reached_by_requests(module)}
    values = {name for e in module.entities.values() if e.is_definition for name in module.values(e)}
    ending = make & reached & values
    run = f"  call void @{RUN}()\n"
    changed = linkage.edit(
        module, lambda entity, body: _RETURN.sub(run + "  ret ", body) if entity.name in ending else None
    )
    return f"{changed}\ndeclare void @{RUN}()\n"
