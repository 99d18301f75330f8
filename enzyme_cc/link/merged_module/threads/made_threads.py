"""Threads that differentiated code makes: each has its own copies of variables of threads (`thread_local`).

A new thread's function runs at once, in the thread that makes it (toolchain/stand_ins/threads.c). So before it runs,
the variables of threads are kept in local variables, and get what they are in a new thread. After it has run, they are
what they were. Destructors of such variables run at the end of their thread (`__cxa_thread_atexit`).

If threads are fibers (waiting_threads.py), the variables are kept where others may run: each fiber has its own when it
goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.link.merged_module.borrow import type_in_text
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.merged_module.threads.library_copies import THREAD_ADDRESS, missing_declarations
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.fibers import FIBER

#: what stand-ins call to run the function of a new thread: the result and the parameters of that function
_RUNS = {"__ez_run_thread": ("ptr", "ptr"), "__ez_run_plain_thread": ("i32", "ptr"), "__ez_run_state": ("void", "ptr")}
_STAND_INS = "__ez_stand_in_"
#: calls of the runtime where other fibers may run: the result and the parameters
_SWITCHES = {"__ez_fiber_wait": ("i64", "i64", "ptr", "i64"), "__ez_fiber_call": ("void", "ptr", "ptr", "ptr", "ptr")}
_IS_MADE = "__ez_is_made_thread"
_OWN = "__ez_of_thread."
_DECLARED = re.compile(rf"^declare [^\n]*@(?:{'|'.join(_RUNS)})\([^\n]*\n?", re.MULTILINE)
_VARIABLE = re.compile(r"[^\"\n]*?\bthread_local(?:\(\w+\))? (?:(?:local_)?unnamed_addr )?global (?P<rest>[^\n]*)")
_EXTRAS = re.compile(r", (?:comdat(?:\([^)]*\))?|section \"[^\"]*\"|!\w+ !\d+|align \d+)")
_AT_EXIT = "@__cxa_thread_atexit("
_POINTER = "ptr (?:nonnull |noundef )*"
_EXIT = re.compile(rf"{re.escape(_AT_EXIT)}{_POINTER}@(?P<function>{NAME}), {_POINTER}@(?P<object>{NAME}),")
#: calls that make a thread, with its function, and calls by which a thread ends itself
_MAKES = re.compile(
    rf"@{_STAND_INS}(?:{FIBER})?(?:pthread|thrd)_create\(ptr [^\n]*?, "
    rf"ptr (?:nonnull |noundef )*@(?P<function>{NAME}), "
)
_ENDS = re.compile(
    rf"^  (?:tail )?call void @{_STAND_INS}(?:pthread|thrd)_exit\((?P<type>ptr|i32) (?:\w+ )*"
    r"(?P<result>[-\w%.@$\"]+)\)[^\n]*\n  unreachable[^\n]*$",
    re.MULTILINE,
)
_COPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)"


def with_own_variables(text: str) -> str:
    """Returns the text in which threads that functions which requests may reach make have variables of their own."""
    if not any(f"@{name}(" in text for name in _RUNS):
        return text
    text, exits = _with_own_exits(_with_returns(text))
    module = ModuleText(text)
    reached = [e for e in reached_by_requests(module) if not e.name.startswith(_STAND_INS)]
    named = {name for entity in reached for name in module.references(entity)}
    variables = [name for name in sorted(named) if module.is_thread_local(name)]
    own = [entity for entity in module.definitions(variables) if _VARIABLE.match(module.of(entity))]
    switches = [name for name in _SWITCHES if own and f"call {_SWITCHES[name][0]} @{name}(" in text]
    copies = _own_copies(module, own)
    parts = [_with_own_switches(_DECLARED.sub("", text), switches), *_initial_values(module, own)]
    parts += [_run(name, copies, exits, is_fiber=bool(switches)) for name in _RUNS if f"@{name}(" in text]
    parts += [_switch(name, copies) for name in switches]
    parts += missing_declarations(text, THREAD_ADDRESS, _COPY) if own else []
    return "\n".join([*parts, ""])


def _initial_values(module: ModuleText, own: Iterable[Entity]) -> list[str]:
    """Returns constants that are what the variables are in a new thread."""
    found = [(entity, _VARIABLE.match(module.of(entity))) for entity in own]
    return [f"{_initial(e)} = internal constant {_EXTRAS.sub('', m['rest'])}, align 16" for e, m in found if m]


def _initial(entity: Entity) -> str:
    return f"@{quoted(_OWN + entity.name)}"


class _OwnCopies(NamedTuple):
    """What keeps the variables of threads in local variables, in the text of a function.

    `kept`: these; `addresses`: of the variables; then what copies them to the local variables, what gives them their
    first values, and what copies them back.
    """

    kept: list[str]
    addresses: list[str]
    before: list[str]
    first: list[str]
    after: list[str]


def _own_copies(module: ModuleText, own: list[Entity]) -> _OwnCopies:
    copies = _OwnCopies([], [], [], [], [])
    for k, entity in enumerate(own):
        value_type = type_in_text(entity, module.of(entity))
        size = f"i64 ptrtoint (ptr getelementptr ({value_type}, ptr null, i64 1) to i64), i1 false)"
        copies.kept.append(f"  %kept{k} = alloca {value_type}, align 16")
        copies.addresses.append(f"  %own{k} = call ptr @llvm.threadlocal.address.p0(ptr @{quoted(entity.name)})")
        copies.before.append(_copied(f"%kept{k}", f"%own{k}", size))
        copies.first.append(_copied(f"%own{k}", _initial(entity), size))
        copies.after.append(_copied(f"%own{k}", f"%kept{k}", size))
    return copies


def _with_own_switches(text: str, switches: Iterable[str]) -> str:
    """Returns the text in which what may let other fibers run keeps the variables of threads."""
    for name in switches:
        call = f"call {_SWITCHES[name][0]} @"
        text = text.replace(f"{call}{name}(", f"{call}{_OWN}{name}(")
    return text


def _switch(name: str, copies: _OwnCopies) -> str:
    """Returns a function that keeps the variables of threads while other fibers may run."""
    result, *types = _SWITCHES[name]
    passed = ", ".join(f"{type_} %p{k}" for k, type_ in enumerate(types))
    before = [*copies.kept, *copies.addresses, *copies.before]
    return _around(f"{result} @{_OWN}{name}({passed})", before, f"{result} @{name}({passed})", copies.after)


def _run(name: str, copies: _OwnCopies, exits: list[str], *, is_fiber: bool) -> str:
    """Returns a function that runs that of a thread. An exception that left it would end the program."""
    result, parameter = _RUNS[name]
    kept, before, after = (copies.kept, copies.before, copies.after) if not is_fiber else ([], [], [])
    made = "  %made = call ptr @llvm.threadlocal.address.p0(ptr @" + _IS_MADE + ")\n  store i8 1, ptr %made"
    return _around(
        f"{result} @{name}(ptr %function, {parameter} %argument)",
        [*kept, *copies.addresses, *before, *copies.first, *([made] if exits else [])],
        f"{result} %function({parameter} %argument) nounwind",
        [*(f"  call void @{quoted(_OWN + exit)}()" for exit in reversed(exits)), *after],
    )


def _around(head: str, before: Iterable[str], call: str, after: Iterable[str]) -> str:
    """Returns a function with a call between instructions. It returns what the call does."""
    result = head.partition(" ")[0]
    value, returned = ("", "void") if result == "void" else ("%result = ", f"{result} %result")
    return "\n".join([f"define internal {head} {{", *before, f"  {value}call {call}", *after, f"  ret {returned}", "}"])


def _copied(to: str, source: str, size: str) -> str:
    return f"  call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, {size}"


def _with_returns(text: str) -> str:
    """Returns the text in which functions that only threads run return where they end their thread."""
    if not _ENDS.search(text):
        return text
    module = ModuleText(text)
    threads = {unquoted(found["function"]) for found in _MAKES.finditer(text)}
    only = {name for name in threads if text.count(f"@{quoted(name)}(") == 1}  # its definition
    return linkage.edit(
        module, lambda e, body: _ENDS.sub(r"  ret \g<type> \g<result>", body) if e.name in only else None
    )


def _with_own_exits(text: str) -> tuple[str, list[str]]:
    """Returns the text in which a made thread notes which destructors it runs, and what runs each."""
    if _AT_EXIT not in text:
        return text, []
    module, number = ModuleText(text), count()
    reached, made = reached_by_requests(module), dict[tuple[str, str], str]()

    def noted(found: re.Match[str]) -> str:
        key = (found["function"], found["object"])
        if key not in made:
            made[key] = f"exit.{next(number)}"
        return found[0].replace(_AT_EXIT, f"@{_OWN}at.{made[key]}(", 1)

    changed = linkage.edit(module, lambda e, body: _EXIT.sub(noted, body) if e in reached else None)
    if not made:
        return text, []
    lines = [f"@{_IS_MADE} = internal thread_local global i8 0"]
    for (function, value), name in made.items():
        lines += _exit(function, value, name)
    lines += missing_declarations(text, THREAD_ADDRESS)
    return "\n".join([changed, *lines, ""]), list(made.values())


def _exit(function: str, value: str, name: str) -> list[str]:
    """Returns what notes that a variable has a destructor, and what runs it at the end of a made thread."""
    flag = f"@{_OWN}is.{name}"
    return [
        f"{flag} = internal thread_local global i8 0",
        f"define internal i32 @{_OWN}at.{name}(ptr %function, ptr %object, ptr %library) {{",
        f"  %is.made = call ptr @llvm.threadlocal.address.p0(ptr @{_IS_MADE})",
        "  %made = load i8, ptr %is.made",
        "  %outside = icmp eq i8 %made, 0",
        "  br i1 %outside, label %plain, label %own",
        "plain:",
        f"  %result = call i32 {_AT_EXIT}ptr %function, ptr %object, ptr %library)",
        "  ret i32 %result",
        "own:",
        f"  %is.noted = call ptr @llvm.threadlocal.address.p0(ptr {flag})",
        "  store i8 1, ptr %is.noted",
        "  ret i32 0",
        "}",
        f"define internal void @{_OWN}{name}() {{",
        f"  %is.noted = call ptr @llvm.threadlocal.address.p0(ptr {flag})",
        "  %noted = load i8, ptr %is.noted",
        "  %nothing = icmp eq i8 %noted, 0",
        "  br i1 %nothing, label %done, label %run",
        "run:",
        f"  %object = call ptr @llvm.threadlocal.address.p0(ptr @{value})",
        f"  call void @{function}(ptr %object) nounwind",
        "  br label %done",
        "done:",
        "  ret void",
        "}",
    ]
