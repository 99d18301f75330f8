"""Makes OpenMP's parallel regions of differentiated code run in teams of one, or once for each thread: in turns.

A team of one is right for a region in which OpenMP divides the work. But a region may divide it itself, by the number
of its thread, and the number of threads may come from elsewhere: from a clause `num_threads`, or from a variable that
other code has set. Then the one thread would do a part of the work. So such a region runs in turns, if

- its threads need not wait for each other: it has no barrier, no loop that OpenMP divides, and the like;
- it has a clause `num_threads`; or it asks for the number of its thread, and nothing in differentiated code asks for
  the number of threads, to which the answer would be one.

In turn k, `omp_get_thread_num` is k, and `omp_get_num_threads` is the number of turns (toolchain/stand_ins/threads.c).
A region that asks for the latter may tell it to others: it takes turns only if all regions do. A region that divides
its work itself, and whose threads may wait for each other, ends the program, unless its clause says one thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, partial
from itertools import count

from msgspec import Struct

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted, with_first
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.pointers.pointer_targets import type_of_definition, type_parts
from enzyme_cc.rules.parallel.openmp import FORK, TEAM, is_of_threads

#: what tells how many threads a region will have, or has
QUERIES = frozenset("omp_get_max_threads omp_get_num_procs omp_get_thread_limit omp_get_num_threads".split())
_OWN_NUMBER = "omp_get_thread_num"
#: what a region in turns asks which thread it is, and how many there are
NUMBERS = frozenset(f"{name}{end}" for name in (_OWN_NUMBER, "omp_get_num_threads") for end in ("", "_"))
#: nobody waits there for what another thread does later
_WITHOUT_WAITS = NUMBERS | frozenset(
    """
    __kmpc_global_thread_num __kmpc_critical __kmpc_critical_with_hint __kmpc_end_critical
    __kmpc_reduce __kmpc_reduce_nowait __kmpc_end_reduce __kmpc_end_reduce_nowait
    omp_in_parallel omp_in_parallel_ omp_get_level omp_get_level_ omp_get_wtime omp_get_wtime_
    omp_init_lock omp_set_lock omp_unset_lock omp_destroy_lock omp_init_lock_ omp_set_lock_ omp_unset_lock_
    omp_destroy_lock_
    pthread_mutex_lock pthread_mutex_unlock mtx_lock mtx_unlock pthread_self
    """.split()
)
#: what the names of calls begin with that divide work among threads
_DIVIDING = tuple(
    "__kmpc_for_static_init __kmpc_dist_ __kmpc_dispatch_init __kmpc_single __kmpc_omp_task __kmpc_taskloop".split()
)
#: reads what another thread may write meanwhile; an atomic byte tells whether a static variable has been made
_WATCHES = re.compile(r" = load (?:volatile\b|atomic (?!(?:volatile )?i8\b))")
#: OpenMP's calls of a parallel region, and of a league of teams: the function of the region, and what it is given
_FORKS = (f"@{FORK}(", "@__kmpc_fork_teams(")
_REGION = rf"ptr (?:nonnull |noundef )*(?P<region>[@%]{NAME})"
_FORK = re.compile(
    rf"^  (?:tail )?call void \(ptr, i32, ptr, \.\.\.\) @(?:{FORK}|__kmpc_fork_teams)\((?P<place>ptr [^,]*), "
    rf"i32 \d+, {_REGION}(?P<given>[^\n]*?)\)(?P<rest>(?: #\d+)?(?:, ![^\n]*)?)$",
    re.MULTILINE,
)
_CLAUSE_OR_FORK = re.compile(
    r"@__kmpc_push_num_threads\([^\n]*i32 (?:noundef )?(?P<count>[%\w.]+)\)"
    rf"|@{FORK}\(ptr [^\n]*?, i32 \d+, {_REGION}"
)
_OTHER_FORKS = frozenset("__kmpc_fork_call_if __kmpc_fork_teams".split())
_DEBUG = re.compile(r", !dbg ![0-9]+")
_LIBRARY = (
    "declare i32 @__kmpc_global_thread_num(ptr)",
    "declare void @__kmpc_serialized_parallel(ptr, i32)",
    "declare void @__kmpc_end_serialized_parallel(ptr, i32)",
)
#: The functions of threads.c: the number of threads of a region without a clause, the turn that begins, and what ends
#: the program if a region is for several threads.
_SIZE, TURN, _ALONE = (f"{TEAM}_{name}" for name in ("size", "turn", "alone"))
_OURS = (f"declare i32 @{_SIZE}()", f"declare void @{TURN}(i32, i32)", f"declare void @{_ALONE}(i32)")


def with_teams_of_one(text: str) -> str:
    """Returns the text in which functions that requests may reach call parallel regions in one thread."""
    if not any(fork in text for fork in _FORKS):
        return text
    module = ModuleText(text)
    reached, numbers = reached_by_requests(module), count()
    turns = Turns(module, reached)

    def change(entity: Entity, body: str) -> str | None:
        if entity not in reached or not any(fork in body for fork in _FORKS):
            return None
        forks = {fork.region: fork for fork in forks_in(body)}
        called = _FORK.sub(lambda match: _in_one_thread(match, turns, forks.get(match["region"]), next(numbers)), body)
        return with_first(called, "  %ez.thread = alloca i32\n  %ez.bound = alloca i32\n")

    changed = "\n".join([linkage.edit(module, change), *map(partial(_in_turns, module), turns.in_turns), ""])
    lines = [*_LIBRARY, *(line for line in _OURS if f"{line.removeprefix('declare ').partition('(')[0]}(" in changed)]
    return changed + "".join(f"{line}\n" for line in lines if f"\n{line}" not in changed)


class RegionFork(Struct, frozen=True):
    """A call that starts a region. `region`: as in LLVM's text; `count`: that of its clause `num_threads`, or empty."""

    region: str
    count: str

    @property
    def name(self) -> str:
        """The region's function; empty if it is called through a pointer."""
        return unquoted(self.region[1:]) if self.region.startswith("@") else ""


def forks_in(text: str) -> Iterator[RegionFork]:
    """Yields what starts regions in the text of a function. A clause belongs to the next of them."""
    number = ""
    for found in _CLAUSE_OR_FORK.finditer(text):
        if found["region"] is None:
            number = found["count"]
        else:
            yield RegionFork(found["region"], number)
            number = ""


class Turns(Struct, frozen=True, dict=True):
    """Which regions of a merged module run in turns. `reached`: the functions that requests may reach."""

    module: ModuleText
    reached: Collection[Entity]

    @cached_property
    def in_turns(self) -> dict[str, RegionFork]:
        """The regions that run in turns, by the names of their functions."""
        in_order = sorted(self.reached, key=lambda entity: entity.start)
        forks = [fork for entity in in_order for fork in forks_in(self.module.of(entity))]
        times = Counter(fork.name for fork in forks)
        found = {fork.name: fork for fork in forks if times[fork.name] == 1 and self._takes_turns(fork)}
        if len(found) == len(forks) and _OTHER_FORKS.isdisjoint(self._names):
            return found
        return {name: fork for name, fork in found.items() if not _asks_for_size(self.names_of(name))}

    @cached_property
    def _names(self) -> set[str]:
        return {name for entity in self.reached for name in self.module.references(entity)}

    def is_refused(self, fork: RegionFork) -> bool:
        """Returns whether a region with a clause surely divides its work itself, and does not run in turns."""
        if fork.count in ("", "1") or not fork.name or fork.name in self.in_turns:
            return False
        names = self.names_of(fork.name)
        return knows_only_itself(names) and not any(name.startswith(_DIVIDING) for name in names)

    def names_of(self, region: str) -> set[str]:
        """Returns all that the function of a region names, and the functions that it calls."""
        if region not in self._names_of_regions:
            functions = self._functions(region)
            self._names_of_regions[region] = {name for e in functions for name in self.module.references(e)}
        return self._names_of_regions[region]

    @cached_property
    def _names_of_regions(self) -> dict[str, set[str]]:
        return {}

    def _functions(self, region: str) -> list[Entity]:
        def definitions(names: Collection[str]) -> list[Entity]:
            return [e for e in self.module.definitions(sorted(names)) if e.is_function]

        return list(reachable(definitions([region]), lambda e: definitions(self.module.references(e))))

    def _takes_turns(self, fork: RegionFork) -> bool:
        names = self.names_of(fork.name)
        divides_alone = _OWN_NUMBER in {name.removesuffix("_") for name in names} and not _asks_for_size(self._names)
        if fork.count == "1" or not self.module.definitions([fork.name]) or not (fork.count or divides_alone):
            return False
        waits = any(is_of_threads(name) and name not in _WITHOUT_WAITS for name in names)
        if waits or any(self.module.is_thread_local(name) for name in names):
            return False
        return not any(_WATCHES.search(self.module.of(e)) for e in self._functions(fork.name))


def knows_only_itself(names: Collection[str]) -> bool:
    """Returns whether code that names these asks for the number of its thread, and not how many threads there are."""
    return _OWN_NUMBER in names and not _asks_for_size(names)


def _asks_for_size(names: Collection[str]) -> bool:
    return not QUERIES.isdisjoint(name.removesuffix("_") for name in names)


def _in_one_thread(fork: re.Match[str], turns: Turns, known: RegionFork | None, number: int) -> str:
    """Returns what is called in the place of a fork. `number`: that of the fork."""
    place, called, given, before = fork["place"], fork["region"], "", ""
    if known is not None and known.name in turns.in_turns:
        size = known.count or f"%ez.count{number}"
        before = "" if known.count else f"  {size} = call i32 @{_SIZE}()\n"
        called, given = _name_in_turns(known.name), f"i32 {size}, "
    elif known is not None and turns.is_refused(known):
        before = f"  call void @{_ALONE}(i32 {known.count})\n"
    debug, thread = _DEBUG.search(fork["rest"]), f"%ez.thread{number}"
    at = debug[0] if debug is not None else ""
    return (
        f"{before}  {thread} = call i32 @__kmpc_global_thread_num({place}){at}\n"
        f"  store i32 {thread}, ptr %ez.thread\n  store i32 0, ptr %ez.bound\n"
        f"  call void @__kmpc_serialized_parallel({place}, i32 {thread}){at}\n"
        f"  call void {called}({given}ptr %ez.thread, ptr %ez.bound{fork['given']}){fork['rest']}\n"
        f"  call void @__kmpc_end_serialized_parallel({place}, i32 {thread}){at}"
    )


def _name_in_turns(region: str) -> str:
    """Returns the name of the function that runs a region in turns, as LLVM's text has it."""
    return "@" + quoted(f"__ez_turns.{region}")


def _in_turns(module: ModuleText, region: str) -> str:
    """Returns the function that runs a region in turns."""
    type_ = type_of_definition(module.of(module.entities[region]))
    types = type_parts(type_[type_.index("(") + 1 :])
    parameters = ", ".join(f"{t} %p{k}" for k, t in enumerate(types))
    return (
        f"define internal void {_name_in_turns(region)}(i32 %count, {parameters}) {{\n"
        "  br label %turn\n"
        "turn:\n"
        "  %k = phi i32 [ 0, %0 ], [ %next, %turn ]\n"
        f"  call void @{TURN}(i32 %k, i32 %count)\n"
        f"  call void @{quoted(region)}({parameters})\n"
        "  %next = add nsw i32 %k, 1\n"
        "  %more = icmp slt i32 %next, %count\n"
        "  br i1 %more, label %turn, label %end\n"
        "end:\n"
        f"  call void @{TURN}(i32 0, i32 0)\n"
        "  ret void\n}"
    )
