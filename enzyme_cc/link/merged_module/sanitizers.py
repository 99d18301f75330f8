"""Sanitizers of the units, from their bitcode to the new object.

clang's front end marks each function that a sanitizer's pass is to instrument, and embeds bitcode before that pass
runs. LLVM forwards less between stores and loads of such functions, and inlines no others into them. So the marks are
notes while derivatives are made, which derivatives get from their primals. In the end, the passes run on all that the
link emits. UndefinedBehaviorSanitizer's checks are in bitcode already.
"""

from __future__ import annotations

import re

import llvmlite.binding as llvm

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.ir.back_ends import SANITIZERS

DERIVATIVES = tuple(form.prefix for form in Form)
_NOTE = "enzyme-{}"
_NONE = "enzyme-sanitize-none"
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_MARK = re.compile(r"(?<![-\w])sanitize_\w+")
_WORD = re.compile(r'[^"\s]+')
_DEFINED_WITH = re.compile(r"^define .*?(#\d+)(?= [^#\n]*\{$| \{$)", re.MULTILINE)


def with_notes(text: str) -> str:
    """Returns a unit's text with notes in the place of its sanitizers' attributes.

    A function without one in a unit with a sanitizer (`no_sanitize`) has a note that it gets no checks.
    """
    if "sanitize_" not in text or _MARK.search(text) is None:
        return text
    defining = set(_DEFINED_WITH.findall(text))

    def noted(group: re.Match[str]) -> str:
        words, count = _MARK.subn(lambda mark: f'"{_NOTE.format(mark[0])}"', group[2])
        none = "" if count or group[1] not in defining else f' "{_NONE}"'
        return f"attributes {group[1]} = {{ {words}{none} }}"

    return _GROUP.sub(noted, text)


def ask_for_checks(module: llvm.ModuleRef) -> None:
    """Marks the functions of the finished module again: those without a note too, such as the runtime's.

    Derivatives are not inlined: LLVM would remove accesses outside of a variable, and the variable.
    """
    defined = [(f, _words(f)) for f in module.functions if not f.is_declaration]
    noted = frozenset[str]().union(*(words for _, words in defined))
    marks = [mark for mark in SANITIZERS if _NOTE.format(mark) in noted]
    for function, words in defined if marks else ():
        own = ["noinline"] if function.name.startswith(DERIVATIVES) and "alwaysinline" not in words else []
        for mark in [*own, *([] if _NONE in words else marks)]:
            function.add_function_attribute(mark)


def _words(function: llvm.ValueRef) -> frozenset[str]:
    return frozenset(_WORD.findall(b" ".join(function.attributes).decode()))
