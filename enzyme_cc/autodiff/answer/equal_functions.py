"""Makes derivative functions with the same code one, before LLVM optimises them.

A function has a derivative for each set of arguments that are active. Some of these come out the same. So do those of
functions that differ only in what has no derivative. In NLopt, that is a twentieth of all code. No program compares the
addresses of derivative functions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..core.signature import Form

_PREFIXES = "|".join(re.escape(form.prefix) for form in Form)
_FUNCTION = re.compile(
    rf'^define internal [^\n]*?@(?P<name>"?(?:{_PREFIXES})[^(]*)\(.*?^\}}\n', re.MULTILINE | re.DOTALL
)
_NAME = re.compile(r'@("[^"\n]*"|[-\w$.]+)')
_ITSELF = "itself"


def with_equal_functions_once(text: str) -> str:
    """Returns the module's text in which derivative functions with equal code are one.

    Functions whose code is equal once those they call are one become one, too. Functions that call each other in turn
    stay apart.
    """
    found = derivatives_in(text)
    bodies = {name: match[0] for name, match in found.items()}
    taken: dict[str, str] = {}  # the name of a function that is dropped -> of the one that takes its place
    while equal := _equal(bodies, taken):
        taken |= equal
        for name in equal:
            del bodies[name]
    if not taken:
        return text
    parts, at = [], 0
    for name, match in found.items():
        if name in taken:
            parts.append(text[at : match.start()])
            at = match.end()
    return _renamed("".join([*parts, text[at:]]), taken)


def derivatives_in(text: str) -> dict[str, re.Match[str]]:
    """Returns where the derivative functions of a module's text are, by name."""
    return {match["name"]: match for match in _FUNCTION.finditer(text)}


def _equal(bodies: Mapping[str, str], taken: Mapping[str, str]) -> dict[str, str]:
    """Returns, by name, the functions that are equal to one before them, and the name of that one."""
    first: dict[str, str] = {}
    equal: dict[str, str] = {}
    for name, body in bodies.items():
        one = first.setdefault(_renamed(body, {**taken, name: _ITSELF}), name)
        if one != name:
            equal[name] = one
    return equal


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """Returns the text with other names of globals. A name may lead to another one that is renamed."""

    def last(name: str) -> str:
        while name in names:
            name = names[name]
        return name

    return _NAME.sub(lambda match: f"@{last(match[1])}", text)
