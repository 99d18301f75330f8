"""Optimisation before differentiation: what is moved out of loops now need not be differentiated inside them.

Some things are done beyond LLVM's O2 without vectorising and unrolling. Math functions are told not to set errno, as
long as nothing in the module reads it, so that they may be moved and merged. LLVM is told what is known of pointers
that are given to library functions. Functions that hold loops are not inlined in a first round: a call of one can be
hoisted out of a loop, its body once inlined cannot. And between the rounds, when constants have been found, the second
parts of stand-ins are made ready to be inlined.
"""

from __future__ import annotations

import re
from itertools import count

from ..ir import passes
from ..rules.known import is_pure, known
from ..rules.table import lookup

_MARK = '"enzyme-loops"'
_DEFINE = re.compile(r"^define .*\{$")
_DESCRIPTOR = "{ ptr, i64, i32, i8, i8, i8, i8%s%s }"
_DESCRIPTOR_COPY = re.compile(
    r"^  (?:tail )?call void @llvm\.memcpy\.p0\.p0\.i32\(ptr [^%@\n]*(?P<target>[%@][-\w.$]+), "
    r"ptr [^%@\n]*(?P<source>[%@][-\w.$]+), i32 (?P<bytes>\d+), i1 false\)(?P<end>(?:, !dbg !\d+)?).*$",
    re.MULTILINE,
)
_LATE = re.compile(r"^(define [^\n]*@__ez_late_\w+\([^\n]*\)).* \{$", re.MULTILINE)
_THROW = re.compile(r"^(declare void @__cxa_throw\([^)]*\)(?: (?:local_)?unnamed_addr)?)(?! nomerge)", re.MULTILINE)
_LABEL = re.compile(r"^([-\w$.]+|\"[^\"]*\"):")
_TARGET = re.compile(r"label %([-\w$.]+|\"[^\"]*\")")
_DECLARED = re.compile(r"^declare .*@([\w.]+)\(.*\).*$", re.MULTILINE)
_PARAMETERS = re.compile(r"^(declare .*@([\w.]+))\((.*?)\)", re.MULTILINE)
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_MEMORY = re.compile(r"\s*\bmemory\([^)]*\)")
_MATH = "nofree nounwind willreturn memory(none)"


def preoptimise(text: str) -> str:
    """The module, optimised for differentiation. Raises passes.LLVMError."""
    if "@__errno_location" not in text:
        text = without_errno(text)
    text = with_throws_apart(by_fields(with_local_pointers(text)))
    marked = keep_loops_apart(text)
    if marked != text or "@__ez_late_" in text:
        module = passes.parse(marked)
        passes.optimise(module, 2)
        text = inline_late(rejoin_loops(str(module)))
    module = passes.parse(text)
    passes.optimise(module, 2)
    return str(module)


def without_errno(text: str) -> str:
    """Declares the pure math functions free of memory effects."""
    groups = dict(_GROUP.findall(text))
    number = max((int(group[1:]) for group in groups), default=-1)
    made: dict[str, str] = {}

    def declare(match: re.Match[str]) -> str:
        nonlocal number
        line, name = match[0], match[1]
        if name.startswith("llvm.") or lookup(name) is None or not is_pure(name):
            return line
        found = re.search(r" (#\d+)", line)
        if found is None:
            return f"{line} {_MATH}"
        words = " ".join(w for w in _MEMORY.sub("", groups[found[1]]).split(" ") if w not in _MATH.split())
        if words not in made:
            number += 1
            made[words] = f"#{number}"
        return line.replace(found[0], f" {made[words]}")

    text = _DECLARED.sub(declare, text)
    return text + "".join(f"\nattributes {group} = {{ {words} {_MATH} }}" for words, group in made.items()) + "\n"


def with_local_pointers(text: str) -> str:
    """Declares which pointers known functions keep or write through: memory they only read is known as before."""

    def declare(match: re.Match[str]) -> str:
        row = known(match[2])
        if row is None or not row.local or row.writes == "any":
            return match[0]
        written = row.writes if isinstance(row.writes, tuple) else ()
        pointer = ("ptr readonly captures(none)", "ptr captures(none)")
        parameters = [
            pointer[k in written] if parameter == "ptr" else parameter
            for k, parameter in enumerate(match[3].split(", "))
        ]
        return f"{match[1]}({', '.join(parameters)})"

    return _PARAMETERS.sub(declare, text)


def by_fields(text: str) -> str:
    """Copies flang's array descriptors field by field: LLVM does not look through copies of bytes for what they hold.

    Flang alone copies a number of bytes that is an i32. A descriptor has 24 bytes, 24 for each dimension, and perhaps
    16 of an addendum, all without padding.
    """
    made = count()

    def copy(match: re.Match[str]) -> str:
        dimensions, rest = divmod(int(match["bytes"]) - 24, 24)
        if dimensions < 0 or rest not in (0, 16):
            return match[0]
        type_ = _DESCRIPTOR % (f", [{dimensions} x [3 x i64]]" * bool(dimensions), ", ptr, [1 x i64]" * bool(rest))
        value = f"%enzyme.descriptor.{next(made)}"
        load = f"  {value} = load {type_}, ptr {match['source']}, align 8{match['end']}"
        return f"{load}\n  store {type_} {value}, ptr {match['target']}, align 8{match['end']}"

    return _DESCRIPTOR_COPY.sub(copy, text)


def with_throws_apart(text: str) -> str:
    """Keeps LLVM from merging places that throw: each names the type that it throws."""
    return _THROW.sub(r"\1 nomerge", text)


def inline_late(text: str) -> str:
    """Has the second parts of stand-ins inlined (toolchain/stand_ins/fortran.h), now that their operands are known."""
    return _LATE.sub(r"\1 alwaysinline nounwind {", text)


def keep_loops_apart(text: str) -> str:
    """Marks functions that hold loops as not to be inlined."""
    lines = text.split("\n")
    groups = dict(_GROUP.findall(text))
    start: int | None = None
    seen: set[str] = set()
    for k, line in enumerate(lines):
        if start is None:
            if _DEFINE.match(line):
                start, seen = k, set()
        elif line == "}":
            start = None
        elif (label := _LABEL.match(line)) is not None:
            seen.add(label[1])
        elif "label %" in line and any(target in seen for target in _TARGET.findall(line)):
            lines[start] = _marked(lines[start], groups)
            start = None
    return "\n".join(lines)


def _marked(define: str, groups: dict[str, str]) -> str:
    found = re.search(r"\) (?:[a-z_]+ )*?(#\d+)", define)
    if found is None or re.search(r"\b(noinline|alwaysinline|optnone)\b", groups.get(found[1], "")):
        return define
    return define[: found.end()] + f" noinline {_MARK}" + define[found.end() :]


def rejoin_loops(text: str) -> str:
    """Takes the marks away again."""

    def clean(match: re.Match[str]) -> str:
        if _MARK not in match[2]:
            return match[0]
        words = re.sub(r"\bnoinline\b", "", match[2].replace(_MARK, ""))
        return f"attributes {match[1]} = {{ {words} }}"

    return _GROUP.sub(clean, text)
