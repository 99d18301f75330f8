"""Fortran's `threadprivate` variables, of which OpenMP's library keeps a copy for each thread.

flang asks the library for the address of the thread's copy. In differentiated code, the copies are variables of threads
(`thread_local`), as those of C are: so their shadows are, too (autodiff/emit/variables_of_threads.py). When derivatives
are made, the addresses are the library's again, and all code has the same copies.
"""

from __future__ import annotations

import re
from collections import Counter

from enzyme_cc.link.inputs.module_text import NAME, ModuleText, quoted, unquoted, with_first
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.rules.parallel.openmp import THREAD_COPY

#: what the names of such a variable, and of the function that returns the library's address, begin with
_VARIABLE, _ADDRESS = "ez.thread.copy.", "ez.thread.address."
_ASKED = re.compile(
    rf"call ptr @{THREAD_COPY}\(ptr [^,\n]*, i32 [^,\n]*, ptr (?:nonnull |noundef )*@(?P<name>{NAME}), "
    rf"i64 (?:noundef )?(?P<size>\d+), ptr (?:nonnull |noundef )*@(?P<cache>{NAME})\)"
)
_DEFINITION = re.compile(r"= .*?\b(?:global|constant) (?P<rest>.*)")
_ALIGNED = re.compile(r", align \d+")
_CONSTANT = re.compile(r"\bgetelementptr (?P<flags>[a-z ]*)\((?P<operands>[^()\n]*)\)")
#: declares what gives the address of a variable of threads
THREAD_ADDRESS = "declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)"


def with_own_copies(text: str) -> str:
    """Returns the text in which functions that requests may reach have variables of threads.

    A variable whose address they use otherwise stays the library's.
    """
    if f"@{THREAD_COPY}(" not in text:
        return text
    module = ModuleText(text)
    reached = reached_by_requests(module)
    asked: dict[str, re.Match[str]] = {}
    times: Counter[str] = Counter()
    for entity in sorted(reached, key=lambda entity: entity.start):
        for found in _ASKED.finditer(module.of(entity)):
            asked.setdefault(found["name"], found)
            times[found["name"]] += 1
    mentions: Counter[str] = Counter()
    for entity in module.entities.values():
        if entity.is_definition and (entity in reached or not entity.is_function):
            mentions.update(re.findall(rf"@({NAME})", module.of(entity)))
    own = {name: found for name, found in asked.items() if mentions[name] <= times[name] + _defines(module, name)}
    if not own:
        return text

    def address(found: re.Match[str]) -> str:
        name = quoted(_VARIABLE + unquoted(found["name"]))
        return f"call ptr @llvm.threadlocal.address.p0(ptr @{name})" if found["name"] in own else found[0]

    changed = linkage.edit(module, lambda e, body: _ASKED.sub(address, body) if e in reached else None)
    made = [line for name, found in own.items() for line in _made(module, name, found)]
    return "\n".join([changed, *made, *missing_declarations(text, THREAD_ADDRESS), ""])


def missing_declarations(text: str, *declarations: str) -> list[str]:
    """Returns the declarations of functions that the text of a module does not have."""
    return [line for line in declarations if f"{line[line.index('@') : line.index('(')]}(" not in text]


def _defines(module: ModuleText, name: str) -> bool:
    entity = module.entities.get(unquoted(name))
    return entity is not None and entity.is_definition


def _made(module: ModuleText, name: str, found: re.Match[str]) -> list[str]:
    """Returns the variable, which other code might write, and the function that returns the library's address."""
    entity = module.entities[unquoted(name)]
    defined = _DEFINITION.search(module.of(entity).partition("\n")[0])
    alignment = _ALIGNED.search(defined["rest"]) if defined is not None else None
    variable, address = quoted(_VARIABLE + unquoted(name)), quoted(_ADDRESS + unquoted(name))
    return [
        f"@{variable} = weak thread_local global [{found['size']} x i8] zeroinitializer"
        f"{alignment[0] if alignment is not None else ', align 16'}",
        f"define weak ptr @{address}() {{",
        "  %thread = call i32 @__kmpc_global_thread_num(ptr null)",
        f"  %copy = call ptr @{THREAD_COPY}(ptr null, i32 %thread, ptr @{name}, i64 {found['size']}, "
        f"ptr @{found['cache']})",
        "  ret ptr %copy",
        "}",
    ]


def with_library_copies(text: str) -> str:
    """Returns the text of derivatives, in which the copies of all threads are the library's."""
    if _ADDRESS not in text:
        return text
    module = ModuleText(text)
    names = [name.removeprefix(_ADDRESS) for name in module.entities if name.startswith(_ADDRESS)]
    variables = "|".join(re.escape(quoted(_VARIABLE + name)) for name in names)
    mention = re.compile(rf"@(?P<name>{variables})(?![-\w.$])")

    def change(text: str) -> str | None:
        text = text.replace("define weak ", "define internal ", 1) if f" @{_ADDRESS}" in text else text
        return _of_library(text, mention)

    return linkage.edit(module, lambda e, body: change(body) if e.is_function and e.is_definition else None)


def _of_library(text: str, mention: re.Pattern[str]) -> str:
    """Returns a function that asks the library for each address once. It computes constants with an address, too."""
    intrinsic = re.compile(rf"@llvm\.threadlocal\.address\.p0\(ptr [^@\n]*{mention.pattern}\)")
    text = intrinsic.sub(lambda found: _call(found["name"]), text)
    values: dict[str, str] = {}

    def value(made: str) -> str:
        return values.setdefault(made, f"%ez.thread.address.{len(values)}")

    def address(found: re.Match[str]) -> str:
        return value(f"call ptr {_call(found['name'])}")

    def computed(found: re.Match[str]) -> str:
        operands = mention.sub(address, found["operands"])
        return found[0] if operands == found["operands"] else value(f"getelementptr {found['flags']}{operands}")

    text = mention.sub(address, _CONSTANT.sub(computed, text))
    return with_first(text, "".join(f"  {name} = {value}\n" for value, name in values.items()))


def _call(variable: str) -> str:
    return f"@{quoted(_ADDRESS + unquoted(variable).removeprefix(_VARIABLE))}()"
