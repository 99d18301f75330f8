"""Tokens of LLVM's text form, as plain strings, and the error that says where a text cannot be parsed.

LLVM prints one instruction per line; a line is cut by one regular expression. A keyword directly followed by a
parenthesis (`captures(none)`, `byval(%T)`, `range(i32 0, 8)`) is one token with all that is in the parentheses, and so
is a short vector, array or struct type, so that a table knows it as a whole.
"""

from __future__ import annotations

import re

_NAME = r'(?:[-\w$.]+|"[^"]*")'
_DEEPEST = r'\((?:[^()"]++|"[^"]*")*+\)'
_DEEPER = rf'\((?:[^()"]++|"[^"]*"|{_DEEPEST})*+\)'
_PARENTHESES = rf'\((?:[^()"]++|"[^"]*"|{_DEEPER})*+\)'
_BRACES = r'\{(?:[^{}"]++|"[^"]*")*+\}'

TOKEN = re.compile(
    rf"""
      [%@]{_NAME}
    | ,
    | ptr\ addrspace\(\d+\)
    | c"[^"]*"
    | [A-Za-z_.][\w.]*(?:{_PARENTHESES})?
    | -?(?:0x[KLMHR]?[0-9A-Fa-f]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)
    | <(?:vscale\ x\ )?\d+\ x\ \w+>
    | \[\d+\ x\ \w+\]
    | \{{\ (?:\w+,\ )*\w+\ \}}
    | \{{\}}
    | !(?:[-\w$.]+(?:{_PARENTHESES})?|"[^"]*"|{_BRACES})?
    | \#\w+
    | "[^"]*"(?:="[^"]*")?
    | \.\.\.
    | ;.*
    | \S
    """,
    re.VERBOSE,
)

#: all tokens of a line
tokenize = TOKEN.findall


class IRSyntaxError(ValueError):
    """Text that is not LLVM IR as LLVM 22 prints it, or IR that this model does not cover.

    `line` is the offending line, `column` the 0-based position in it.
    """

    def __init__(self, message: str, line: str, column: int) -> None:
        caret = f"\n  {line}\n  {' ' * column}^"
        super().__init__(f"{message}, at column {column + 1} of:{caret}")
        self.reason = message
        self.line = line
        self.column = column


class Unexpected(Exception):
    """Raised inside the parser at a token's index; turned into IRSyntaxError where the line is known."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index

    def in_line(self, line: str) -> IRSyntaxError:
        return IRSyntaxError(self.message, line, column_of(line, self.index))


def column_of(line: str, index: int) -> int:
    """The position of the token with that index; the end of the line where there are fewer."""
    for number, match in enumerate(TOKEN.finditer(line)):
        if number == index:
            return match.start()
    return len(line.rstrip())


def expect(tokens: list[str], index: int, word: str) -> int:
    """The index after `word`. Raises Unexpected where something else stands."""
    if tokens[index] != word:
        raise Unexpected(f"expected '{word}', found '{tokens[index]}'", index)
    return index + 1
