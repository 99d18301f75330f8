"""Keeps LLVM from replacing a number by what it was compared with.

Behind `x == 2`, LLVM's passes replace x by 2 (GVN, EarlyCSE, IPSCCP, InstCombine). The value is the same, and the
derivative is lost: `x == 2 ? 3*x : x*x*x` has the derivative 3 at 2. So comparisons that may become a test of equality
compare a copy that LLVM does not see through: it replaces the copy only. The copies go before differentiation.

A number is copied by `llvm.canonicalize`, which LLVM moves, merges and folds as arithmetic. Two ordered comparisons
become a test of equality if one of them tells x < y from x >= y, and the other one x <= y from x > y. Of those with a
constant, it is enough that the second kind compares copies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from .compared_words import COPIED_WORD, fresh_numbers, with_own_names, with_words_copied
from .words_of_numbers import FUNCTION, NAME

_COMPARISON = re.compile(
    rf"^(?P<head>  {NAME} = fcmp (?P<flags>(?:[a-z]+ )*?)(?P<predicate>[ou](?:eq|ne|lt|le|gt|ge)) "
    rf"(?P<type>\w+|<\d+ x \w+>) )(?P<left>{NAME}|[^%\n]+?), (?P<right>{NAME}|[^%\n]+?)(?P<end>(?:, !.*)?)$",
    re.MULTILINE,
)
_COPY = "%enzyme.compared."
_ANY_NAME = re.compile(NAME)
#: the name of a function, in its text
NAME_OF_FUNCTION = re.compile(r"^define [^@\n]*@([-\w.$]+|\"[^\"]+\")\(")
#: stands for a function that passes do not change
_HIDDEN = "; enzyme.function."
_HIDDEN_FUNCTION = re.compile(rf"^{_HIDDEN}(\d+)$", re.MULTILINE)
_COPIED = re.compile(
    rf"^  ({NAME}) = (?:(?:tail|notail) )?call [^@\n]*"
    rf"(?:(?P<function>@llvm\.(?:canonicalize|arithmetic\.fence)\.)\w+|{COPIED_WORD})"
    r"\((?:\w+|<\d+ x \w+>) (?:(?!splat )[a-z]\w*(?:\([^)]*\))? )*(?P<number>.*?)\)(?: #\d+)?(?:, !.*)?\n",
    re.MULTILINE,
)
_SUFFIXES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "f80", "fp128": "f128"}
_VECTOR = re.compile(r"<(\d+) x (\w+)>")
#: of the first operand that is no constant, and of the second: InstCombine compares the operands of two canonicalize
_INTRINSICS = ("canonicalize", "arithmetic.fence")
_FUNCTIONS = tuple(f"@llvm.{intrinsic}." for intrinsic in _INTRINSICS)
#: tell x <= C from x > C if the constant C is on the right, and on the left
_ABOVE_RIGHT, _ABOVE_LEFT = {"ole", "ule", "ogt", "ugt"}, {"oge", "uge", "olt", "ult"}
_ZEROS = {"0.000000e+00", "-0.000000e+00", "zeroinitializer"}


def comparing_copies(run: Callable[[str], str], text: str, functions: Container[str] | None = None) -> str:
    """Returns what passes of LLVM make of a module's text, in which comparisons replace no number.

    `functions`: the names of those that the passes change, if not of all.
    """
    unnamed = frozenset(function for function in _FUNCTIONS if function not in text)
    copied = with_copies_compared(text) if functions is None else _with_some_compared(text, functions)
    return _with_numbers_compared(run(copied), unnamed)


def _with_some_compared(text: str, functions: Container[str]) -> str:
    """Returns the module in which comparisons in these functions compare copies."""
    others: list[str] = []

    def hide(function: re.Match[str]) -> str:
        name = NAME_OF_FUNCTION.search(function[0])
        if name is not None and name[1] in functions:
            return function[0]
        others.append(function[0])
        return f"{_HIDDEN}{len(others) - 1}"

    changed = with_copies_compared(FUNCTION.sub(hide, text))
    return _HIDDEN_FUNCTION.sub(lambda match: others[int(match[1])], changed)


def with_copies_compared(text: str) -> str:
    """Returns the module in which comparisons that may become tests of equality compare copies."""
    made = fresh_numbers(_COPY, text)
    used: dict[str, str] = {}

    def copy(operand: str, intrinsic: str, type_: str, location: str) -> tuple[str, str]:
        function = f"llvm.{intrinsic}.{_suffix(type_)}"
        used[function] = type_
        name = f"{_COPY}{next(made)}"
        return name, f"  {name} = call {type_} @{function}({type_} {operand}){location}\n"

    def change(match: re.Match[str]) -> str:
        if not _may_test_equality(match):
            return match[0]
        lines, operands, intrinsics = "", [], iter(_INTRINSICS)
        for operand in (match["left"], match["right"]):
            if operand.startswith("%"):
                operand, line = copy(operand, next(intrinsics), match["type"], _location(match["end"]))
                lines += line
            operands.append(operand)
        return f"{lines}{match['head']}{', '.join(operands)}{match['end']}"

    changed = _COMPARISON.sub(change, text)
    declared = {name for name in used if f"@{name}(" in text}
    changed += "".join(f"\ndeclare {used[f]} @{f}({used[f]})\n" for f in sorted(used.keys() - declared))
    return with_words_copied(changed, f"{_COPY}word.")


def _with_numbers_compared(text: str, unnamed: frozenset[str]) -> str:
    """Returns the module in which comparisons compare the numbers themselves again.

    `unnamed`: functions that make nothing but copies. The loop vectoriser's copies of several numbers have no name.
    """
    if _COPY not in text and not any(function in text for function in unnamed):
        return text
    return with_own_names(FUNCTION.sub(lambda function: _without_copies(function[0], unnamed), text))


def _without_copies(text: str, unnamed: frozenset[str]) -> str:
    numbers: dict[str, str] = {}

    def drop(match: re.Match[str]) -> str:
        if not match[1].startswith(_COPY) and match["function"] not in unnamed:
            return match[0]
        numbers[match[1]] = match["number"]
        return ""

    def number(match: re.Match[str]) -> str:
        name = match[0]
        while name in numbers:
            name = numbers[name]
        return name

    if _COPY not in text and not any(function in text for function in unnamed):
        return text
    text = _COPIED.sub(drop, text)
    return _ANY_NAME.sub(number, text) if numbers else text


def _may_test_equality(match: re.Match[str]) -> bool:
    left, right = (match[side].startswith("%") for side in ("left", "right"))
    if not (left or right) or not _is_known(match["type"]):
        return False
    if match["predicate"][1:] in ("eq", "ne") or (left and right):
        return True
    constant = match["right"] if left else match["left"]
    if constant in _ZEROS and not re.search("nsz|fast", match["flags"]):
        return False  # zero has two signs
    return match["predicate"] in (_ABOVE_RIGHT if left else _ABOVE_LEFT)


def _is_known(type_: str) -> bool:
    vector = _VECTOR.fullmatch(type_)
    return (vector[2] if vector else type_) in _SUFFIXES


def _suffix(type_: str) -> str:
    """How LLVM's names of functions call a type."""
    vector = _VECTOR.fullmatch(type_)
    return f"v{vector[1]}{_SUFFIXES[vector[2]]}" if vector else _SUFFIXES[type_]


def _location(end: str) -> str:
    """The `!dbg` attachment among those of an instruction."""
    found = re.search(r", !dbg !\d+", end)
    return found[0] if found else ""
