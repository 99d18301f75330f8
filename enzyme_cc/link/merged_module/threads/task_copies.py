"""Copies that tasks have of variables of a reduction: where they begin, and of what types they are.

    %copy = call ptr @__kmpc_task_reduction_get_th_data(i32 %thread, ptr %reduction, ptr %variable)

Which function gives a copy its first value is known when the program runs. Copies of one type are on one list, and are
made where the task asks for one: so analyses see memory of one type in each. clang's functions tell the types by what
they store, a task by what it does with its copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import prod

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.rules.parallel.openmp import TASK_COPY, TEAM

_CALL = re.compile(
    rf"^  (?P<result>%\S+) = (?:tail )?call (?:\w+ )*@{TASK_COPY}"
    r"\(i32 [^\n,]*, ptr (?:noundef )?(?P<reduction>[^\n, ]*), ptr (?:noundef )?(?P<variable>[^\n, ]*)\)"
    r"(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_VARIABLE, _INITIALIZER, _ORIGINAL, _COPY, _UNKNOWN = (
    f"@{TEAM}_reduction_{name}" for name in "variable initializer original copy unknown".split()
)
_DECLARATIONS = (
    f"declare ptr {_VARIABLE}(ptr, ptr, i64)",
    f"declare ptr {_INITIALIZER}(ptr)",
    f"declare ptr {_ORIGINAL}(ptr)",
    f"declare ptr {_COPY}(ptr, ptr, i64, i64)",
    f"declare void {_UNKNOWN}()",
)
#: what the names of clang's functions for variables of reductions begin with: of all, of those that give the first
#: value, and of those that end the life of an object
_HELPER, _FIRST, _DESTRUCTOR = ".red_", ".red_init.", ".red_fini."
#: such a function reads the size of an array, which tasks write
_OF_THREADS = "@llvm.threadlocal.address"
_IS_FIRST = re.compile(rf"^  store ptr @(?P<name>{NAME}), ptr ", re.MULTILINE)
_ACCESS = re.compile(
    r"^  (?:store (?:volatile )?(?P<stored>[^\n]*?) [^\s,]+|%\S+ = load (?:volatile )?(?P<loaded>[^\n]*?)), "
    r"ptr (?P<at>%[-\w.$]+)",
    re.MULTILINE,
)
#: what a step leads into: a part of a struct, or an element
_STEP = re.compile(
    r"^  (?P<to>%\S+) = getelementptr (?:\w+ )*(?:(?P<struct>%[^\s,]+)|[^%\n]*?), ptr (?P<from>%[-\w.$]+)", re.MULTILINE
)
_CALLED = re.compile(rf"call [^\n@]*@(?P<name>{NAME})\(")
_COPIES_BYTES = "@llvm.memcpy."
_ARRAY = re.compile(r"getelementptr inbounds (?P<dimensions>(?:\[\d+ x )+)(?P<type>\w+)\]")
_BYTES = {"float": 4, "double": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8}
_MOST_BYTES = 16


class _First(Struct, frozen=True):
    """A function that gives a copy its first value. `types`: of what it stores; None if that is not known.

    `least`: bytes that it may write. For a part of an array, clang tells the size of a pointer.
    """

    name: str
    types: frozenset[str] | None
    least: int


class TaskCopies(Struct, frozen=True):
    """The functions of all copies, and the list of each."""

    firsts: list[_First]
    list_of: dict[str, int]
    made: dict[int, list[_First]]

    @property
    def lists(self) -> int:
        return len(set(self.list_of.values()))

    @staticmethod
    def of(module: ModuleText, reached: Iterable[Entity]) -> TaskCopies | None:
        """Returns those that functions use; None if copies are more than bytes of a known number."""
        helpers = [e for e in reached if e.name.startswith(_HELPER)]
        if any(e.name.startswith(_DESTRUCTOR) or _OF_THREADS in module.of(e) for e in helpers):
            return None
        firsts = [_first(module, e) for e in helpers if e.name.startswith(_FIRST)]
        numbers = dict[frozenset[str] | str, int]()
        lists = {f.name: numbers.setdefault(f.types or f.name, len(numbers)) for f in firsts}
        return TaskCopies(firsts, lists, {})

    def lists_before(self, text: str, end: int, number: int) -> list[int] | None:
        """Returns the lists of the last functions that are stored before a place in a text."""
        stored = [unquoted(found["name"]) for found in _IS_FIRST.finditer(text, 0, end)]
        lists = [self.list_of[name] for name in stored if name in self.list_of][-number:]
        return lists if len(lists) == number else None

    def with_calls(self, text: str) -> str | None:
        """Returns a function whose tasks get copies by stand-ins; None if one's type is not known, or its reduction."""
        if TASK_COPY not in text:
            return text
        if text.count(f"@{TASK_COPY}(") != len(_CALL.findall(text)):
            return None
        pieces, end = list[str](), 0
        for found in _CALL.finditer(text):
            chosen = self._list_of_task(found, text)
            if chosen is None or found["reduction"] == "null":
                return None
            call = f"call ptr {_made(chosen)}(ptr {found['reduction']}, ptr {found['variable']}){found['rest']}"
            pieces += [text[end : found.start()], f"  {found['result']} = {call}"]
            end = found.end()
        return "".join([*pieces, text[end:]])

    def _list_of_task(self, found: re.Match[str], text: str) -> int | None:
        used = _types(text, found["result"])
        fitting = [f for f in self.firsts if f.types is None or used <= f.types]
        lists = {self.list_of[f.name] for f in fitting}
        if len(lists) != 1:
            return None
        self.made[min(lists)] = fitting
        return min(lists)

    def lines(self) -> Iterator[str]:
        """Yields the functions that make copies."""
        yield from _DECLARATIONS
        for chosen, firsts in sorted(self.made.items()):
            yield f"define internal ptr {_made(chosen)}(ptr %reduction, ptr %variable) alwaysinline {{"
            yield f"  %of = call ptr {_VARIABLE}(ptr %reduction, ptr %variable, i64 {chosen})"
            yield f"  %first = call ptr {_INITIALIZER}(ptr %of)"
            yield f"  %original = call ptr {_ORIGINAL}(ptr %of)"
            for k, first in enumerate(firsts):
                yield f"  %is.{k} = icmp eq ptr %first, @{quoted(first.name)}"
                yield f"  br i1 %is.{k}, label %make.{k}, label %next.{k}"
                yield f"make.{k}:"
                yield f"  %copy.{k} = call ptr {_COPY}(ptr %reduction, ptr %of, i64 {chosen}, i64 {first.least})"
                yield f"  call void @{quoted(first.name)}(ptr %copy.{k}, ptr %original)"
                yield f"  ret ptr %copy.{k}"
                yield f"next.{k}:"
            yield f"  call void {_UNKNOWN}()"
            yield "  unreachable"
            yield "}"


def _made(chosen: int) -> str:
    return f"@ez.task.copy.{chosen}"


def _first(module: ModuleText, function: Entity) -> _First:
    text = module.of(function)
    called = [unquoted(name) for name in _CALLED.findall(text)]
    bodies = [module.of(module.entities[name]) for name in called if not name.startswith("llvm.")]
    is_known = not any(_COPIES_BYTES in body or body.startswith("declare") for body in (text, *bodies))
    types = {accessed for body in (text, *bodies) for accessed in _types(body, None) if not accessed.endswith("ptr")}
    return _First(function.name, frozenset(types) if is_known and types else None, _least(text))


def _least(text: str) -> int:
    found = _ARRAY.search(text)
    if found is None:
        return 0
    return prod(map(int, re.findall(r"\d+", found["dimensions"]))) * _BYTES.get(found["type"], _MOST_BYTES)


def _types(text: str, pointer: str | None) -> frozenset[str]:
    """Returns the types of what a function accesses behind a pointer, as far as its steps are seen: stores, if None.

    A part of a struct is told from a number of its own.
    """
    steps = {found["to"]: found for found in _STEP.finditer(text)}
    inside = {to: found["struct"] or "" for to, found in steps.items()}
    behind = {pointer}
    behind.update(to for to, found in steps.items() if found["from"] in behind)
    accesses = (found for found in _ACCESS.finditer(text) if pointer is None or found["at"] in behind)
    return frozenset(
        f"{inside.get(found['at'], '')} {found['stored'] or found['loaded']}"
        for found in accesses
        if pointer is not None or found["stored"]
    )
