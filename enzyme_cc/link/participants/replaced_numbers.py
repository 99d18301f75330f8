"""Warns of functions in which LLVM may have put a constant in the place of a number that was compared with it.

Bitcode of flang, of rustc and of clang -flto is written after LLVM's passes. Behind `x == 2`, these replace x by 2, and
the derivative of that branch is lost. Such a branch has a constant as its result, or computes with 2. Zero has two
signs, so LLVM puts it in the place of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText
from enzyme_cc.link.inputs.units import Definition, Unit
from enzyme_cc.report import Diagnostic

_NAME = rf"%{NAME}"
_NUMBER = r"-?\d\.\d+e[-+]\d+|0x[KHR]?[0-9A-F]+"
_TEST = re.compile(
    rf"^  (?P<name>{_NAME}) = fcmp (?:[a-z]+ )*?(?P<predicate>oeq|une) \w+ {_NAME}, "
    rf"(?P<constant>{_NUMBER})(?P<end>.*)$",
    re.MULTILINE,
)
_BLOCK = re.compile(r"^(\"[^\"\n]*\"|[-\w$.]+):.*$", re.MULTILINE)
_ZERO = re.compile(r"-?0\.0+e\+00|0x[KHR]?[08]0*")
_RESULT = re.compile(rf"^  (?:ret|store) \w+ ({_NUMBER})\b", re.MULTILINE)
_MERGED = re.compile(rf"^  {_NAME} = phi [^\[\n]*(\[.*\]).*$", re.MULTILINE)
_INCOMING = re.compile(r"\[ ([^,\]]+), (%[^\]]+) \]")
_LOCATION = re.compile(r"!dbg (!\d+)")


def replaced_numbers(
    units: Iterable[Unit], reached: frozenset[Definition], text_of: Callable[[Unit], ModuleText]
) -> list[Diagnostic]:
    """Returns a warning (EZ0218) for each function that requests reach and that has such a branch."""
    return [
        _warning(unit, text_of(unit), entity, test)
        for unit in units
        if not unit.is_unoptimised
        for entity in text_of(unit).entities.values()
        if entity.is_function and entity.is_definition and (unit, entity.name) in reached
        for test in [next(_lossy(text_of(unit).of(entity)), None)]
        if test is not None
    ]


def _warning(unit: Unit, text: ModuleText, entity: Entity, test: re.Match[str]) -> Diagnostic:
    return Diagnostic(
        "EZ0218",
        f"a branch where a number equals {test['constant']} may have lost its derivative",
        location=_place(text, test),
        function=entity.name,
        reason=f"the bitcode in {unit.label} was written after optimisation, which puts the constant in the place of "
        "the number in this branch",
    )


def _place(text: ModuleText, test: re.Match[str]) -> str | None:
    found = _LOCATION.search(test["end"])
    line = (
        re.search(rf"^{found[1]} = (?:distinct )?!DILocation\(line: (\d+)", text.text, re.MULTILINE) if found else None
    )
    return f"{text.source_file}:{line[1]}" if line else None


def _lossy(function: str) -> Iterator[re.Match[str]]:
    """Yields the tests of equality behind which there are constants."""
    for test in _TEST.finditer(function):
        if not _ZERO.fullmatch(test["constant"]) and (_selects(function, test) or _branches(function, test)):
            yield test


def _selects(function: str, test: re.Match[str]) -> bool:
    """True if a select has a constant where the numbers are equal, and none where they differ."""
    chosen = re.search(
        rf"^  {_NAME} = select (?:[a-z]+ )*i1 {re.escape(test['name'])}, \w+ ([^,\n]+), \w+ ([^,\n]+)", function, re.M
    )
    if chosen is None:
        return False
    equal, other = chosen.groups() if test["predicate"] == "oeq" else chosen.groups()[::-1]
    return _is_constant(equal) and other.startswith("%")


def _branches(function: str, test: re.Match[str]) -> bool:
    """True if the block where the numbers are equal computes with the constant, or has a constant as its result."""
    branch = re.search(rf"^  br i1 {re.escape(test['name'])}, label %([^,]+), label %([^,\s]+)", function, re.MULTILINE)
    if branch is None:
        return False
    target = branch[1 if test["predicate"] == "oeq" else 2]
    blocks = _blocks(function)
    block, source = blocks.get(target, ""), next(name for name, body in blocks.items() if branch[0] in body)
    if " phi " not in block and re.search(rf"[ ,(]{re.escape(test['constant'])}(?![\w.])", block):
        return True
    return any(map(_is_constant, _RESULT.findall(block))) or any(
        _merges(phi, target if phi[0] not in block else source, blocks.keys()) for phi in _MERGED.finditer(function)
    )


def _merges(phi: re.Match[str], source: str, names: Collection[str]) -> bool:
    """True if a phi has a constant where it comes from this block, and a number from elsewhere."""
    incoming = [(value, name[1:]) for value, name in _INCOMING.findall(phi[1])]
    came = [value for value, name in incoming if (name if name in names else "") == source]
    return any(map(_is_constant, came)) and any(value.startswith("%") for value, _ in incoming)


def _blocks(function: str) -> dict[str, str]:
    """The text of each block; that of the first one by the empty name, if it has none."""
    parts = _BLOCK.split(function)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _is_constant(value: str) -> bool:
    return re.fullmatch(_NUMBER, value) is not None and not _ZERO.fullmatch(value)
