"""Records of links that were done, for the launcher: it does the same link again without Python.

The launcher compares words, and the sizes and times of files (toolchain/launcher/again.c, which has the form of a
record). If they differ, `kept_links.py` looks at contents.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32
from collections.abc import Iterable, Iterator, Sequence

from enzyme_cc.cache.entries import Cache, CacheEntry
from enzyme_cc.cache.tools import package_files
from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.inputs.library_search import SearchPath

#: of the environment; again.c has the same list
VARIABLES = (
    "ENZYME_CC_PYTHON", "ENZYME_CC_CLANG", "ENZYME_CC_CACHE", "ENZYME_CC_LINK_CACHE", "CPATH",
    "LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_RUN_PATH", "PYTHONPATH", "PYTHONHOME",
)  # fmt: skip


def record(
    cache: Cache,
    entry: CacheEntry,
    command: LinkCommand,
    line: Sequence[str],
    said: str,
    files: Iterable[str],
    start: int,
) -> None:
    """Writes the record of a link, which began at `start`, in nanoseconds. `line` is its final link.

    Writes none if something that the link depends on is newer than `start`: it may have changed since it was read.
    """
    words = sys.argv[1:]
    if any(word.startswith("@") for word in words):
        return
    stamps = {path: _stamp(path, start) for path in _all(command, files)}
    if None in stamps.values():
        return
    key = "\x1f".join([os.getcwd(), *(os.environ.get(name, "") for name in VARIABLES), *words])
    listed = [str(len(stamps)), *(text for path, stamp in stamps.items() for text in (path, stamp or ""))]
    texts = [os.fsencode(text) for text in (key, entry.folder, said, *listed, *line)]
    cache.put(f"{crc32(texts[0]):08x}.again", b"".join(text + b"\0" for text in texts))


def _all(command: LinkCommand, files: Iterable[str]) -> Iterator[str]:
    """Yields all files that the link depends on, and the folders in which another one could take the place of one."""
    settings, places = command.settings, SearchPath.of(command)
    package = package_files()
    yield from (settings.native_linker, settings.clang, sys.executable, *package, *files)
    yield from (*map(os.path.dirname, package), *places.directories)
    for _, item in command.inputs:
        found = places.find(item)
        if found is not None:
            yield found


def _stamp(path: str, start: int) -> str | None:
    """Returns what changes with a file, an empty text if there is none. None if it is newer than the link."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    is_older = max(status.st_mtime_ns, status.st_ctime_ns) < start
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}" if is_older else None
