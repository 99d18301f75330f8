"""Keeps LLVM from replacing an integer that holds the bits of a number by what it was compared with.

A comparison of such an integer compares a copy, made by empty assembly code. So does a comparison with the bits of an
ordinary number: few other integers are compared with such constants. A call of memcmp that compares as many bytes as a
number has gets another name, or LLVM would compare integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from .words_of_numbers import FUNCTION, NAME, WORD, WordsOfNumbers

_COMPARISON = re.compile(
    rf"^(?P<head>  {NAME} = icmp (?:samesign )?(?P<predicate>[a-z]+) (?P<type>{WORD}) )"
    rf"(?P<left>{NAME}|-?\d+), (?P<right>{NAME}|-?\d+)(?P<end>(?:, !.*)?)$",
    re.MULTILINE,
)
_SWITCH = re.compile(
    rf"^(?P<head>  switch (?P<type>{WORD}) )(?P<left>{NAME})(?P<end>, label {NAME} \[\n"
    rf"(?P<cases>(?:    i\d+ -?\d+, label {NAME}\n)*)  \].*)$",
    re.MULTILINE,
)
_DIFFERENCE = re.compile(
    rf"^  ({NAME}) = (?:xor|sub|add) (?:n[us]w )*({WORD}) (?:{NAME}, (-?\d+)|(-?\d+), {NAME})", re.MULTILINE
)
_CASE = re.compile(r" (-?\d+),")
_LOCATION = re.compile(r", !dbg !\d+")
#: bits of the exponent in the type of numbers that has as many bits
_EXPONENT_BITS = {"i16": 5, "i32": 8, "i64": 11, "i128": 15}
#: as in compared_copies.py
_ABOVE_RIGHT, _ABOVE_LEFT = {"ule", "ugt", "sle", "sgt"}, {"uge", "ult", "sge", "slt"}
_ASSEMBLY = 'asm "", "=r,0"'
#: what makes a copy, as LLVM prints it
COPIED_WORD = re.escape(_ASSEMBLY)

_MEMCMP = re.compile(r"(call i32 @)(memcmp|bcmp)(?=\([^\n]*, i64 (?:noundef )?[248]\))")
_OTHER = "enzyme.compared."
_POINTER = "ptr readonly captures(none)"
_DECLARATION = f"\ndeclare i32 @{{}}({_POINTER}, {_POINTER}, i64) nofree nounwind willreturn memory(argmem: read)\n"
_DECLARES_OTHER = re.compile(rf"^(declare [^\n]*@){re.escape(_OTHER)}(\w+)(\([^\n]*\n)", re.MULTILINE)


def with_words_copied(text: str, prefix: str) -> str:
    """Returns the module in which comparisons of the bits of numbers compare copies. `prefix`: of the copies' names."""
    words = WordsOfNumbers(text)
    return _with_other_names(FUNCTION.sub(lambda m: _with_copies(m[0], words.of(m[0]), prefix), text))


def fresh_numbers(prefix: str, text: str) -> Iterator[int]:
    """Yields numbers that no name with this prefix has: LLVM gives a copy's name to what replaces the copy."""
    return count(1 + max((int(n) for n in re.findall(rf"{re.escape(prefix)}(\d+)", text)), default=-1))


def with_own_names(text: str) -> str:
    """Returns the module in which calls of memcmp have their name again."""
    if f"@{_OTHER}" not in text:
        return text
    declared = set(re.findall(r"^declare [^\n]*@(memcmp|bcmp)\(", text, re.MULTILINE))
    text = _DECLARES_OTHER.sub(lambda m: "" if m[2] in declared else m[0], text)
    return text.replace(f"@{_OTHER}", "@")


def _with_other_names(text: str) -> str:
    if "cmp(" not in text or re.search(r"^define [^\n]*@(?:memcmp|bcmp)\(", text, re.MULTILINE):
        return text
    names = sorted({name for _, name in _MEMCMP.findall(text)})
    declarations = "".join(_DECLARATION.format(_OTHER + name) for name in names)
    return _MEMCMP.sub(rf"\1{_OTHER}\2", text) + declarations


def _with_copies(function: str, words: set[str], prefix: str) -> str:
    """Returns a function's text in which comparisons of these integers, and of others with bits, compare copies."""
    words |= {name for name, type_, *constants in _DIFFERENCE.findall(function) if _are_bits(type_, constants)}
    made = fresh_numbers(prefix, function)

    def change(match: re.Match[str], operands: list[str], constants: list[str]) -> str:
        if words.isdisjoint(operands) and not _are_bits(match["type"], constants):
            return match[0]
        lines, values = "", []
        for operand in operands:
            if operand.startswith("%"):
                name = f"{prefix}{next(made)}"
                call = f"call {match['type']} {_ASSEMBLY}({match['type']} {operand}) nounwind willreturn memory(none)"
                lines += f"  {name} = {call}{''.join(_LOCATION.findall(match['end'])[-1:])}\n"
                operand = name
            values.append(operand)
        return f"{lines}{match['head']}{', '.join(values)}{match['end']}"

    def compare(match: re.Match[str]) -> str:
        operands = [match["left"], match["right"]]
        constants = [operand for operand in operands if not operand.startswith("%")]
        return change(match, operands, constants) if _may_test_equality(match) else match[0]

    def switch(match: re.Match[str]) -> str:
        return change(match, [match["left"]], _CASE.findall(match["cases"]))

    return _SWITCH.sub(switch, _COMPARISON.sub(compare, function))


def _may_test_equality(match: re.Match[str]) -> bool:
    left, right = (match[side].startswith("%") for side in ("left", "right"))
    if match["predicate"] in ("eq", "ne"):
        return left or right
    return left != right and match["predicate"] in (_ABOVE_RIGHT if left else _ABOVE_LEFT)


def _are_bits(type_: str, constants: list[str]) -> bool:
    """True if one of the constants is the bits of an ordinary number or an infinity."""
    return any(_is_number(type_, int(constant)) for constant in constants if constant)


def _is_number(type_: str, value: int) -> bool:
    size, bits = int(type_[1:]), _EXPONENT_BITS[type_]
    fraction = size - 1 - bits
    exponent = value >> fraction & (1 << bits) - 1
    return 0 < exponent < (1 << bits) - 1 or (exponent != 0 and value & (1 << fraction) - 1 == 0)
