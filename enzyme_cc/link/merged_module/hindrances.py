"""Takes out of a unit's text what compiler options put there and what hides where numbers go.

LLVM and the analyses then see the same code for all options.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from enzyme_cc.analysis.type_analysis.declared.tbaa import FORTRAN_DATA

_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_GROUP_USE = re.compile(r"#\d+")
_DEFINE = re.compile(r"^define .*$", re.MULTILINE)
#: clang adds this function to C++ with exceptions, always `noinline`
_ODR = re.compile(r"define (?:linkonce|weak)_odr (?!.*@__clang_call_terminate\()")
_ATTRIBUTES = ("optsize", "minsize", "no-builtin")
_ATTRIBUTE = re.compile(rf'"?\b(?:{"|".join(_ATTRIBUTES)})[\w-]*"? ?')
_NO_BUILTIN = re.compile(r"\bnobuiltin ")

#: a class of flang's TBAA, with its parent
_FLANG = '!"Flang function root '
_CLASS = re.compile(r'^(!\d+) = !\{!"([^"\n]*)", (!\d+), i64 0\}$', re.MULTILINE)

_CONSTRAINED = "@llvm.experimental.constrained."
_TYPE = r"<\d+ x \w+>|\w+"
_CALL = rf"(?:(?:tail|notail) )?call ((?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*)({_TYPE}) {_CONSTRAINED}"
_MODES = r'(?:, metadata !"[\w.]+")+\)(?: #\d+)?'
_COMPARES = re.compile(rf'{_CALL}fcmps?\.\w+\(({_TYPE}) (.*), \3 (.*), metadata !"(\w+)"{_MODES}')
_CONVERTS = re.compile(rf"{_CALL}(fptosi|fptoui|sitofp|uitofp|fpext)\.[\w.]+\(((?:{_TYPE}) .*?){_MODES}")
_ROUNDS = re.compile(rf"{_CALL}fptrunc\.[\w.]+\(((?:{_TYPE}) .*?){_MODES}")
_COMPUTES = re.compile(rf"{_CALL}(fadd|fsub|fmul|fdiv|frem)\.\w+\(({_TYPE}) (.*), \4 (.*?){_MODES}")
_CALLS = re.compile(rf"{_CALL}(\w[\w.]*)\((.*?){_MODES}")
#: calls of what does not round as the mode says
_FREE_CALLS = re.compile(
    rf"{_CALL}(?!(?:fadd|fsub|fmul|fdiv|frem|fptrunc|sqrt|fma|fmuladd|rint|nearbyint|lrint|llrint)\.)"
    rf"(\w[\w.]*)\((.*?){_MODES}"
)
_STRICT = re.compile(r"\bstrictfp ")
_PLAIN_CALL = r"call \1\2 @llvm.\3(\4)"  # LLVM declares its own functions where text does not
#: what changes the rounding mode or looks at exceptions: functions of C; intrinsics and instructions
MODE_FUNCTIONS = frozenset(
    """
    fesetround fesetenv fesetmode feholdexcept feupdateenv feclearexcept fetestexcept feraiseexcept fesetexcept
    feenableexcept fedisableexcept fegetexceptflag fesetexceptflag fetestexceptflag
    """.split()
)
_USES_MODES = re.compile(
    r"@llvm\.(?:re)?set\.(?:rounding|fpenv|fpmode)\b"
    r"|\b(?:ldmxcsr|stmxcsr|fldcw|fldenv|frstor|fn?stsw|fn?stenv|fsrmi?|fscsr|frcsr|fpcr|fpsr)\b"
)
_FAKE_USE = re.compile(r"^ *(?:(?:tail|notail) )?call void \(\.\.\.\) @llvm\.fake\.use\(.*\n", re.MULTILINE)

#: what -D_FORTIFY_SOURCE calls: parameters before the size of the memory, the instruction, and the result
_CHECKED = {
    "__memcpy_chk": ("ptr %to, ptr %from, i64 %size", "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from", "%to"),
    "__memmove_chk": ("ptr %to, ptr %from, i64 %size", "call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from", "%to"),
    "__mempcpy_chk": ("ptr %to, ptr %from, i64 %size", "call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from", "%end"),
    "__memset_chk": ("ptr %to, i32 %value, i64 %size", "call void @llvm.memset.p0.i64(ptr %to, i8 %byte", "%to"),
}
_CHECKED_BODY = """\
define internal ptr @{name}({parameters}, i64 %room) alwaysinline {{
  %is_over = icmp ugt i64 %size, %room
  br i1 %is_over, label %stop, label %go
stop:
  call void @__chk_fail()
  unreachable
go:
  {byte}{moves}, i64 %size, i1 false)
  %end = getelementptr i8, ptr %to, i64 %size
  ret ptr {result}
}}"""
_DECLARES_CHECKED = re.compile(rf"^declare (?:!dbg !\d+ )?ptr @({'|'.join(_CHECKED)})\(.*$", re.MULTILINE)
_FAILS = "declare void @__chk_fail()"


def has_modes(text: str) -> bool:
    """Returns whether a unit was compiled for rounding modes (-frounding-math) or exceptions (-ftrapping-math)."""
    return _CONSTRAINED in text


def uses_modes(text: str) -> bool:
    """Returns whether a unit sets the rounding mode or looks at exceptions without calling a function that does."""
    return _USES_MODES.search(text) is not None


def without_blanket_noinline(text: str) -> str:
    """Returns a unit's text without the `noinline` that a compiler option puts on every function.

    The derivative is made of optimised code, also if the user asked for no optimisation. Two options do that:
    - -O0, with `optnone` if there is -flto: the unit has frame pointers and no TBAA;
    - -fno-inline for C++: the attribute is on every inline function and template. Behind calls of `begin()` and
      `operator*`, results that objects keep could not be told from others.
    """
    if " noinline " not in text:
        return text
    groups = dict(_GROUP.findall(text))
    defined = _DEFINE.findall(text)
    inline = [line for line in defined if _ODR.match(line)]
    if "!tbaa" in text:
        is_blanket = _are_all_noinline(_groups_of(inline, groups))
    else:
        attributes = _groups_of(defined, groups)
        is_blanket = _are_all_noinline(attributes) and all('"frame-pointer"="all"' in a for a in attributes)
    if not is_blanket:
        return text
    return _GROUP.sub(lambda found: re.sub(r"\b(?:noinline|optnone) ?", "", found[0]), text)


def with_one_class_of_data(text: str) -> str:
    """Returns a unit's text in which each function of flang has one alias class for all data.

    flang gives each dummy argument, each global variable and the allocated data of a function a class of its own. They
    differ in one run of the function. LLVM inlines two runs into one caller, and the classes stay: memory that the
    first run gets by one name, and the second one by another, would be two memories.
    """
    if _FLANG not in text:
        return text
    parents = {node: (name, parent) for node, name, parent in _CLASS.findall(text)}

    def widened(found: re.Match[str]) -> str:
        name, parent = found[2], found[3]
        while name != FORTRAN_DATA and parent in parents:
            name, parent = parents[parent]
        return f'{found[1]} = !{{!"{name}", {parent}, i64 0}}' if name == FORTRAN_DATA else found[0]

    return _CLASS.sub(widened, text)


def _groups_of(definitions: Collection[str], groups: Mapping[str, str]) -> list[str]:
    used = {group for line in definitions for group in _GROUP_USE.findall(line)}
    return [groups.get(group, "") for group in used]


def _are_all_noinline(attributes: Collection[str]) -> bool:
    return bool(attributes) and all(re.search(r"\b(noinline|alwaysinline)\b", a) for a in attributes)


def without_attributes(text: str) -> str:
    """Returns a unit's text without attributes that ask for one of these:

    - small code (-Os and -Oz): functions of a few lines would not be inlined either, and the bits of numbers would pass
      between functions;
    - calls of the C library as they are (-fno-builtin): bits would pass through calls of memcpy. C++ declares operators
      `nobuiltin` without that option, and these stay so.
    """
    if not any(word in text for word in _ATTRIBUTES):
        return text

    def without_words(group: re.Match[str]) -> str:
        words = _NO_BUILTIN.sub("", group[0]) if '"no-builtins"' in group[0] else group[0]
        return _ATTRIBUTE.sub("", words)

    return _without_empty_groups(_GROUP.sub(without_words, text))


def _without_empty_groups(text: str) -> str:
    return text.replace(" = { }\n", ' = { "enzyme-none" }\n')  # LLVM reads no empty group


def without_exact_rounding_modes(text: str) -> str:
    """Returns a unit's text without the rounding mode (-frounding-math) of what does not round as the mode says.

    These are comparisons, conversions (only integers with more digits than a number are rounded) and functions of the C
    library but for sqrt, fma and rint. LLVM, analyses and registered derivatives look for the forms of other code. LLVM
    gives modes to what it inlines into a function with the attribute `strictfp`.
    """
    if _CONSTRAINED not in text:
        return text
    text = _CONVERTS.sub(r"\3 \4 to \2", _COMPARES.sub(r"fcmp \6 \3 \4, \5", text))
    return _FREE_CALLS.sub(_PLAIN_CALL, text)


def without_rounding_modes(text: str) -> str:
    """Returns a unit's text without rounding modes: the program has one mode, always the same."""
    if "strictfp " in text:
        text = _without_empty_groups(_GROUP.sub(lambda found: _STRICT.sub("", found[0]), text))
    if _CONSTRAINED not in text:
        return text
    text = _COMPUTES.sub(r"\3 \1\4 \5, \6", _ROUNDS.sub(r"fptrunc \3 to \2", text))
    return _CALLS.sub(_PLAIN_CALL, text)


def without_fake_uses(text: str) -> str:
    """Returns a unit's text without the uses that keep variables alive for debuggers (-Og, -fextend-variable-liveness).

    A word that code only moves would have another use, and count as an integer.
    """
    return _FAKE_USE.sub("", text) if "@llvm.fake.use" in text else text


def with_open_checks(text: str) -> str:
    """Returns a unit's text in which copies that check the size of the memory (-D_FORTIFY_SOURCE) have their bodies.

    Once they are inlined, they are copies as others.
    """

    if "_chk(" not in text:
        return text

    def define(declared: re.Match[str]) -> str:
        parameters, moves, result = _CHECKED[declared[1]]
        byte = "%byte = trunc i32 %value to i8\n  " if "%byte" in moves else ""
        return _CHECKED_BODY.format(name=declared[1], parameters=parameters, byte=byte, moves=moves, result=result)

    opened = _DECLARES_CHECKED.sub(define, text)
    return opened if opened == text or _FAILS in text else f"{opened}\n{_FAILS} cold noreturn nounwind\n"
