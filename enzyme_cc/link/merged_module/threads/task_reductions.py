"""Reductions of tasks: tells stand-ins where a group of tasks with a reduction begins and ends, and of what it is.

    %r = call ptr @__kmpc_taskred_init(i32 %thread, i32 2, ptr %variables)                      begins
    %copy = call ptr @__kmpc_task_reduction_get_th_data(i32 %thread, ptr %r, ptr %variable)     in a task
    call void @__kmpc_end_taskgroup(ptr @place, i32 %thread)                                    ends

OpenMP's library knows the group of each task. The stand-ins (toolchain/stand_ins/teams.c) do not, so the end is given
what the beginning returned. They are called once for each variable: LLVM then knows the functions that combine two
numbers. Functions that give copies their first values are called by name (task_copies.py).

What is not of this form stays, and keeps regions in teams of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import Entity, ModuleText, with_first
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.task_copies import TaskCopies
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.openmp import TASK_REDUCTIONS, TEAM

_INIT, _MODIFIER = TASK_REDUCTIONS
_GROUP, _END_OF_GROUP = "__kmpc_taskgroup", TASK_REDUCTIONS[_INIT]
_CALL = re.compile(
    r"^  (?:(?P<result>%\S+) = )?(?:tail )?call (?:\w+ )*@"
    rf"(?P<name>{'|'.join([_GROUP, *TASK_REDUCTIONS, *TASK_REDUCTIONS.values()])})"
    r"\((?P<operands>[^\n]*?)\)(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_VARIABLES = re.compile(r"i32 (?:noundef )?(?P<count>\d+), ptr (?:noundef |nonnull )*(?P<variables>%\S+)$")
_OPEN, _OF, _END, _FREE, _CLOSE = (f"@{TEAM}_reduction_{name}" for name in "open of end free close".split())
_DECLARATIONS = {
    _OPEN: f"declare ptr {_OPEN}(i64, i64)",
    _OF: f"declare void {_OF}(ptr, i64, ptr)",
    _END: f"declare void {_END}(ptr, i64, i64, ptr)",
    _FREE: f"declare void {_FREE}(ptr, i64)",
    _CLOSE: f"declare void {_CLOSE}(ptr)",
    f"@{_GROUP}": f"declare void @{_GROUP}(ptr, i32)",
    f"@{_END_OF_GROUP}": f"declare void @{_END_OF_GROUP}(ptr, i32)",
}


class _Reduction(Struct, frozen=True):
    """`slot`: holds what the beginning returned. `lists`: by variable, the number of the list that has its copies."""

    slot: str
    variables: str
    lists: list[int]


class _Group(Struct):
    """A group of tasks, or a region, and its reductions."""

    is_region: bool
    reductions: list[_Reduction]


def with_task_reductions(text: str) -> str:
    """Returns the text in which functions that requests may reach call stand-ins for reductions of tasks."""
    if not any(f"@{name}(" in text for name in TASK_REDUCTIONS):
        return text
    module, names = ModuleText(text), count()
    reached = sorted(
        (e for e in reached_by_requests(module) if e.is_function and e.is_definition), key=lambda e: e.start
    )
    copies = TaskCopies.of(module, reached)
    if copies is None:
        return text
    edited: dict[Entity, str] = {}
    for entity in reached:
        body = copies.with_calls(module.of(entity))
        new = None if body is None else _Edit(copies, names).of(body)
        if new is None:
            return text
        edited[entity] = new
    changed = linkage.edit(module, lambda entity, _: edited.get(entity))
    missing = [line for name, line in _DECLARATIONS.items() if name[1:] not in module.entities]
    return "\n".join([changed, *missing, *copies.lines(), ""])


class _Edit:
    """The edit of one function."""

    def __init__(self, copies: TaskCopies, names: Iterator[int]) -> None:
        self._copies, self._names = copies, names
        self._open: list[_Group] = []
        self._slots: list[str] = []

    def of(self, text: str) -> str | None:
        """Returns a function with stand-ins; None if the ends of its groups are not known."""
        pieces, end = list[str](), 0
        for found in _CALL.finditer(text):
            new = self._replacement(found, text)
            if new is None:
                return None if self._slots or found["name"] in TASK_REDUCTIONS else text
            pieces += [text[end : found.start()], new]
            end = found.end()
        if not self._slots:
            return text
        places = "".join(f"  {slot} = alloca ptr, align 8\n" for slot in self._slots)
        return None if self._open else with_first("".join([*pieces, text[end:]]), places)

    def _replacement(self, found: re.Match[str], text: str) -> str | None:
        """Returns what takes the place of a call; None if it does not fit."""
        name = found["name"]
        if name == _GROUP:
            self._open.append(_Group(False, []))
            return found[0]
        if name in TASK_REDUCTIONS:
            return self._begin(found, text)
        if not self._open or self._open[-1].is_region != (name != _END_OF_GROUP):
            return None
        return "\n".join(_ended(found, self._open.pop().reductions))

    def _begin(self, found: re.Match[str], text: str) -> str | None:
        passed, is_region = _VARIABLES.search(found["operands"]), found["name"] == _MODIFIER
        if passed is None or found["result"] is None or not (is_region or self._open):
            return None
        lists = self._copies.lists_before(text, found.start(), int(passed["count"]))
        if lists is None:
            return None
        reduction = _Reduction(f"%ez.reduction.{next(self._names)}", passed["variables"], lists)
        self._slots.append(reduction.slot)
        if is_region:
            self._open.append(_Group(True, []))
        self._open[-1].reductions.append(reduction)
        return "\n".join(_begun(found, reduction, self._copies.lists, is_region))


def _thread(found: re.Match[str]) -> str:
    """Returns the place and the thread, which are the first operands."""
    return ", ".join(re.split(r", (?=i32 )", found["operands"])[:2])


def _begun(found: re.Match[str], reduction: _Reduction, lists: int, is_region: bool) -> Iterator[str]:
    result, rest = found["result"], found["rest"]
    if is_region:
        yield f"  call void @{_GROUP}({_thread(found)}){rest}"
    yield f"  {result} = call ptr {_OPEN}(i64 {len(reduction.lists)}, i64 {lists}){rest}"
    for k in range(len(reduction.lists)):
        yield f"  call void {_OF}(ptr {result}, i64 {k}, ptr {reduction.variables}){rest}"
    yield f"  store ptr {result}, ptr {reduction.slot}, align 8"


def _ended(found: re.Match[str], reductions: list[_Reduction]) -> Iterator[str]:
    rest = found["rest"]
    yield f"  call void @{_END_OF_GROUP}({_thread(found)}){rest}"
    for reduction in reductions:
        begun = f"{reduction.slot}.begun"
        yield f"  {begun} = load ptr, ptr {reduction.slot}, align 8"
        for k, chosen in enumerate(reduction.lists):
            yield f"  call void {_END}(ptr {begun}, i64 {k}, i64 {chosen}, ptr {reduction.variables}){rest}"
        for chosen in sorted(set(reduction.lists)):
            yield f"  call void {_FREE}(ptr {begun}, i64 {chosen}){rest}"
        yield f"  call void {_CLOSE}(ptr {begun}){rest}"
