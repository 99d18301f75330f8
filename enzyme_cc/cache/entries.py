"""Caches of what was built, functions and links: a folder that many processes use at once.

An entry is a folder with files. Its name is a hash of all that the build depends
on. For each request, a list says with which contents of which files it gave which entry; so a look-up reads the sources
and headers, but runs no compiler. Everything is written under a temporary name and renamed. A process holds a shared
lock on each entry that it uses: only entries without one are removed when the cache is too large.

`ENZYME_CC_CACHE=off` gives each process a folder of its own, which it removes at its end. Any other value is a folder.
`ENZYME_CC_CACHE_SIZE` is the limit in megabytes.
"""

from __future__ import annotations

import fcntl
import marshal
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

try:
    from _blake2 import blake2b  # hashlib loads the whole of OpenSSL
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from hashlib import blake2b

_DEFAULT_MEGABYTES = 2000
_RECORDS = 4
_LARGE = 4 << 20  # bytes
#: folders whose larger files, such as libc, are told by their times, since each link would read megabytes of them
_SYSTEM, _LARGE_IN_SYSTEM = ("/usr/", "/lib", "/opt/"), 1 << 16
_DAY = 86400
_TEMPORARY = "temporary-"


class CacheEntry(NamedTuple):
    """A complete entry that this process holds a lock on, as long as the object of `lock` is open."""

    folder: str
    lock: int

    def file(self, name: str) -> str:
        """Returns the path of a file of the entry."""
        return os.path.join(self.folder, name)


class Cache:
    """A cache in a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    # -- look-up

    def find(self, words: Sequence[str], agrees: Callable[[object], bool] = lambda note: True) -> CacheEntry | None:
        """Returns the entry of the request that `words` describe, if its files are as they were.

        `agrees` is given the note of an entry, and tells whether it holds.
        """
        records = (record for record in self._records(words) if agrees(record["note"]))
        return next((entry for record in records if (entry := self._matching(record)) is not None), None)

    def _matching(self, record: dict[str, Any]) -> CacheEntry | None:
        if all(digest_of_file(path) == digest for path, digest in record["files"].items()):
            return self.hold(record["entry"])
        return None

    def hold(self, name: str) -> CacheEntry | None:
        """Returns the entry of this name, locked. None if there is none, or if it was just removed."""
        folder = os.path.join(self.folder, name)
        use = os.path.join(folder, "use")
        try:
            lock = os.open(use, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return None
        fcntl.flock(lock, fcntl.LOCK_SH)
        try:
            if os.stat(use).st_ino == os.fstat(lock).st_ino:
                os.utime(folder)
                return CacheEntry(folder, lock)
        except OSError:
            pass
        os.close(lock)
        return None

    def discard(self, entry: CacheEntry) -> None:
        """Removes a damaged entry, unless another process uses it."""
        os.close(entry.lock)
        self._remove(os.path.basename(entry.folder))

    # -- additions

    def find_or_build(self, words: Sequence[str], build: Callable[[str], Sequence[str]]) -> CacheEntry:
        """Returns the entry of the request that `words` describe. Builds it if it is not there.

        `build` takes a new folder, fills it, and returns the files that it read. Processes with the same request wait
        for the one that builds.
        """
        return self.find(words) or self._build(words, build)

    def _build(self, words: Sequence[str], build: Callable[[str], Sequence[str]]) -> CacheEntry:
        with self.building(words):
            found = self.find(words)
            if found is not None:
                return found
            folder = self.new_folder()
            try:
                return self.add(words, build(folder), folder)
            finally:
                remove_tree(folder)
                self.shrink()

    def add(self, words: Sequence[str], read: Sequence[str], made: str, note: object = ()) -> CacheEntry:
        """Makes a finished folder an entry, and returns it.

        `read` are the files that the build read. `note` is a value of Python's own types that `find` gives back.
        """
        files = {path: digest_of_file(path) for path in read}
        name = _digest([*words, *[f"{path}={digest}" for path, digest in files.items()], repr(note)])
        with open(os.path.join(made, "use"), "wb"):
            pass
        folder, entry = os.path.join(self.folder, name), None
        while entry is None:
            if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, "use")):
                remove_tree(folder)  # somebody has removed a part of it
            with suppress(OSError):  # another process was faster, and its entry is complete
                os.rename(made, folder)
            entry = self.hold(name)
        remove_tree(made)
        self._record(words, {"entry": name, "files": files, "note": note})
        return entry

    def _record(self, words: Sequence[str], record: dict[str, object]) -> None:
        others = [other for other in self._records(words) if other["entry"] != record["entry"]]
        self.put(_list_of(words), marshal.dumps([record, *others][:_RECORDS]))

    def _records(self, words: Sequence[str]) -> list[dict[str, Any]]:
        try:
            return list(marshal.loads(_contents(os.path.join(self.folder, _list_of(words)))))
        except (OSError, ValueError, EOFError, TypeError):
            return []

    def files(self, words: Sequence[str], entry: CacheEntry) -> list[str]:
        """Returns the files that the request of an entry read."""
        name = os.path.basename(entry.folder)
        return [path for record in self._records(words) if record["entry"] == name for path in record["files"]]

    def put(self, name: str, data: bytes) -> None:
        """Writes a file beside the entries."""
        temporary = self._new_name()
        with open(temporary, "xb") as file:
            file.write(data)
        os.replace(temporary, os.path.join(self.folder, name))

    @contextmanager
    def building(self, words: Sequence[str]) -> Iterator[None]:
        """Waits until no other process builds the same request."""
        lock = os.open(
            os.path.join(self.folder, f"{_digest(words)}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def new_folder(self) -> str:
        """Returns a new temporary folder inside the cache."""
        folder = self._new_name()
        os.mkdir(folder, 0o700)
        return folder

    def _new_name(self) -> str:
        return os.path.join(self.folder, _TEMPORARY + os.urandom(8).hex())

    # -- size

    def contents(self) -> tuple[int, int]:
        """Returns the number of entries, and their bytes."""
        sizes = [size for _, size, _ in self._entries()]
        return len(sizes), sum(sizes)

    def clear(self) -> int:
        """Removes all entries that no process uses, and returns how many."""
        return sum(self._remove(name) for _, _, name in self._entries())

    def shrink(self) -> None:
        """Removes entries, least recently used first, until the rest fits the limit; and what killed processes left."""
        for found in os.scandir(self.folder):
            if _is_no_entry(found.name):
                with suppress(FileNotFoundError):  # another process renames and removes, too
                    self._remove_if_old(found)
        entries = self._entries()
        total = sum(size for _, size, _ in entries)
        for _, size, name in sorted(entries):
            if total <= limit_in_bytes():
                break
            total -= size if self._remove(name) else 0

    def _entries(self) -> list[tuple[float, int, str]]:
        """Returns when each entry was used last, its bytes and its name."""
        entries = []
        for found in os.scandir(self.folder):
            with suppress(FileNotFoundError):
                if not _is_no_entry(found.name) and found.is_dir():
                    entries.append((found.stat().st_mtime, _size(found.path), found.name))
        return entries

    def _remove_if_old(self, found: os.DirEntry[str]) -> None:
        age = time.time() - found.stat(follow_symlinks=False).st_mtime
        if age < (_DAY if found.name.startswith(_TEMPORARY) else 100 * _DAY):
            return
        if found.is_dir(follow_symlinks=False):
            remove_tree(found.path)
        else:
            os.unlink(found.path)

    def _remove(self, name: str) -> bool:
        """Removes an entry that no process uses."""
        try:
            lock = os.open(os.path.join(self.folder, name, "use"), os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            grave = self.new_folder()
            os.rename(os.path.join(self.folder, name), os.path.join(grave, name))
            remove_tree(grave)
            return True
        except OSError:
            return False
        finally:
            os.close(lock)


def _list_of(words: Sequence[str]) -> str:
    """Returns the name of the file with the records of a request."""
    return f"{_digest(words)}.list"


def limit_in_bytes() -> int:
    """Returns how large a cache may be."""
    return int(os.environ.get("ENZYME_CC_CACHE_SIZE") or _DEFAULT_MEGABYTES) * 1_000_000


def _is_no_entry(name: str) -> bool:
    return name.startswith(_TEMPORARY) or name.endswith((".list", ".lock", ".again"))


def _size(folder: str) -> int:
    return sum(found.stat().st_size for found in os.scandir(folder) if found.is_file())


@cache
def _folder_of_process() -> str:
    import atexit
    import tempfile

    folder = tempfile.mkdtemp(prefix="enzyme-cc-")
    atexit.register(remove_tree, folder)
    return folder


def current(kind: str) -> Cache:
    """Returns the cache of this kind, `functions` or `links`, that the environment chooses; its folder exists."""
    choice = os.environ.get("ENZYME_CC_CACHE", "")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(choice or os.path.join(base, "enzyme-cc"), kind)
    if choice == "off":
        folder = os.path.join(_folder_of_process(), kind)
    os.makedirs(folder, 0o700, exist_ok=True)
    return Cache(folder)


def remove_tree(folder: str) -> None:
    """Removes a folder with all that is in it."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _digest(words: Sequence[str]) -> str:
    return blake2b("\x1e".join(words).encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def digest_of(text: str) -> str:
    """Returns a hash of a text."""
    return _digest([text])


def digest_of_file(path: str) -> str:
    """Returns a hash of the contents; of an empty text if the file cannot be read.

    A large file, or one of the system's libraries, is told by its size and times: reading it takes as long as a link.
    """
    try:
        status = os.stat(path)
        if status.st_size > (_LARGE_IN_SYSTEM if path.startswith(_SYSTEM) else _LARGE):
            return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
        return blake2b(_contents(path), digest_size=20).hexdigest()
    except OSError:
        return ""
