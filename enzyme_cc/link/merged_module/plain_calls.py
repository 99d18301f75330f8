"""Keeps apart what the program itself calls and what derivatives are made of, where these are different functions.

- A borrowed function: the program calls the native one.
- A function with threads: the program's own calls keep their threads; in differentiated code, one thread does all work.

Such a function is two functions in the merged module until derivatives are made:

- The program's own calls mean `native.f`: a declaration if the function is borrowed, so that no pass of LLVM can change
  what these calls pass. Otherwise, a body that stand-ins do not change.
- What requests reach is `f`. LLVM may optimise it as it likes, also its interface, if the function is borrowed.

After that, `f` is a copy that only derivatives call, if they do, and `native.f` has the function's name. All addresses
mean that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.link.inputs.units import REQUEST
from enzyme_cc.link.merged_module.borrow import Loans, type_in_text
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.fibers import ON_FIBERS
from enzyme_cc.rules.parallel.openmp import NATIVE

_COPY = ".copy"
# A reference: the name of a call's callee stands before a bracket. Strings are matched, too: they may contain a name.
# Each alternative begins with a character, so that the search passes quickly over what has none of these.
_USE = re.compile(rf'@(?P<name>{NAME})(?P<call>\(?)|"[^"\n]*"')
_LABEL = "blockaddress("
# Functions that stand-ins replace or change because one thread does all work (toolchain/stand_ins/threads.c); there are
# more if threads are fibers.
_THREADS = re.compile(
    r"__kmpc_\w+|omp_get_(?:max_threads|num_procs|thread_limit)_?|pthread_(?:create|join|detach|\w+_\w*wait|once)"
    r"|pthread_exit|thrd_(?:create|join|detach|exit)|cnd_\w*wait|call_once|_ZNSt6thread\w+|_ZNSt18condition_variable4wait\w+"
    r"|syscall|sem_\w*wait|_ZNSt28__atomic_futex\w+|_ZNSt13__future_base12_Result_base\w+|_ZN3tbb6detail2(?:r1|d112token_helper)\w+"
)
# A call through a pointer. LLVM must not learn what it calls before derivatives are made: that is `f`, not `native.f`.
_THROUGH_POINTER = re.compile(
    rf"^(?P<before>  (?:%\S+ = )?(?:\w+ )?(?:call|invoke) (?:(?! asm )[^\n])*? )(?P<callee>%{NAME})\(", re.MULTILINE
)
_HIDDEN = re.compile(
    rf'(?P<result>%{NAME}) = (?:tail )?call ptr asm "", "=r,0"\(ptr (?:\w+(?:\([^()]*\))? )*'
    rf"(?P<callee>[@%]{NAME})\)[^\n]*"
)
_DEBUG = re.compile(r",? !(?:dbg|DIAssignID) !\d+|^ +#dbg_[^\n]*\n", re.MULTILINE)


class PlainCalls(Struct, frozen=True):
    """The functions of a merged module that are two.

    `loans` are those that are borrowed. `linkages` are those with threads, with their linkage in the link.
    `has_threads`: one of either has threads. `has_fibers`: those that differentiated code makes are fibers.
    """

    loans: Loans
    linkages: Mapping[str, str]
    has_threads: bool = False
    has_fibers: bool = False

    @classmethod
    def of(cls, module: ModuleText, loans: Loans, has_fibers: bool) -> PlainCalls:
        """Returns the functions that are to be two, of a module in which what is not visible is internal."""
        heads = {e.name: module.of(e).partition("\n")[0] for e in _with_threads(module, has_fibers)}
        linkages = {name: linkage.linkage(h) for name, h in heads.items() if name not in loans.types}
        return cls(loans, linkages, bool(heads), has_fibers)

    def parted(self, module: ModuleText) -> str:
        """Returns the text in which the program's own calls mean `native.f`."""
        lent, called, passed = self._lent(module), set[str](), set[str]()
        reached = {entity.name for entity in reached_by_requests(module)}
        only_derived = reached - self.linkages.keys()

        def native(found: re.Match[str]) -> str:
            name = unquoted(found["name"] or "")
            if not found["call"] or (name not in lent and name not in self.linkages):
                return found[0]
            called.update({name} & lent.keys())
            return f"@{quoted(NATIVE + name)}("

        def native_body(found: re.Match[str]) -> str:
            name = unquoted(found["name"] or "")
            if found["call"] or not _of_threads(name, self.has_fibers) or module.entities[name].is_definition:
                return native(found)
            passed.add(name)  # as data: no call in differentiated code reaches it
            return f"@{quoted(NATIVE + name)}"

        def change(entity: Entity, body: str) -> str | None:
            if not (entity.is_definition and entity.is_function):
                return None
            head, newline, rest = body.partition("\n")
            if entity.name in only_derived:
                return None
            own = _with_hidden_callees(rest) if self.has_threads else rest
            if entity.name in self.linkages:
                return body + _DEBUG.sub("", _native_head(entity, head) + newline + _USE.sub(native_body, own))
            return head + newline + _USE.sub(native, own)

        changed = linkage.edit(module, change)
        lines = [self._declaration(lent[name], NATIVE + name) for name in sorted(called)]
        lines += [f"@{quoted(NATIVE + name)} = external global i8" for name in sorted(passed)]
        return "\n".join([changed, *lines, ""]) if lines else changed

    def joined(self, text: str) -> str:
        """Returns the text after differentiation: `f` is a copy, and `native.f` has its name.

        Borrowed definitions are declared.
        """
        module = ModuleText(text)
        lent = self._lent(module)
        values = [e.name for n in self.loans.symbols - lent.keys() if (e := module.entities.get(n)) and e.is_definition]
        module = ModuleText(linkage.declared(module, values, lambda entity: type_in_text(entity, module.of(entity))))
        addressed: set[str] = set()

        def other(found: re.Match[str]) -> str:
            name = unquoted(found["name"] or "")
            if name.startswith(NATIVE):
                return f"@{quoted(name.removeprefix(NATIVE))}{found['call']}"
            if name not in lent and name not in self.linkages:
                return found[0]
            if found["call"] or found.string.endswith(_LABEL, 0, found.start()):
                return f"@{quoted(name + _COPY)}{found['call']}"
            addressed.update({name} & lent.keys())
            return found[0]

        twice = {f"{NATIVE}{name}" for name, entity in module.entities.items() if entity.is_function}
        once = linkage.edit(module, lambda e, _: "" if e.name in twice and not e.is_function else None)
        changed = linkage.edit_heads(ModuleText(once), self._final_head)
        if lent or self.linkages or NATIVE in changed:
            changed = _USE.sub(other, changed)
        if self.has_threads:
            changed = _HIDDEN.sub(r"\g<result> = getelementptr i8, ptr \g<callee>, i64 0", changed)
        declared = {name.removeprefix(NATIVE) for name in module.entities if name.startswith(NATIVE)}
        lines = [self._declaration(lent[name], name) for name in sorted(addressed - declared)]
        return "\n".join([changed, *lines, ""])

    def _final_head(self, entity: Entity, head: str) -> str | None:
        if entity.name in self.linkages or entity.name in self.loans.types:
            return linkage.with_linkage(head, "internal")
        if entity.name in self.loans.again and linkage.linkage(head) not in linkage.LOCAL:
            return _strong(head)  # the native one gives way
        plain = entity.name.removeprefix(NATIVE)
        return linkage.with_linkage(head, self.linkages[plain]) if plain != entity.name else None

    def _lent(self, module: ModuleText) -> dict[str, Entity]:
        """Returns the borrowed functions that the module defines."""
        found = {name: module.entities.get(name) for name in self.loans.types}
        return {name: e for name, e in found.items() if e is not None and e.is_function and e.is_definition}

    def _declaration(self, entity: Entity, name: str) -> str:
        return linkage.declaration(replace(entity, name=name), lambda _: self.loans.types[entity.name], "")


def part_calls(text: str, loans: Loans, has_fibers: bool) -> tuple[str, PlainCalls]:
    """Returns the text in which the program's own calls mean `native.f`, and the functions that are two.

    `has_fibers`: threads that differentiated code makes are fibers, and more functions have stand-ins.
    """
    module = ModuleText(text)
    calls = PlainCalls.of(module, loans, has_fibers)
    return calls.parted(module), calls


def _with_hidden_callees(body: str) -> str:
    """Returns the body in which LLVM cannot tell which functions the calls through pointers call."""
    number = count()

    def hidden(found: re.Match[str]) -> str:
        name = f"%ez.callee{next(number)}"
        made = f'  {name} = call ptr asm "", "=r,0"(ptr {found["callee"]})'
        return f"{made}\n{found['before']}{name}("

    return _THROUGH_POINTER.sub(hidden, body)


def _native_head(entity: Entity, head: str) -> str:
    """Returns the first line of the definition of `native.f`: visible, so that it keeps its interface."""

    def native(found: re.Match[str]) -> str:
        is_own = found["call"] and unquoted(found["name"]) == entity.name
        return f"@{quoted(NATIVE + entity.name)}(" if is_own else found[0]

    return _USE.sub(native, _strong(head))


def _strong(head: str) -> str:
    return linkage.with_linkage(linkage.with_linkage(head, "internal"), "")


def _of_threads(name: str, has_fibers: bool) -> bool:
    """True for a function that stand-ins replace or change because one thread does all work."""
    return _THREADS.fullmatch(name) is not None or (has_fibers and name in ON_FIBERS)


def _with_threads(module: ModuleText, has_fibers: bool) -> list[Entity]:
    """Returns the functions that requests reach, that have threads, or call others that do, and that others use.

    What a function calls through a pointer may be such a function, if one's address is taken.
    """
    if not any(_of_threads(name, has_fibers) for name in module.entities):
        return []
    reached = {entity.name: entity for entity in reached_by_requests(module)}
    users: dict[str, list[str]] = {}
    for entity in reached.values():
        for name in module.references(entity):
            users.setdefault(name, []).append(entity.name)
    starts = [name for name in sorted(users) if _of_threads(name, has_fibers)]
    spoiled = set(reachable(starts, lambda name: users.get(name, ()))) & reached.keys()
    if spoiled & {name for e in module.entities.values() if e.is_definition for name in module.values(e)}:
        starts += [name for name, e in sorted(reached.items()) if _THROUGH_POINTER.search(module.of(e))]
        spoiled = set(reachable(starts, lambda name: users.get(name, ()))) & reached.keys()
    used = set(_used(module, reached)) & spoiled
    needed = reachable(sorted(used), lambda name: sorted(module.references(reached[name]) & spoiled))
    return [reached[name] for name in needed]


def _used(module: ModuleText, reached: Mapping[str, Entity]) -> Iterator[str]:
    """Yields the functions that are visible, or that something uses besides requests and what these reach."""
    for entity in module.entities.values():
        if not entity.is_definition:
            continue
        text = module.of(entity)
        if entity.name in reached:
            if linkage.linkage(text.partition("\n")[0]) not in linkage.LOCAL:
                yield entity.name
            continue
        lines = [line for line in text.split("\n") if REQUEST not in line]
        yield from _named(lines)


def _named(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield from (unquoted(found["name"]) for found in _USE.finditer(line) if found["name"])
