"""Names for blocks whose address is taken: numbers change when a function is numbered anew."""

from __future__ import annotations

import re

_NAME = r'[-\w$.]+|"[^"]*"'
_BLOCK_ADDRESS = re.compile(rf"blockaddress\((@(?:{_NAME})), %(\d+)\)")


def name_address_taken_blocks(text: str) -> str:
    """Returns the text with a name for each numbered block whose address is taken.

    A blockaddress is a constant, often far from the block's function: a number in it would be wrong as soon as that
    function were numbered anew.
    """
    numbers: dict[str, set[str]] = {}
    for function, number in _BLOCK_ADDRESS.findall(text):
        numbers.setdefault(function, set()).add(number)
    text = _BLOCK_ADDRESS.sub(r"blockaddress(\1, %blockaddress.\2)", text)
    for function, blocks in numbers.items():
        start = re.search(rf"^define .*{re.escape(function)}\(", text, re.MULTILINE)
        if start is not None:
            end = text.find("\n}", start.end())
            text = text[: start.end()] + _name_blocks(text[start.end() : end], blocks) + text[end:]
    return text


def _name_blocks(body: str, numbers: set[str]) -> str:
    """Numbered blocks as `blockaddress.N`, where they are defined, jumped to, and named by a phi."""
    which = "|".join(numbers)
    places = rf"(?:(?<=label %)|(?<=, %)(?=\d+ \])|(?<=\n)(?=\d+:))({which})(?![-\w$.])"
    return re.sub(places, r"blockaddress.\1", body)
