"""Changes of a module's text around LLVM's O2, which optimises it before differentiation (preoptimisation.py):

- Math functions are declared not to set errno, if nothing in the module reads it, so that LLVM may move and merge them.
- Library functions are declared with what is known about their pointer parameters.
- Functions with loops are not inlined in a first round: LLVM can hoist a call out of a loop, but not an inlined loop.
- The second parts of stand-ins are not optimised in it, and inlined in the second one.
- Array descriptors of flang are copied field by field.
- flang declares that sums with remainders do not wrap, although remainders may be negative: they may wrap.
- Parts of a word that are stored side by side are stored as one word, which may be a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

from ...ir import llvm_passes
from ...ir.back_ends import BackEnd
from ...ir.text.metadata_numbers import first_free
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import is_pure, known
from ...rules.table import lookup
from .compared_copies import comparing_copies
from .inlined_loops import with_loops_inlined

#: make SSA form of clang's unoptimised code
CLEANUP = ("always-inline", "sroa", "simplifycfg", "instcombine")
_MARK = '"enzyme-loops"'
_DEFINE = re.compile(r"^define .*\{$")
_DESCRIPTOR = [(0, "ptr"), (8, "i64"), (16, "i32"), *((at, "i8") for at in range(20, 24))]
_DESCRIPTOR_COPY = re.compile(
    r"^  (?:tail )?call void @llvm\.memcpy\.p0\.p0\.i32\(ptr [^%@\n]*(?P<target>[%@][-\w.$]+), "
    r"ptr [^%@\n]*(?P<source>[%@][-\w.$]+), i32 (?P<bytes>\d+), i1 false\)(?P<end>(?:, !dbg !\d+)?).*$",
    re.MULTILINE,
)
_DESCRIPTOR_TAG = """
!{0} = !{{!{1}, !{1}, i64 0}}
!{1} = !{{!"descriptor member", !{2}, i64 0}}
!{2} = !{{!"enzyme-cc: array descriptors"}}
"""
_SUMS = re.compile(
    r"^define |^  (?P<remainder>%\S+) = srem |"
    r"^  %\S+ = add (?P<wraps>nuw )(?:nsw )?i\d+ (?P<left>\S+), (?P<right>[^\s,]+)",
    re.MULTILINE,
)
_LATE = re.compile(r"^(define [^\n]*@__ez_late_[\w.]+\([^\n]*\)).* \{$", re.MULTILINE)
_THROW = re.compile(r"^(declare void @__cxa_throw\([^)]*\)(?: (?:local_)?unnamed_addr)?)(?! nomerge)", re.MULTILINE)
_LABEL = re.compile(r"^([-\w$.]+|\"[^\"]*\"):")
_TARGET = re.compile(r"label %([-\w$.]+|\"[^\"]*\")")
_DECLARED = re.compile(r"^declare .*@([\w.]+)\(.*\).*$", re.MULTILINE)
_PARAMETERS = re.compile(r"^(declare [^\n@]*@([\w.]+))\(((?:[^()\n]|\([^()\n]*\))*)\)", re.MULTILINE)
_PARAMETER = re.compile(r"(?:[^(),]|\([^()]*\))+")
_FREED = re.compile(r"^ptr(?! captures)")
_BARE_POINTER = {"ptr", "noundef", "captures(none)"}
#: a part of a word, and a store of it
_STORED_PART = re.compile(
    r" = lshr i(?:32|64) %\S+, (?:8|16|24|32|40|48|56)(?:, ![^\n]*)?\n(?:[^}\n]*\n){0,20}?"
    r"  (?P<part>%\S+) = trunc (?:nuw )?(?:nsw )?i(?:32|64) %\S+ to (?P<type>i8|i16|i32)(?:, ![^\n]*)?\n"
    r"(?:[^}\n]*\n){0,20}?  store (?P=type) (?P=part), "
)
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_MEMORY = re.compile(r"\s*\bmemory\([^)]*\)")
_MATH = "nofree nounwind willreturn memory(none)"


def simplify(text: str, back_end: BackEnd) -> str:
    """Returns the module, optimised by LLVM's O2 without vectorising and unrolling. Raises llvm_passes.LLVMError."""
    return comparing_copies(back_end.simplify, text)


def clean_up(text: str) -> str:
    """Returns the module in SSA form, and not optimised otherwise. Raises llvm_passes.LLVMError."""

    def cleaned(text: str) -> str:
        module = llvm_passes.parse(text)
        llvm_passes.run_passes(module, *CLEANUP)
        return str(module)

    return comparing_copies(cleaned, text)


def without_exceptions(text: str, lower: Callable[[str], str]) -> str:
    """Returns the module in which exceptions in differentiated code are control flow (unwinding/)."""
    return lower(text)


def with_null_kept(text: str) -> str:
    """Returns the module in which accesses through null end the program: LLVM deletes nothing that leads there."""
    module = llvm_passes.parse(text)
    llvm_passes.keep_null(module)
    return str(module)


def canonical(text: str) -> str:
    """Gives each loop a preheader and one latch, and makes it LCSSA: values leave it through phis only."""
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "loop-simplify", "lcssa")
    return str(module)


def are_loops_apart(text: str) -> bool:
    """Returns whether functions with loops are marked."""
    return _MARK in text


def without_errno(text: str) -> str:
    """Declares that the pure math functions have no effects on memory."""
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
    """Declares which pointers known functions capture or write through: other memory is known to be unchanged.

    What frees memory keeps no pointer to it, either: so LLVM knows that new memory is apart from all other.
    """

    def declare(match: re.Match[str]) -> str:
        row = known(match[2])
        if row is not None and row.kind is CalleeKind.FREE:
            return f"{match[1]}({_FREED.sub('ptr captures(none)', match[3], count=1)})"
        if row is None or not row.local or row.writes == "any":
            return match[0]
        written = row.writes if isinstance(row.writes, tuple) else ()
        pointer = ("ptr readonly captures(none)", "ptr captures(none)")
        parameters = [
            pointer[k in written] if {*parameter.split()} <= _BARE_POINTER else parameter
            for k, parameter in enumerate(_PARAMETER.findall(match[3]))
        ]
        return f"{match[1]}({','.join(parameters)})"

    return _PARAMETERS.sub(declare, text)


def by_fields(text: str) -> str:
    """Copies flang's array descriptors field by field: LLVM does not see the fields in a copy of bytes.

    Only flang's copies have a length of type i32. A descriptor has 24 bytes, 24 for each dimension, and possibly an
    addendum of 16, all without padding. The fields are pointers or integers; flang's TBAA tag says so.
    """
    made = count()
    tag = first_free(text)

    def copy(match: re.Match[str]) -> str:
        dimensions, rest = divmod(int(match["bytes"]) - 24, 24)
        if dimensions < 0 or rest not in (0, 16):
            return match[0]
        fields = [*_DESCRIPTOR, *((24 + 8 * k, "i64") for k in range(3 * dimensions))]
        if rest:
            fields += [(24 * (dimensions + 1), "ptr"), (24 * (dimensions + 1) + 8, "i64")]
        return "\n".join(line for offset, type_ in fields for line in copy_field(match, offset, type_))

    def copy_field(match: re.Match[str], offset: int, type_: str) -> list[str]:
        name = f"%enzyme.descriptor.{next(made)}"
        places = [f"{name}.{end} = getelementptr i8, ptr {match[end]}, i64 {offset}" for end in ("source", "target")]
        end = f", align {1 if type_ == 'i8' else 4 if type_ == 'i32' else 8}, !tbaa !{tag}{match['end']}"
        access = [f"{name} = load {type_}, ptr {name}.source{end}", f"store {type_} {name}, ptr {name}.target{end}"]
        return [f"  {line}" for line in (*places, *access)]

    changed = _DESCRIPTOR_COPY.sub(copy, text)
    return changed if changed == text else changed + _DESCRIPTOR_TAG.format(tag, tag + 1, tag + 2)


def with_wrapping_sums(text: str) -> str:
    """Lets sums wrap that add the remainder of a signed division.

    flang 22 gives `nuw` to the sum that makes the shift of an inlined `cshift` positive: (-2 mod n) + n wraps. LLVM
    may then take the sum for any value.
    """
    remainders: set[str] = set()

    def may_wrap(match: re.Match[str]) -> str:
        if match["wraps"] is not None:
            return match[0].replace(" nuw", "", 1) if remainders & {match["left"], match["right"]} else match[0]
        if match["remainder"] is None:  # another function begins
            remainders.clear()
        else:
            remainders.add(match["remainder"])
        return match[0]

    return _SUMS.sub(may_wrap, text) if " = srem " in text else text


def with_whole_words(text: str) -> str:
    """Stores parts of a word as one word where they are stored side by side.

    LLVM's pipeline does it before it has inlined all. Fortran's constructors of single characters store such parts.
    """
    if _STORED_PART.search(text) is None:
        return text
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "aggressive-instcombine")
    return str(module)


def hide_late(text: str) -> str:
    """Keeps LLVM from optimising the second parts of stand-ins, which are large. Infers their attributes."""
    if _LATE.search(text) is None:
        return text
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "always-inline", "globaldce", "sroa", "function-attrs")
    return _LATE.sub(lambda m: m[0][:-1] + "optnone {", str(module))


def with_throws_apart(text: str) -> str:
    """Keeps LLVM from merging places that throw, so that each throws an object of one known type."""
    return _THROW.sub(r"\1 nomerge", text)


def inline_late(text: str) -> str:
    """Marks the second parts of stand-ins (toolchain/stand_ins/fortran.h) to be inlined: operands are known."""
    return _LATE.sub(r"\1 alwaysinline nounwind {", text)


def keep_loops_apart(text: str) -> str:
    """Marks the functions with loops `noinline`."""
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


def inline_loops(text: str) -> str:
    """Lets LLVM inline more of the functions that `keep_loops_apart` has marked."""
    return with_loops_inlined(text, _MARK)


def rejoin_loops(text: str) -> str:
    """Removes the marks of `keep_loops_apart`."""

    def clean(match: re.Match[str]) -> str:
        if _MARK not in match[2]:
            return match[0]
        words = re.sub(r"\bnoinline\b", "", match[2].replace(_MARK, ""))
        return f"attributes {match[1]} = {{ {words} }}"

    return _GROUP.sub(clean, text)
