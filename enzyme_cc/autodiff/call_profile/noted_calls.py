"""Notes the calls through pointers of a module, and names its functions for the profile of calls.

A profile has a line for each function that calls through pointers reach. A function that is local to a unit is told by
its source file, too: `file.c:name`. Its name may change when units are merged, so it carries this line as an attribute.
"""

from __future__ import annotations

import re

from ...analysis.callees import plain_name
from ...report.spelling import OBJECT, line_of_local
from ...rules.library_functions import known
from ...rules.runtime_functions import NAMED_FUNCTIONS, NOTE_CALL, USED_CALLS
from ...rules.table import lookup

_NAME = r'(?:"[^"\n]*"|[-\w$.]+)'
_NOTE = "enzyme-profiled-as"
_LOCAL = re.compile(
    rf"^define (?:internal|private) [^@\n]*@(?P<name>{_NAME})\((?P<rest>[^\n]*?)(?= #\d+[^#\n]*\{{$)", re.M
)
_DEFINED = re.compile(rf"^define [^@\n]*@(?P<name>{_NAME})\((?:[^\n]*?(?P<group> #\d+)(?=[^#\n]*\{{$))?", re.M)
_DECLARED = re.compile(rf"^declare [^@\n]*@({_NAME})\(", re.M)
_GROUP = re.compile(rf'^attributes(?P<group> #\d+) = \{{[^\n]*"{_NOTE}"="(?P<line>[^"\n]*)"', re.M)
_VALUE = re.compile(rf"@({_NAME})(?!\()")
_INDIRECT = re.compile(
    rf"^  (?:%{_NAME} = )?(?:tail |musttail |notail )?(?:call|invoke) (?![^\n]*\basm )[^@\n]*?(?P<pointer>%{_NAME})\(",
    re.M,
)


def with_local_names(text: str, source_file: str) -> str:
    """Returns a unit's text in which functions that only the unit sees carry their lines."""

    def noted(found: re.Match[str]) -> str:
        return f'{found[0]} "{_NOTE}"="{line_of_local(plain_name(found["name"]), source_file)}"'

    return _LOCAL.sub(noted, text)


def with_noted_calls(text: str) -> str:
    """Returns a module's text in which each call through a pointer is noted before it is made."""
    noted = _INDIRECT.sub(lambda call: f"  call void {NOTE_CALL.symbol}(ptr {call['pointer']})\n{call[0]}", text)
    return noted if noted == text else f"{noted}\ndeclare void {NOTE_CALL.symbol}(ptr)\n"


def with_named_functions(text: str) -> str:
    """Returns a module's text with a table of the functions that calls through pointers may reach, and their lines."""
    lines = {found["group"]: found["line"] for found in _GROUP.finditer(text)}
    pointed = set(_VALUE.findall(text))
    named = {
        found["name"]: lines.get(found["group"] or "", plain_name(found["name"]))
        for found in _DEFINED.finditer(text)
        if found["name"] in pointed
    }
    library = {name: plain_name(name) for name in _DECLARED.findall(text) if name in pointed}
    named |= {name: f"{plain}{OBJECT}a library" for name, plain in library.items() if known(plain) or lookup(plain)}
    texts = [f"@{NAMED_FUNCTIONS}.{k} = private constant {_string(line)}" for k, line in enumerate(named.values())]
    rows = [f"{{ ptr, ptr }} {{ ptr @{name}, ptr @{NAMED_FUNCTIONS}.{k} }}" for k, name in enumerate(named)]
    rows.append("{ ptr, ptr } zeroinitializer")
    table = f"@{NAMED_FUNCTIONS} = constant [{len(rows)} x {{ ptr, ptr }}] [{', '.join(rows)}]"
    return "\n".join([text, *texts, table, ""])


def with_used_calls(text: str) -> str:
    """Returns a module's text that says that a profile was used, for messages at run time."""
    return f"{text}\n@{USED_CALLS} = constant i8 1\n"


def _string(line: str) -> str:
    data = line.encode("utf-8", "surrogateescape") + b"\0"
    return f'[{len(data)} x i8] c"{"".join(map(_escaped, data))}"'


def _escaped(byte: int) -> str:
    return chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:02X}"
