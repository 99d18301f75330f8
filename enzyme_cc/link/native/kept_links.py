"""Links that were done before: the same link again goes straight to the native linker.

An entry of the cache has the arguments of the final link, the files that they name, and what the link said. It is found
by the options, the versions, and the contents of all files that the link read. So a look-up reads the inputs, but runs
neither a trial link nor LLVM. Imports little, since each link pays for it.

A compiler that also links gives its temporary objects another name each time (`f-1a2b3c.o`): these are told by their
contents and their place alone.

`ENZYME_CC_LINK_CACHE=off` switches the cache off where no option can be given. `ENZYME_CC_CACHE` and
`ENZYME_CC_CACHE_SIZE` are about it, too (`enzyme_cc/cache/entries.py`).
"""

from __future__ import annotations

import marshal
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from enzyme_cc.cache.entries import Cache, CacheEntry, current, digest_of_file, remove_tree
from enzyme_cc.cache.tools import package_identity, stamp
from enzyme_cc.link.command.command import CommandItem, LinkCommand, Settings
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs.library_search import SearchPath
from enzyme_cc.report.presentation import JSON

_RECORD = "link"
_FOLDER = "\0"  # stands for the entry's folder in arguments
_PLACE = "\1{}\1"  # stands for a temporary object in arguments, with its number
_TEMPORARY = re.compile(r"-[0-9a-f]{6}\.o$")
#: one of so many additions looks whether the cache is too large: that reads all its folders
_SELDOM = 16
_LARGE = 4_000_000  # bytes; such an addition always looks


class KeptLinks(NamedTuple):
    """The cache as one link sees it. `words` tell the link from others, beside the contents of its files."""

    command: LinkCommand
    words: tuple[str, ...]
    cache: Cache
    start: int  # nanoseconds since the epoch

    @classmethod
    def of(cls, command: LinkCommand) -> KeptLinks | None:
        """Returns the cache for a link. None if the link does not use it, or if its folder cannot be written."""
        settings = command.settings
        is_looked_into = settings.verify or settings.save_temps is not None or bool(settings.derivatives)
        choice = {os.environ.get(name) for name in ("ENZYME_CC_LINK_CACHE", "ENZYME_CC_CACHE")}
        if not settings.cache or is_looked_into or "off" in choice or command.has(Role.RELOCATABLE):
            return None
        try:
            return cls(command, tuple(_words(command)), current("links"), time.time_ns())
        except OSError:
            return None

    # -- look-up

    def link_again(self) -> None:
        """Does the link by the native linker, which takes over the process. Returns if it was not done before."""
        entry = self.cache.find(self.words)
        if entry is None:
            return
        record = _record(entry)
        if record is None:
            self.cache.discard(entry)
            return
        arguments, said, remarks = record
        settings = self.command.settings
        linker = settings.native_linker
        names = {place: path for path, place in self._places.items()}
        arguments = [names.get(word, word.replace(_FOLDER, entry.folder + os.sep)) for word in arguments]
        try:
            if settings.remarks:
                _write(settings.remarks, remarks)
            sys.stderr.write(said + _told(settings))
            sys.stderr.flush()
            line = [linker, *arguments, "-o", self.command.output]
            self._record(entry, line, said, self.cache.files(self.words, entry))
            os.set_inheritable(entry.lock, True)  # the linker holds the entry
            os.execv(linker, line)
        except OSError:
            return

    def _record(self, entry: CacheEntry, line: Sequence[str], said: str, files: Sequence[str]) -> None:
        """Records the link for the launcher, if there is nothing that only Python does."""
        from enzyme_cc.link.native.repeated_links import record

        settings = self.command.settings
        if not (settings.remarks or settings.timings or settings.verbose or self._places):
            record(self.cache, entry, self.command, line, said, files, self.start)

    # -- additions

    def keep(self, arguments: Sequence[str], said: str, read: Iterable[str], scratch: str) -> None:
        """Adds a link that is done. A cache that cannot be written is no error.

        `arguments` are those of the final link without its output, `said` what was printed, `read` the files that the
        link read, and `scratch` the folder of its temporary files.
        """
        try:
            named = dict.fromkeys([*read, *self._values])
            files = [path for path in named if not path.startswith(scratch + os.sep)]
            if all(self._is_older(path) for path in files) and not any(path in said for path in self._places):
                self._add(arguments, said, [path for path in files if path not in self._places], scratch + os.sep)
        except OSError:
            return

    def _add(self, arguments: Sequence[str], said: str, files: Sequence[str], scratch: str) -> None:
        made = self.cache.new_folder()
        try:
            size = sum(_copy(path, made) for path in _named(arguments, scratch))
            remarks = _contents(self.command.settings.remarks) if self.command.settings.remarks else b""
            places = self._places
            words = [places.get(word, word.replace(scratch, _FOLDER)) for word in arguments]
            _write(os.path.join(made, _RECORD), marshal.dumps((words, said, remarks)))
            entry = self.cache.add(self.words, files, made)
            line = [word.replace(_FOLDER, entry.folder + os.sep) for word in words]
            line = [self.command.settings.native_linker, *line, "-o", self.command.output]
            self._record(entry, line, said, files)
            os.close(entry.lock)
        finally:
            remove_tree(made)
        if size > _LARGE or os.urandom(1)[0] % _SELDOM == 0:
            self.cache.shrink()

    @property
    def _places(self) -> dict[str, str]:
        """The compiler's temporary objects, with what stands for each."""
        found = [item.value for _, item in self.command.inputs if _is_temporary(item)]
        return {path: _PLACE.format(i) for i, path in enumerate(found)}

    @property
    def _values(self) -> Iterator[str]:
        """Values of options that are files, such as scripts."""
        places = SearchPath.of(self.command)
        for item in self.command.items:
            if item.state is None and item.value and item.role not in (Role.OUTPUT, Role.SIDE_OUTPUT):
                found = places.script(item.value)
                if found is not None and os.path.isfile(found):
                    yield found

    def _is_older(self, path: str) -> bool:
        """True if the file is as it was when the link began."""
        status = os.stat(path)
        return max(status.st_mtime_ns, status.st_ctime_ns) < self.start


def _words(command: LinkCommand) -> Iterator[str]:
    """Yields all that a link depends on beside the contents of files."""
    yield from (*versions(command.settings), stamp(command.settings.native_linker), os.environ.get("CPATH", ""))
    if command.has(Role.SHARED):
        yield os.path.basename(command.output)  # is in the names of what it carries
    places = SearchPath.of(command)
    for item in command.items:
        if _is_temporary(item):
            yield digest_of_file(item.value)
            continue
        if item.role is not Role.OUTPUT:
            yield from item.tokens
        if item.state is not None:
            yield places.find(item) or ""


def _is_temporary(item: CommandItem) -> bool:
    return item.state is not None and item.role is None and _TEMPORARY.search(item.value) is not None


def versions(settings: Settings) -> tuple[str, ...]:
    """Returns the options of enzyme-ld, and what tells this version of all that works on a module from others."""
    return (
        package_identity(),
        sys.version,
        _llvmlite(),
        stamp(settings.clang),
        repr(settings._replace(verbose=False, timings="", jobs=None if settings.jobs is None else 0)),
    )


def _told(settings: Settings) -> str:
    """Returns what is said of a link from the cache."""
    if settings.timings == JSON:
        from enzyme_cc.link.process.timings import Timings

        return Timings().json(is_cached=True) + "\n"
    return "enzyme-ld: this link is in the cache\n" if settings.verbose or settings.timings else ""


def _llvmlite() -> str:
    """Returns a text that changes with llvmlite, which is not imported."""
    names = (os.path.join(folder, "llvmlite", "_version.py") for folder in sys.path)
    return next((stamp(name) for name in names if os.path.exists(name)), "")


def _record(entry: CacheEntry) -> tuple[list[str], str, bytes] | None:
    try:
        arguments, said, remarks = marshal.loads(_contents(entry.file(_RECORD)))
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return list(arguments), str(said), bytes(remarks)


def _named(arguments: Sequence[str], scratch: str) -> list[str]:
    """Returns the temporary files that the arguments name."""
    found = (word[word.index(scratch) :] for word in arguments if scratch in word)
    return [path for path in dict.fromkeys(found) if os.path.isfile(path)]


def _copy(path: str, folder: str) -> int:
    """Copies a file into a folder, and returns its size."""
    data = _contents(path)
    _write(os.path.join(folder, os.path.basename(path)), data)
    return len(data)


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
