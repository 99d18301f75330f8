"""Gives numbers to the functions of gathered threads, and bodies to what stand-ins call (rules/parallel/gathered.py).

The threads of a function have a list and a region of their own. The region calls the function by its name. So LLVM
inlines it, and how it adds to shadows is found out. If threads of several functions are there when their maker joins
one, they run in one more region, to which each function has given an array of its own.

LLVM may not know the function of a thread: it joins calls that make threads, and a state may be changed before it is
passed. Then the program compares the function with those that it may be, and ends if it is none of them.

What keeps one region in one thread does not matter to the others, but to the one for several functions: there is none
then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...report.diagnostics import NotOnTeams
from ...rules.parallel.gathered import ADD, CALL, END, FUNCTIONS, NTH, RESULT, RUN_ALL
from ...rules.runtime_functions import BEYOND_STAND_IN

_NAME = r"(?:\"[^\"\n]*\"|[-\w.$]+)"
_OPERAND = rf"ptr (?:noundef |nonnull )*([@%]{_NAME}|null)"
_NUMBER = re.compile(
    rf"(?:tail )?call i64 @(?P<how>{'|'.join(FUNCTIONS)})\((?P<passed>{_OPERAND}(?:, {_OPERAND})?)\)(?: #\d+)?"
)
_VALUE = rf"(?:[@%]{_NAME}|null)"
_FUNCTIONS = re.compile(rf"^define (?P<head>[^\n@]*)(?P<name>@{_NAME})\((?P<parameters>[^\n]*)", re.MULTILINE)
_CHOICE = re.compile(
    rf"  %\S+ = (?:select (?:[a-z]+ )*i1 [^\n,]+, ptr ({_VALUE}), ptr ({_VALUE})|phi ptr (\[[^\n]*\]))"
)
_INCOMING = re.compile(rf"\[ ({_VALUE}), ")
#: what libstdc++ makes of the function of a thread and its arguments: its table has two destructors and the function
_STATE = re.compile(
    rf"^@\"?_ZTVNSt6thread11_State_impl[^\n]*\[\d+ x ptr\] \[ptr null, ptr {_VALUE}, ptr {_VALUE}, "
    rf"ptr (?P<delete>@{_NAME}), ptr (?P<run>@{_NAME})\]",
    re.MULTILINE,
)
_MADE = "|".join([*FUNCTIONS, CALL, END, RESULT, ADD, RUN_ALL, NTH])
_DECLARED = re.compile(rf"^declare [^\n]*@(?:{_MADE})\([^\n]*\n?", re.MULTILINE)
_ADDS = re.compile(rf"call void @{ADD}\([^\n]*ptr (?:noundef |nonnull )*(?P<add>@{_NAME})\)")
_RUNS = re.compile(rf"call void @{RUN_ALL}\({', '.join([_OPERAND] * 5)}\)")
_ONE = re.compile(rf"call void @{NTH}\([^\n]*ptr (?:noundef |nonnull )*(?P<one>@{_NAME})\)")
_ASKED = re.compile(rf"call [^\n@]*@{RESULT}\(")
_ADDRESS = "declare ptr @llvm.threadlocal.address.p0(ptr)"

_UNKNOWN = "__ez_gathered_unknown"
_UNKNOWN_TEXT = f'@{_UNKNOWN} = private constant [28 x i8] c"pthread_create, std::thread\\00"'
#: the region for threads of several functions, and its number (toolchain/stand_ins/threads_gathered.c)
TOGETHER, _SEVERAL = "threads_together", -1
_ARRAY = "{ ptr, i64 }"
#: what stand-ins call for the number, and the functions that they give it: what a thread runs, and, if there is such,
#: what deletes what it was given
_Key = tuple[str, tuple[str, ...]]
_Numbers = Mapping[_Key, int]


def with_functions(text: str, runs_apart: bool) -> str:
    """Returns the text in which regions call functions of gathered threads.

    `runs_apart`: threads of several functions run in several regions, one behind the other. Raises `NotOnTeams` if
    nothing tells which function a thread runs.
    """
    numbers: dict[_Key, int] = {}
    choices: list[list[str]] = []

    def numbered(found: re.Match[str]) -> str:
        keys = _keys(found)
        own = [numbers.setdefault(key, len(numbers)) for key in keys]
        if "%" not in found["passed"]:
            return f"add i64 0, {own[0]}"
        name = f"__ez_gathered_number.{len(choices)}"
        choices.append(_choice_of_number(name, {key[1][0]: n for key, n in zip(keys, own, strict=True)}))
        return f"call i64 @{name}(ptr {found[3]})"

    adds, runs, one = _ADDS.search(text), _RUNS.search(text), _ONE.search(text)
    has_results = _ASKED.search(text) is not None
    text = _DECLARED.sub("", _NUMBER.sub(numbered, text))
    lines = [
        text,
        *_result(),
        *_by_number(f"{CALL}(i64 %number, ptr %argument, ptr %finished)", _calls(numbers, has_results)),
    ]
    lines += _by_number(f"{END}(i64 %number, ptr %argument)", _ends(numbers))
    lines += _lists(numbers, adds["add"] if adds else "")
    lines += _runs(numbers, runs.groups() if runs else ("",) * 5, len(numbers) > 1 and not runs_apart)
    lines += _nth(numbers, one["one"] if one else "")
    if choices:
        lines += [_UNKNOWN_TEXT, *(line for choice in choices for line in choice)]
        lines += [] if f"@{BEYOND_STAND_IN.name}(" in text else [f"declare void @{BEYOND_STAND_IN.name}(ptr)"]
    return "\n".join([*lines, *([] if _ADDRESS[:-5] in text else [_ADDRESS]), ""])


def _keys(found: re.Match[str]) -> list[_Key]:
    """Returns the functions that a call may pass."""
    text, how = found.string, found["how"]
    names = tuple(name for name in found.groups()[2:] if name is not None)
    if "%" not in found["passed"]:
        return [(how, names)]
    functions: list[tuple[str, ...]]
    if FUNCTIONS[how] == "void":
        functions = list(_states(text))
    else:
        chosen = _chosen(text, found.start(), names[0]) or _of_type(text, FUNCTIONS[how])
        functions = [(name,) for name in chosen]
    if not functions:
        raise NotOnTeams("the function of a thread is not known")
    return [(how, passed) for passed in functions]


def _chosen(text: str, at: int, value: str) -> list[str]:
    """Returns the functions among which the instructions before a place choose a value; none if that is not all."""
    body = text[text.rfind("\ndefine ", 0, at) : text.find("\n}", at)]
    found, seen, work = dict[str, None](), set[str](), [value]
    while work:
        name = work.pop()
        if name.startswith("@"):
            found[name] = None
        if name in seen or not name.startswith("%"):
            continue
        seen.add(name)
        start = body.find(f"\n  {name} = ")
        choice = _CHOICE.match(body, start + 1) if start >= 0 else None
        if choice is None:
            return []
        first, second, incoming = choice.groups()
        work += _INCOMING.findall(incoming) if incoming else [first, second]
    return list(found)


def _of_type(text: str, result: str) -> list[str]:
    """Returns the functions of a pointer with such a result whose address is taken."""
    found = [
        f["name"]
        for f in _FUNCTIONS.finditer(text)
        if f["head"].split()[-1:] == [result] and _is_one_pointer(f["parameters"])
    ]
    return [name for name in found if re.search(rf"{re.escape(name)}(?![-\w.$(\"])", text)]


def _is_one_pointer(parameters: str) -> bool:
    """Returns whether the text behind the opening bracket of a function's head is one parameter, a pointer."""
    depth = 1
    for character in parameters:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 or (depth == 1 and character == ","):
            return depth == 0 and parameters.startswith("ptr")
    return False


def _states(text: str) -> Iterator[tuple[str, str]]:
    """Yields what each state of a thread runs, and what deletes it."""
    for found in _STATE.finditer(text):
        yield found["run"], found["delete"]


def _choice_of_number(name: str, numbers: Mapping[str, int]) -> list[str]:
    """Returns the lines of a function that tells the number of a function."""
    lines = [f"define internal i64 @{name}(ptr %function) alwaysinline nounwind {{"]
    for function, number in numbers.items():
        lines += [
            f"  %is{number} = icmp eq ptr %function, {function}",
            f"  br i1 %is{number}, label %found{number}, label %not{number}",
            f"found{number}:",
            f"  ret i64 {number}",
            f"not{number}:",
        ]
    return [*lines, f"  call void @{BEYOND_STAND_IN.name}(ptr @{_UNKNOWN})", "  unreachable", "}"]


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
        run, result = passed[0], FUNCTIONS[how]
        value = "" if result == "void" else f"%result{number} = "
        found[number] = [f"  {value}call {result} {run}(ptr %argument) nounwind"]
        if result == "i32" or (result == "ptr" and has_results):
            found[number].append(f"  store {result} %result{number}, ptr %finished")
    return found


def _ends(numbers: _Numbers) -> dict[int, list[str]]:
    named = {number: passed[1:] for (_, passed), number in numbers.items()}
    return {n: [f"  call void {delete}(ptr %argument) nounwind" for delete in deletes] for n, deletes in named.items()}


def _lists(numbers: _Numbers, add: str) -> Iterator[str]:
    """Yields the lines of lists, and of what adds to them."""
    for number in numbers.values():
        yield f"@__ez_gathered.{number} = internal thread_local global {_ARRAY} zeroinitializer, align 8"
    call = "  call void {}(ptr %of{}, ptr %argument, ptr %finished) alwaysinline"
    adding = {n: [f"  {_own_list(n)}", call.format(add, n)] for n in numbers.values()}
    yield from _by_number(f"{ADD}(i64 %number, ptr %argument, ptr %finished, ptr %add)", adding)


def _runs(numbers: _Numbers, stand_ins: tuple[str, ...], has_common: bool) -> Iterator[str]:
    """Yields the lines of regions, and of what runs what is on lists. `has_common`: there is a region for all lists."""
    run, part, *of_arrays = stand_ins
    yield f"define internal void @{RUN_ALL}(ptr %run, ptr %part, ptr %take, ptr %fork, ptr %end) nounwind {{"
    yield from (f"  {_own_list(n)}" for n in numbers.values())
    if has_common:
        yield from _choice(numbers, *of_arrays)
    for n in numbers.values():
        yield f"  call void {run}(ptr %of{n}, i64 {n}, ptr @{_region(n)}) alwaysinline"
    yield from ("  ret void", "}")
    regions = {_region(n): n for n in numbers.values()} | ({TOGETHER: _SEVERAL} if has_common else {})
    for name, number in regions.items():
        yield f"define internal void @{name}(ptr %thread, ptr %bound, ptr %all, i64 %count) nounwind {{"
        yield f"  call void {part}(ptr %thread, ptr %all, i64 %count, i64 {number}) alwaysinline"
        yield from ("  ret void", "}")


def _choice(numbers: _Numbers, take: str, fork: str, end: str) -> Iterator[str]:
    """Yields the lines that run all together if more than one list holds threads, and go on otherwise."""
    held, all_threads = "0", "0"
    yield f"  %arrays = alloca [{len(numbers)} x {_ARRAY}], align 8"
    for n in numbers.values():
        yield f"  %place{n} = getelementptr i8, ptr %of{n}, i64 8"
        yield f"  %count{n} = load i64, ptr %place{n}"
        yield f"  %is{n} = icmp ne i64 %count{n}, 0"
        yield f"  %one{n} = zext i1 %is{n} to i64"
        yield f"  %held{n} = add i64 {held}, %one{n}"
        yield f"  %all{n} = add i64 {all_threads}, %count{n}"
        held, all_threads = f"%held{n}", f"%all{n}"
    yield f"  %several = icmp ugt i64 {held}, 1"
    yield "  br i1 %several, label %together, label %apart"
    yield "together:"
    for n in numbers.values():
        yield f"  %array{n} = getelementptr {_ARRAY}, ptr %arrays, i64 {n}"
        yield f"  call void {take}(ptr %of{n}, ptr %array{n}) alwaysinline"
    yield f"  call void {fork}(ptr %arrays, i64 {all_threads}, ptr @{TOGETHER}) alwaysinline"
    yield from (f"  call void {end}(ptr %array{n}, i64 {n}) alwaysinline" for n in numbers.values())
    yield from ("  ret void", "apart:")


def _nth(numbers: _Numbers, one: str) -> Iterator[str]:
    """Yields the lines of what runs a thread of the arrays of several functions."""
    yield f"define internal void @{NTH}(ptr %arrays, i64 %k, ptr %run) alwaysinline nounwind {{"
    before = "%k"
    for n in numbers.values() if one else ():
        yield f"  %array{n} = getelementptr {_ARRAY}, ptr %arrays, i64 {n}"
        yield f"  %place{n} = getelementptr i8, ptr %array{n}, i64 8"
        yield f"  %all{n} = load ptr, ptr %array{n}"
        yield f"  %count{n} = load i64, ptr %place{n}"
        yield f"  %is{n} = icmp ult i64 {before}, %count{n}"
        yield f"  br i1 %is{n}, label %of{n}, label %behind{n}"
        yield f"of{n}:"
        yield f"  call void {one}(ptr %all{n}, i64 {before}, i64 {n}) alwaysinline"
        yield "  ret void"
        yield f"behind{n}:"
        yield f"  %k{n} = sub i64 {before}, %count{n}"
        before = f"%k{n}"
    yield from ("  unreachable", "}")


def _own_list(number: int) -> str:
    return f"%of{number} = call ptr @llvm.threadlocal.address.p0(ptr @__ez_gathered.{number})"


def _region(number: int) -> str:
    return f"threads_{number}"
