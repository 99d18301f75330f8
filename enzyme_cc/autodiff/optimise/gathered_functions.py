"""Gives numbers to the functions of gathered threads, and bodies to what stand-ins call (rules/parallel/gathered.py).

The threads of a function have a list and a region of their own. The region calls the function by its name. So LLVM
inlines it, and how it adds to shadows is found out. What keeps one region in one thread does not matter to the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...report.diagnostics import NotOnTeams
from ...rules.parallel.gathered import ADD, CALL, END, FUNCTIONS, RESULT, RUN_ALL

_NAME = r"(?:\"[^\"\n]*\"|[-\w.$]+)"
_OPERAND = rf"ptr (?:noundef |nonnull )*([@%]{_NAME}|null)"
_NUMBER = re.compile(
    rf"(?:tail )?call i64 @(?P<how>{'|'.join(FUNCTIONS)})\((?P<passed>{_OPERAND}(?:, {_OPERAND})?)\)(?: #\d+)?"
)
_MADE = "|".join([*FUNCTIONS, CALL, END, RESULT, ADD, RUN_ALL])
_DECLARED = re.compile(rf"^declare [^\n]*@(?:{_MADE})\([^\n]*\n?", re.MULTILINE)
_NAMED = re.compile(rf"@{_NAME}")
_ADDS = re.compile(rf"call void @{ADD}\([^\n]*ptr (?:noundef |nonnull )*(?P<add>@{_NAME})\)")
_RUNS = re.compile(rf"call void @{RUN_ALL}\(ptr (?:noundef |nonnull )*(?P<run>@{_NAME}), {_OPERAND}\)")
_ASKED = re.compile(rf"call [^\n@]*@{RESULT}\(")
_ADDRESS = "declare ptr @llvm.threadlocal.address.p0(ptr)"

#: the functions of threads, each with what deletes what it was given, if there is such
_Numbers = Mapping[tuple[str, str], int]


def with_functions(text: str) -> str:
    """Returns the text in which regions call functions of gathered threads.

    Raises `NotOnTeams` if such a function is not known.
    """
    numbers: dict[tuple[str, str], int] = {}

    def numbered(found: re.Match[str]) -> str:
        if "%" in found["passed"]:
            raise NotOnTeams("the function of a thread is not known")
        number = numbers.setdefault((found["how"], found["passed"]), len(numbers))
        return f"add i64 0, {number}"

    adds, runs = _ADDS.search(text), _RUNS.search(text)
    has_results = _ASKED.search(text) is not None
    text = _DECLARED.sub("", _NUMBER.sub(numbered, text))
    lines = [
        text,
        *_result(),
        *_by_number(f"{CALL}(i64 %number, ptr %argument, ptr %finished)", _calls(numbers, has_results)),
    ]
    lines += _by_number(f"{END}(i64 %number, ptr %argument)", _ends(numbers))
    lines += _lists(numbers, adds["add"] if adds else "", *(runs.group("run", 2) if runs else ("", "")))
    return "\n".join([*lines, *([] if _ADDRESS[:-5] in text else [_ADDRESS]), ""])


def _result() -> list[str]:
    return [
        f"define internal ptr @{RESULT}(ptr %finished) alwaysinline nounwind {{",
        "  %result = load ptr, ptr %finished",
        "  ret ptr %result",
        "}",
    ]


def _by_number(head: str, cases: Mapping[int, list[str]]) -> list[str]:
    """Returns the lines of a function that does something else for each number."""
    labels = " ".join(f"i64 {number}, label %case{number}" for number in cases)
    lines = [
        f"define internal void @{head} alwaysinline nounwind {{",
        f"  switch i64 %number, label %none [ {labels} ]",
    ]
    for number, case in cases.items():
        lines += [f"case{number}:", *case, "  ret void"]
    return [*lines, "none:", "  unreachable", "}"]


def _calls(numbers: _Numbers, has_results: bool) -> dict[int, list[str]]:
    found = {}
    for (how, passed), number in numbers.items():
        run, result = _NAMED.findall(passed)[0], FUNCTIONS[how]
        value = "" if result == "void" else f"%result{number} = "
        found[number] = [f"  {value}call {result} {run}(ptr %argument) nounwind"]
        if result == "i32" or (result == "ptr" and has_results):
            found[number].append(f"  store {result} %result{number}, ptr %finished")
    return found


def _ends(numbers: _Numbers) -> dict[int, list[str]]:
    named = {number: _NAMED.findall(passed)[1:] for (_, passed), number in numbers.items()}
    return {n: [f"  call void {delete}(ptr %argument) nounwind" for delete in deletes] for n, deletes in named.items()}


def _lists(numbers: _Numbers, add: str, run: str, part: str) -> Iterator[str]:
    """Yields the lines of lists and regions, and of what adds to lists and runs what is on them."""
    for number in numbers.values():
        yield f"@__ez_gathered.{number} = internal thread_local global {{ ptr, i64 }} zeroinitializer, align 8"
    call = "  call void {}(ptr %of{}, ptr %argument, ptr %finished) alwaysinline"
    adding = {n: [f"  {_own_list(n)}", call.format(add, n)] for n in numbers.values()}
    yield from _by_number(f"{ADD}(i64 %number, ptr %argument, ptr %finished, ptr %add)", adding)
    yield f"define internal void @{RUN_ALL}(ptr %run, ptr %part) nounwind {{"
    for number in numbers.values():
        yield f"  {_own_list(number)}"
        yield f"  call void {run}(ptr %of{number}, i64 {number}, ptr @{_region(number)}) alwaysinline"
    yield from ("  ret void", "}")
    for number in numbers.values():
        yield f"define internal void @{_region(number)}(ptr %thread, ptr %bound, ptr %all, i64 %count) nounwind {{"
        yield f"  call void {part}(ptr %thread, ptr %all, i64 %count, i64 {number}) alwaysinline"
        yield from ("  ret void", "}")


def _own_list(number: int) -> str:
    return f"%of{number} = call ptr @llvm.threadlocal.address.p0(ptr @__ez_gathered.{number})"


def _region(number: int) -> str:
    return f"threads_{number}"
