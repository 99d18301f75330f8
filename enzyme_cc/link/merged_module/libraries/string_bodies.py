"""Gives differentiated code the bodies of std::string's members, where a string holds bytes of numbers.

In most programs, strings hold text: their members have rows in the tables of rules/, and carry no derivative. If a link
would lose a derivative by that, functions that requests may reach call copies of the members instead. These have names
without rows, and are differentiated as other code is. Members that only the C++ library has are compiled from its
headers.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.back_ends import BackEnd, Clang
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.merged_module.libraries.stand_ins import joined
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage

#: the copy of a member is called this and then as the member
PREFIX = "__ez_string."
_LIBCXX = "_ZNSt3__1"
#: a member of basic_string of characters; the group says of which
_MEMBER = r"(?:_ZNK?[RO]?St(?:7__cxx11|3__1)12basic_stringI(?P<unit>c|w|D[sui])|_ZNSaI[cw]E)[-\w.$]+"
_IS_MEMBER = re.compile(_MEMBER)
_USED = re.compile(rf"@({_MEMBER})")
_UNITS = {"c": 1, "w": 4, "Du": 1, "Ds": 2, "Di": 4}
#: libstdc++'s own copies have a case for one character, which is no copy of a whole number
_COPIES = re.compile(r"\d+_S_(copy|move)EP\w+m(?:\.\d+)?$")
_INTRINSICS = {"copy": "@llvm.memcpy.p0.p0.i64", "move": "@llvm.memmove.p0.p0.i64"}
_COPY_BODY = """\
define internal void @{name}(ptr %to, ptr %from, i64 %count) alwaysinline {{
  %size = mul i64 %count, {unit}
  call void {intrinsic}(ptr %to, ptr %from, i64 %size, i1 false)
  ret void
}}
"""
_CLASSES = ("basic_string<char>", "basic_string<wchar_t>", "allocator<char>", "allocator<wchar_t>")
_SOURCE = "#include <string>\n" + "".join(f"template class std::{name};\n" for name in _CLASSES)
_OPTIONS = "-x c++ -std=c++17 -O1 -Xclang -disable-llvm-passes -Xclang -mno-constructor-aliases -w -fPIC".split()
#: stringstream::str() const &
_TAKES_TEXT = re.compile(r"_ZNKR?(St7__cxx11\d+basic_[io]?o?stringstreamIcSt11char_traitsIcESaIcEE3strEv)")
#: of these members: the string that they return, and the stream
TEXT_TYPE = "void (ptr, ptr)"
_TRIPLE = re.compile(r'^target triple = "(.*)"$', re.MULTILINE)
_DEBUG = re.compile(r" !dbg !\d+(?= \{)")
#: A string that owns a block keeps the capacity where a short one keeps characters: the access tells which it is. An
#: atomic load keeps that: LLVM moves no such load to before the question whether there is a block.
_CAPACITY = re.compile(
    r'^(  (?P<place>%\S+) = getelementptr [^\n]*?"class\.std::__cxx11::basic_string[^"]*", ptr %\S+, i32 0, i32 2'
    r"(?:, !dbg !\d+)?\n)"
    r"  (?:(?P<load>%\S+) = load i64, ptr (?P=place)|store i64 (?P<stored>%\S+), ptr (?P=place)), align 8"
    r"(?P<debug>, !dbg !\d+)?(?:, !tbaa !\d+)?",
    re.MULTILINE,
)
_INTEGER = """\
!90000001 = !{!90000002, !90000002, i64 0}
!90000002 = !{!"long", !90000003, i64 0}
!90000003 = !{!"omnipotent char", !90000004, i64 0}
!90000004 = !{!"Simple C++ TBAA"}
"""


def with_string_bodies(text: str, back_end: BackEnd, context: llvm.ContextRef) -> str:
    """Returns the text in which functions that requests may reach call bodies of std::string's members."""
    module = ModuleText(text)
    missing = [e.name for e in _members(module) if not e.is_definition]
    if missing:
        text = _with_library(text, missing, back_end, context)
        module = ModuleText(text)
    return _with_copies(module)


def takes_text(name: str) -> bool:
    """Returns whether it is the member of C++17 that takes the text of a stringstream."""
    return _TAKES_TEXT.fullmatch(name) is not None


def with_plain_texts(text: str) -> str:
    """Returns the text in which functions that requests may reach take texts of stringstreams as C++17 does.

    C++20 has members of its own, with bodies, for streams that are used again and for those that are not.
    """
    module = ModuleText(text)
    reached = {e for e in reached_by_requests(module) if not _TAKES_TEXT.fullmatch(e.name)}
    taken = {name for e in reached for name in module.references(e) if _TAKES_TEXT.fullmatch(name)}
    names = sorted({_TAKES_TEXT.sub(r"_ZNK\1", name) for name in taken})
    plain = re.compile(f"@{_TAKES_TEXT.pattern}")

    def change(entity: Entity, body: str) -> str | None:
        if entity.name in names:
            return "" if not entity.is_definition else body.replace(f"@{entity.name}(", f"@{entity.name}.own(", 1)
        return plain.sub(r"@_ZNK\1", body) if entity in reached else None

    changed = linkage.edit(module, change)
    declared = [f"declare {TEXT_TYPE.replace(' (', f' @{name}(')}" for name in names]
    return "\n".join([changed, *declared, ""])


def _members(module: ModuleText) -> list[Entity]:
    """Returns the members that requests may reach."""
    named = {name for entity in reached_by_requests(module) for name in module.references(entity)}
    return [module.entities[name] for name in sorted(named) if _IS_MEMBER.fullmatch(name)]


def _with_copies(module: ModuleText) -> str:
    reached = reached_by_requests(module)
    copied = {e.name for e in _members(module) if e.is_definition}

    def renamed(text: str) -> str:
        return _USED.sub(lambda found: "@" + (PREFIX if found[1] in copied else "") + found[1], text)

    def change(entity: Entity, text: str) -> str | None:
        return renamed(text) if entity in reached and entity.name not in copied else None

    copies = [_copy(module.of(module.entities[name]), name, renamed) for name in sorted(copied)]
    declared = [line for name, line in _declarations() if name not in module.entities]
    return "\n".join([linkage.edit(module, change), *copies, *declared, _INTEGER])


def _copy(text: str, name: str, renamed: Callable[[str], str]) -> str:
    found, unit = _COPIES.search(name), _IS_MEMBER.fullmatch(name)
    if found is not None and unit is not None:
        return _COPY_BODY.format(name=PREFIX + name, unit=_UNITS[unit["unit"]], intrinsic=_INTRINSICS[found[1]])
    head, newline, rest = text.partition("\n")
    return renamed(_DEBUG.sub("", linkage.with_linkage(head, "internal")) + newline + _CAPACITY.sub(_declared, rest))


def _declared(found: re.Match[str]) -> str:
    place = found["place"]
    load = f"{found['load']} = load atomic i64, ptr {place} monotonic"
    access = load if found["load"] else f"store i64 {found['stored']}, ptr {place}"
    return f"{found[1]}  {access}, align 8{found['debug'] or ''}, !tbaa !90000001"


def _declarations() -> list[tuple[str, str]]:
    return [(name[1:], f"declare void {name}(ptr, ptr, i64, i1)") for name in _INTRINSICS.values()]


def _with_library(text: str, names: list[str], back_end: BackEnd, context: llvm.ContextRef) -> str:
    """Returns the text with bodies of members from the headers of the C++ library, if a compiler can be had."""
    found = _TRIPLE.search(text)
    if not isinstance(back_end, Clang) or found is None:
        return text
    options = [*_OPTIONS, *(["-stdlib=libc++"] if any(_LIBCXX in name for name in names) else [])]
    command = [back_end.path, f"--target={found[1]}", *options, "-S", "-emit-llvm", "-", "-o", "-"]
    done = subprocess.run(command, input=_SOURCE.encode(), capture_output=True)
    if done.returncode:
        return text
    library = llvm_passes.parse(done.stdout.decode(), context)
    return str(joined(llvm_passes.parse(text, context), names, library, "the C++ library's strings"))
