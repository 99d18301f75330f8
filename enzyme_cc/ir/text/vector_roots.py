"""Square roots of vectors, which LLVM's vectoriser leaves as roots of their elements.

It counts a call of an intrinsic function for one number as 10, and a root of four numbers as 56, as that takes on old
processors of x86-64. So it takes the vector apart, makes four scalar roots, and puts them together again. LLVM's
vectoriser of straight-line code would join them, but the back ends do not run it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

_ROOT = "@llvm.sqrt.f"
_MOST = 64  # elements of a vector
_RECORD = "    #dbg_"
_NAME = re.compile(r"%[-\w.$]+")
_ELEMENT = re.compile(
    r"  (?P<name>%\S+) = extractelement (?P<type><(?P<count>\d+) x (?:float|double)>) (?P<from>%[^\s,]+), "
    r"i\d+ (?P<at>\d+)"
)
_SCALAR = re.compile(
    r"  (?P<name>%\S+) = (?:tail )?call (?P<flags>(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*)"
    r"[^@]*@llvm\.sqrt\.f(?P<bits>32|64)\(.*?(?P<operand>%[^\s,)]+)\)(?P<line>(?:, !dbg !\d+)?)"
)
_PUT = re.compile(
    r"  (?P<name>%\S+) = insertelement <\d+ x (?:float|double)> (?P<base>poison|%\S+), "
    r"(?:float|double) (?P<element>%[^\s,]+), i\d+ (?P<at>\d+)"
)


def has_roots(text: str) -> bool:
    """Returns whether the module's text has square roots of single numbers."""
    return f"{_ROOT}32(" in text or f"{_ROOT}64(" in text


def with_vector_roots(text: str) -> str:
    """Returns the module's text, in which the roots of all elements of a vector are one root of the vector."""
    if not has_roots(text) or " = extractelement " not in text:
        return text
    head, *functions = re.split(r"^(?=define )", text, flags=re.MULTILINE)
    bodies = [_Body(f) if has_roots(f) and " = extractelement " in f else None for f in functions]
    joined = head + "".join(b.joined() if b else f for f, b in zip(functions, bodies, strict=True))
    called = {declared for b in bodies if b for declared in b.called}
    missing = sorted(declared for declared in called if f"declare {declared}" not in joined)
    return joined + "".join(f"\ndeclare {declared}\n" for declared in missing)


class _Body:
    """The text of a function, and what takes vectors apart and puts them together there, by name."""

    def __init__(self, text: str) -> None:
        self.called: set[str] = set()
        self._lines = text.split("\n")
        self._at: dict[str, int] = {}
        self._elements = self._found(" = extractelement ", _ELEMENT)
        self._scalars = self._found(_ROOT, _SCALAR)
        self._puts = self._found(" = insertelement ", _PUT)

    @cached_property
    def _uses(self) -> Counter[str]:
        """How often instructions have each name."""
        return Counter(name for line in self._lines if _RECORD not in line for name in _NAME.findall(line))

    def _found(self, mark: str, pattern: re.Pattern[str]) -> dict[str, re.Match[str]]:
        matches = ((k, pattern.match(line)) for k, line in enumerate(self._lines) if mark in line)
        found = {match["name"]: (k, match) for k, match in matches if match}
        self._at |= {name: k for name, (k, _) in found.items()}
        return {name: match for name, (_, match) in found.items()}

    def joined(self) -> str:
        """Returns the text with roots of vectors. Notes in `called` which functions it calls."""
        dropped = {name for last in self._puts for name in self._join(last)}
        if not dropped:
            return "\n".join(self._lines)
        gone = {self._at[name] for name in dropped}
        lines = [self._described(line, dropped) for k, line in enumerate(self._lines) if k not in gone]
        return "\n".join(lines)

    def _described(self, line: str, dropped: set[str]) -> str:
        if _RECORD not in line:
            return line
        return _NAME.sub(lambda name: "poison" if name[0] in dropped else name[0], line)

    def _join(self, last: str) -> list[str]:
        """Makes one root where the last element is put in, if each is the root of its element, and nothing else uses
        them. Returns what is needed no more.
        """
        puts = [self._puts[last]]
        while len(puts) < _MOST and (base := self._puts.get(puts[-1]["base"])) is not None:
            puts.append(base)
        roots = [root for put in puts if (root := self._scalars.get(put["element"]))]
        elements = [element for root in roots if (element := self._elements.get(root["operand"]))]
        if len(elements) < len(puts) or puts[-1]["base"] != "poison" or len({root["flags"] for root in roots}) > 1:
            return []
        type_, vector, count = elements[0].group("type", "from", "count")
        places = sorted((int(put["at"]), int(e["at"]), e["from"]) for put, e in zip(puts, elements, strict=True))
        if places != [(k, k, vector) for k in range(int(count))]:
            return []
        inner = [found["name"] for found in (*puts[1:], *roots)]
        if any(self._uses[name] != 2 for name in inner):  # where it is defined, and where it is used here
            return []
        unused = [e["name"] for e in elements if self._uses[e["name"]] == 2]
        function = f"{type_} @llvm.sqrt.v{count}f{roots[0]['bits']}"
        self.called.add(f"{function}({type_})")
        self._lines[self._at[last]] = (
            f"  {last} = call {roots[0]['flags']}{function}({type_} {vector}){roots[0]['line']}"
        )
        return [*inner, *unused]
