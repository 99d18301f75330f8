"""A table of entities that are kept as text until somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Generic, TypeVar

T = TypeVar("T")


class LazyTable(MutableMapping[str, T], Generic[T]):
    """A dictionary whose values are parsed at their first access."""

    __slots__ = ("_entries", "_parse", "_texts")

    def __init__(self, parse: Callable[[str, str], T]) -> None:
        self._parse = parse
        self._entries: dict[str, T | None] = {}
        self._texts: dict[str, str] = {}

    def add_text(self, name: str, text: str) -> None:
        self._entries[name] = None
        self._texts[name] = text

    def __getitem__(self, name: str) -> T:
        found = self._entries[name]
        if found is None:
            found = self._entries[name] = self._parse(name, self._texts[name])
            del self._texts[name]
        return found

    def __setitem__(self, name: str, value: T) -> None:
        self._entries[name] = value
        self._texts.pop(name, None)

    def __delitem__(self, name: str) -> None:
        del self._entries[name]
        self._texts.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Returns the names and texts of the entries that were never parsed."""
        return iter(self._texts.items())

    def parsed(self) -> list[T]:
        """Returns the entries that were parsed."""
        return [value for value in self._entries.values() if value is not None]

    def print(self, show: Callable[[T], str]) -> Iterator[str]:
        """Yields each entry: its text if it was never parsed, otherwise what `show` makes of it."""
        for name, value in self._entries.items():
            yield self._texts[name] if value is None else show(value)
