"""Finds the files behind the inputs of a link: `-l` along the search path, and linker scripts that list inputs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_cc.link.command.command import Item, LinkCommand, State
from enzyme_cc.link.command.linker_options import Role

_DEFAULT_PATH = tuple(
    f"={prefix}{directory}"
    for directory in ("/lib/x86_64-linux-gnu", "/lib64", "/lib")
    for prefix in ("/usr/local", "", "/usr")
)


@dataclass(frozen=True)
class SearchPath:
    """Where libraries are looked for."""

    directories: tuple[str, ...]
    sysroot: str

    @classmethod
    def of(cls, command: LinkCommand) -> SearchPath:
        """Return the search path of a link: its -L options in order, then the usual directories."""
        sysroot = (command.values(Role.SYSROOT) or [""])[-1]
        given = [*command.values(Role.LIBRARY_PATH), *_DEFAULT_PATH]
        return cls(tuple(_rooted(directory, sysroot) for directory in given), sysroot)

    def find(self, item: Item) -> str | None:
        """Return the path of an input's file as the native linker would open it, None if there is none."""
        assert item.state is not None
        if item.role is Role.LIBRARY:
            return self.library(item.value, item.state)
        path = _rooted(item.value, self.sysroot)
        return path if os.path.exists(path) else self._along([path])

    def script(self, name: str) -> str | None:
        """Return the path of a script that an option names."""
        return name if os.path.exists(name) else self._along([name])

    def library(self, name: str, state: State) -> str | None:
        """Return the file of `-lname`."""
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
    """Return all words of a linker script, version script or symbol list: a superset of the symbols it names."""
    return set(re.findall(r"[\w.$@]+", script))


def script_inputs(script: str) -> tuple[str, ...]:
    """Return the arguments that stand for a script which only lists inputs: its files, groups and as-needed marks."""
    tokens = [token.strip('"') for token in _TOKEN.findall(_COMMENT.sub(" ", script))]
    return tuple(_listed(iter(tokens)))


def _listed(tokens: Iterator[str]) -> Iterator[str]:
    """Yield arguments for the lists in `tokens`; other commands of the script (OUTPUT_FORMAT, say) are skipped."""
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
