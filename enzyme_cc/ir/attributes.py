"""Attributes of functions, parameters and calls, as words of their text."""

from __future__ import annotations

import re

from .module import Module
from .text.lexer import tokenize
from .types import Type

_WORDS = re.compile(r'"[^"]*"(?:="[^"]*")?|\w+(?:\((?:[^()]|\([^()]*\))*\))?')
_IN_MEMORY = re.compile(r"\b(?:byval|sret)\(")
_GROUP = re.compile(r"(?<= )#\d+|^#\d+")


def split(attributes: str) -> list[str]:
    return _WORDS.findall(attributes)


def words(module: Module, text: str) -> list[str]:
    """Returns the attributes of a function or call, each group replaced by its attributes."""
    return split(_GROUP.sub(lambda group: module.attributes.get(group[0], ""), text))


def group_words(module: Module, text: str) -> list[str]:
    """Returns the attributes that come from the groups of a function."""
    return [word for group in _GROUP.findall(text) for word in split(module.attributes.get(group, ""))]


def without(attributes: str, beginnings: tuple[str, ...]) -> str:
    """Returns the attributes that have none of these beginnings."""
    return " ".join(word for word in split(attributes) if not word.startswith(beginnings))


def byval_type(module: Module, attributes: str) -> Type | None:
    """Returns the type in `byval(T)` or `sret(T)` among an argument's attributes. None if there is neither."""
    match = _IN_MEMORY.search(attributes)
    if match is None:
        return None
    depth, end = 1, match.end()
    while depth and end < len(attributes):
        depth += {"(": 1, ")": -1}.get(attributes[end], 0)
        end += 1
    return module.context.type([*tokenize(attributes[match.end() : end - 1]), ""], 0)[0]
