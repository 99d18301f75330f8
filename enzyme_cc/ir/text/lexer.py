"""Tokens of LLVM's text form, as plain strings, and the error that shows where a text cannot be parsed.

LLVM prints one instruction per line. One regular expression cuts a line into tokens. Two kinds of tokens are long:

- a keyword with parentheses: `captures(none)`, `byval(%T)`, `range(i32 0, 8)`;
- a short vector, array or struct type, which a table then knows as a whole.
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
    """Raised inside the parser at a token's index; turned into IRSyntaxError when the line is known."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.message = message
        self.index = index

    def in_line(self, line: str) -> IRSyntaxError:
        return IRSyntaxError(self.message, line, column_of(line, self.index))


def column_of(line: str, index: int) -> int:
    """Returns the position of the token with that index; the end of the line if there are fewer tokens."""
    for number, match in enumerate(TOKEN.finditer(line)):
        if number == index:
            return match.start()
    return len(line.rstrip())


def expect(tokens: list[str], index: int, word: str) -> int:
    """Returns the index after `word`. Raises Unexpected if another token is there."""
    if tokens[index] != word:
        raise Unexpected(f"expected '{word}', found '{tokens[index]}'", index)
    return index + 1
