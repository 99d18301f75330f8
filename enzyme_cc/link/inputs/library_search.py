"""Searches `-lname` along the library path (-L, then the usual directories), and reads scripts that list inputs.

toolchain/launcher/search.c has a search of its own, which decides whether a link needs Python at all. This one serves
links that differentiate, and finds the file that the native linker finds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from enzyme_cc.link.command.command import CommandItem, InputState, LinkCommand
from enzyme_cc.link.command.linker_options import Role

_DEFAULT_PATH = tuple(
    f"={prefix}{directory}"
    for directory in (f"/lib/{os.uname().machine}-linux-gnu", "/lib64", "/lib")
    for prefix in ("/usr/local", "", "/usr")
)


class SearchPath(NamedTuple):
    """The directories in which libraries are searched, in order."""

    directories: tuple[str, ...]
    sysroot: str

    @classmethod
    def of(cls, command: LinkCommand) -> SearchPath:
        """Returns the search path of a link: its -L options in order, then the usual directories."""
        sysroot = (command.values(Role.SYSROOT) or [""])[-1]
        given = [*command.values(Role.LIBRARY_PATH), *_DEFAULT_PATH]
        return cls(tuple(_rooted(directory, sysroot) for directory in given), sysroot)

    def find(self, item: CommandItem) -> str | None:
        """Returns the file that the native linker would open for an input. None if there is none."""
        assert item.state is not None
        if item.role is Role.LIBRARY:
            return self.library(item.value, item.state)
        path = _rooted(item.value, self.sysroot)
        return path if os.path.exists(path) else self._along([path])

    def script(self, name: str) -> str | None:
        """Returns the file of a linker script that an option names. None if there is none."""
        return name if os.path.exists(name) else self._along([name])

    def library(self, name: str, state: InputState) -> str | None:
        """Returns the file of `-lname` or `-l:file`. None if there is none."""
        if name.startswith(":"):
            return self._along([name[1:]])
        return self._along([f"lib{name}.a"] if state.static else [f"lib{name}.so", f"lib{name}.a"])

    def _along(self, names: list[str]) -> str | None:
        candidates = (os.path.join(directory, name) for directory in self.directories for name in names)
        return next((path for path in candidates if os.path.exists(path)), None)


def _rooted(path: str, sysroot: str) -> str:
    if path.startswith("$SYSROOT"):
        return sysroot + path.removeprefix("$SYSROOT")
    return sysroot + path[1:] if path.startswith("=") else path


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r'"[^"]*"|[(){};,]|[^\s(){};,"]+')
_LISTS = {"INPUT", "GROUP", "AS_NEEDED"}


def words(script: str) -> set[str]:
    """Returns all words of a linker script, version script or symbol list: all symbols that it names, and more."""
    return set(re.findall(r"[\w.$@]+", script))


def script_inputs(script: str) -> tuple[str, ...]:
    """Returns linker arguments with the meaning of a script that lists inputs: its files, groups, as-needed marks."""
    tokens = [token.strip('"') for token in _TOKEN.findall(_COMMENT.sub(" ", script))]
    return tuple(_listed(iter(tokens)))


def _listed(tokens: Iterator[str]) -> Iterator[str]:
    """Yields arguments for the lists in `tokens`. Skips other commands of the script (OUTPUT_FORMAT, say)."""
    ends: list[tuple[str, ...]] = []
    name = ""
    for token in tokens:
        if token == "(":
            opening, closing = _BRACKETS.get(name, (None, ()))
            if opening is None and not ends:
                _skip_brackets(tokens)
                continue
            yield from opening or ()
            ends.append(closing)
        elif token == ")" and ends:
            yield from ends.pop()
        elif ends and token not in _LISTS and token != ",":
            yield token
        name = token


_BRACKETS: dict[str, tuple[tuple[str, ...] | None, tuple[str, ...]]] = {
    "AS_NEEDED": (("--push-state", "--as-needed"), ("--pop-state",)),
    "GROUP": (("--start-group",), ("--end-group",)),
    "INPUT": ((), ()),
}


def _skip_brackets(tokens: Iterator[str]) -> None:
    depth = 1
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            return
