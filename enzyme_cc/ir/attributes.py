"""Attributes of functions, parameters and calls, as words of their text."""

from __future__ import annotations

import re

from .module import Module

_WORDS = re.compile(r'"[^"]*"(?:="[^"]*")?|\w+(?:\((?:[^()]|\([^()]*\))*\))?')
_GROUP = re.compile(r"(?<= )#\d+|^#\d+")


def split(attributes: str) -> list[str]:
    return _WORDS.findall(attributes)


def words(module: Module, text: str) -> list[str]:
    """The attributes of a function or call, those of its groups in the groups' places."""
    return split(_GROUP.sub(lambda group: module.attributes.get(group[0], ""), text))


def group_words(module: Module, text: str) -> list[str]:
    """The attributes in the groups of a function."""
    return [word for group in _GROUP.findall(text) for word in split(module.attributes.get(group, ""))]


def without(attributes: str, beginnings: tuple[str, ...]) -> str:
    """The attributes that do not begin so."""
    return " ".join(word for word in split(attributes) if not word.startswith(beginnings))
