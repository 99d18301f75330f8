"""The command line of a link as a value: items in order, each with the tokens that it was made of.

Some options are about all inputs that follow: `--whole-archive`, `--as-needed`, `-Bstatic`, `--start-group`,
`--push-state`. Each input carries their effect as an `InputState`. So an input can be replaced or left out without a
look at its neighbours. Options that enzyme-ld does not know keep their place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from enzyme_cc.link.command.linker_options import Role, ValueForm, find
from enzyme_cc.link.command.settings import chosen
from enzyme_cc.report import EnzymeError
from enzyme_cc.report.presentation import TEXT

_RESPONSE_DEPTH = 32


class InputState(NamedTuple):
    """What the options before an input say about it."""

    whole_archive: bool = False
    as_needed: bool = False
    static: bool = False
    in_group: bool = False


class CommandItem(NamedTuple):
    """An option or an input. An input has a `state`: it is a library (LIBRARY, value without -l) or a file (None)."""

    tokens: tuple[str, ...]
    role: Role | None = None
    value: str = ""
    state: InputState | None = None


class Settings(NamedTuple):
    """The options to enzyme-ld itself, `--enzyme-…` on the command line."""

    native_linker: str = ""
    clang: str = ""  # optimises and makes objects, if its LLVM is llvmlite's
    explain: bool = False
    remarks: str | None = None  # the file that takes them; "" for stderr
    precision_report: bool = False
    tape_report: bool = False
    strict_math: bool = False
    check: str = ""  # requests are checked when the program runs: BASIC, or DIFFERENCES, too
    follow_text: bool = False  # numbers in texts keep their derivatives
    truncation: str = ""  # the format that the whole program computes in, as 64to32
    verify: bool = False
    verbose: bool = False
    preoptimise: bool = True
    save_temps: str | None = None
    closure_budget: int = 2  # megabytes of LLVM's text that calls through pointers may add
    derivatives: tuple[str, ...] = ()  # C files with derivatives of functions without bitcode
    candidates: tuple[str, ...] = ()  # functions, or source files of such, that take part whatever they add
    candidate_files: tuple[str, ...] = ()  # files with further names of such
    profile_calls: bool = False  # the program notes which functions calls through pointers reach
    call_files: tuple[str, ...] = ()  # files with the functions that calls through pointers reach
    inactive: tuple[str, ...] = ()  # functions whose calls carry no derivative
    serial_regions: bool = False  # parallel regions run in one thread in differentiated code
    carry_units: bool = True  # a shared library carries its units
    jobs: int | None = None  # how many parts of the object are compiled at once; 0: one for each core; None: no parts
    timings: str = ""  # TEXT or JSON: what the stages took
    diagnostics: str = TEXT  # the form of errors and warnings
    warnings: tuple[str, ...] = ()  # -Wenzyme-…, -Wno-enzyme-…, -Werror=enzyme-…, in order
    cache: bool = True  # the same link again is taken from the cache


class LinkCommand(NamedTuple):
    """A link: its items in the order of the command line, and the settings of enzyme-ld."""

    items: tuple[CommandItem, ...]
    settings: Settings

    @property
    def inputs(self) -> Iterator[tuple[int, CommandItem]]:
        """The inputs, each with its index among the items."""
        return ((i, item) for i, item in enumerate(self.items) if item.state is not None)

    def has(self, *roles: Role) -> bool:
        """True if the command has an option of one of the roles."""
        return any(item.role in roles for item in self.items)

    def values(self, *roles: Role) -> list[str]:
        """Returns the values of the options of those roles, in order."""
        return [item.value for item in self.items if item.role in roles]

    def with_input(self, path: str) -> LinkCommand:
        """Returns the link with one more file."""
        return self._replace(items=(*self.items, CommandItem((path,), None, path, InputState())))

    @property
    def output(self) -> str:
        """The file that the link makes."""
        return (self.values(Role.OUTPUT) or ["a.out"])[-1]

    @property
    def is_pic(self) -> bool:
        """True if the output is position-independent."""
        chosen = [item.role for item in self.items if item.role in (Role.PIE, Role.NO_PIE)]
        return self.has(Role.SHARED) or chosen[-1:] == [Role.PIE]

    def arguments(
        self, replaced: Mapping[int, Sequence[str]] | None = None, without: frozenset[Role] = frozenset()
    ) -> list[str]:
        """Returns the arguments for the native linker.

        `replaced` gives other tokens for some items, by index. Options of the roles in `without` are left out.
        """
        replaced = replaced or {}
        return [
            token
            for i, item in enumerate(self.items)
            if item.role not in without
            for token in replaced.get(i, item.tokens)
        ]


def parse(arguments: Iterable[str]) -> LinkCommand:
    """Returns the link that the arguments ask for. Raises `EnzymeError` (EZ0111)."""
    fields, rest = chosen(_expanded(arguments))
    return LinkCommand(tuple(_items(rest)), Settings(**fields))


def _expanded(arguments: Iterable[str], depth: int = 0) -> Iterator[str]:
    for argument in arguments:
        if not argument.startswith("@") or not os.path.exists(argument[1:]):
            yield argument
        elif depth == _RESPONSE_DEPTH:
            raise EnzymeError.of("EZ0111", f"response file {argument[1:]} includes itself")
        else:
            yield from _expanded(split_response(_read_response(argument[1:])), depth + 1)


def _read_response(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError as error:
        raise EnzymeError.of("EZ0111", f"cannot read response file {path}", reason=error.strerror) from None


def split_response(text: str) -> list[str]:
    """Returns the words of a response file, split at white space. Quotes and backslashes work as in libiberty."""
    words: list[str] = []
    word: str | None = None
    quote = ""
    characters = iter(text)
    for character in characters:
        if character == "\\":
            word = (word or "") + next(characters, "")
        elif quote:
            word, quote = (word, "") if character == quote else ((word or "") + character, quote)
        elif character in "'\"":
            word, quote = word or "", character
        elif character.isspace():
            words, word = words if word is None else [*words, word], None
        else:
            word = (word or "") + character
    return words if word is None else [*words, word]


def quote_response(arguments: Iterable[str]) -> str:
    """Returns a response file that holds the arguments."""
    return "".join('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for argument in arguments)


def _items(arguments: list[str]) -> Iterator[CommandItem]:
    state, saved = InputState(), [InputState()]
    tokens = iter(arguments)
    for token in tokens:
        found = find(token) if token.startswith("-") and len(token) > 1 else None
        if found is None:
            yield (
                CommandItem((token,))
                if token.startswith("-") and len(token) > 1
                else CommandItem((token,), None, token, state)
            )
            continue
        name, row, joined = found
        item = _option(token, name, row.value, row.role, joined, tokens)
        state = _next_state(state, saved, row.role)
        yield item._replace(state=state) if row.role is Role.LIBRARY else item


def _option(
    token: str, name: str, kind: ValueForm, role: Role, joined: str | None, tokens: Iterator[str]
) -> CommandItem:
    if kind in (ValueForm.NONE, ValueForm.EQUALS) or joined is not None:
        return CommandItem((token,), role, joined or "")
    value = next(tokens, None)
    if value is None:
        raise EnzymeError.of("EZ0111", f"option {token} lacks its value")
    return CommandItem((token, value), role, value)


_STATE_CHANGES: dict[Role, dict[str, bool]] = {
    Role.AS_NEEDED: {"as_needed": True},
    Role.BDYNAMIC: {"static": False},
    Role.BSTATIC: {"static": True},
    Role.GROUP_END: {"in_group": False},
    Role.GROUP_START: {"in_group": True},
    Role.NO_AS_NEEDED: {"as_needed": False},
    Role.NO_WHOLE_ARCHIVE: {"whole_archive": False},
    Role.STATIC: {"static": True},
    Role.WHOLE_ARCHIVE: {"whole_archive": True},
}


def _next_state(state: InputState, saved: list[InputState], role: Role) -> InputState:
    if role is Role.PUSH_STATE:
        saved.append(state)
    elif role is Role.POP_STATE:
        return (saved.pop() if len(saved) > 1 else saved[0])._replace(in_group=state.in_group)
    return state._replace(**_STATE_CHANGES.get(role, {}))
