"""Temporary files of one link, in one directory. The supervisor removes it in the end, also after a signal."""

from __future__ import annotations

import os
from collections.abc import Callable

from msgspec import Struct

from enzyme_cc.report import EnzymeError


class Scratch(Struct, frozen=True):
    """A directory for temporary files. It has no folders: a counter makes names unique."""

    directory: str

    @classmethod
    def create(cls) -> Scratch:
        """Makes a new directory under TMPDIR. Raises `EnzymeError` (EZ0106)."""
        parent = os.environ.get("TMPDIR") or "/tmp"
        directory = os.path.join(parent, f"enzyme-ld-{os.getpid()}-{os.urandom(4).hex()}")
        guarded(lambda: os.mkdir(directory, 0o700), directory)
        return cls(directory)

    @property
    def module(self) -> str:
        """The file that holds the module LLVM works on. It becomes a report file if LLVM crashes."""
        return os.path.join(self.directory, "module.ll")

    def path(self, name: str) -> str:
        """Returns an unused path in the directory. It ends with the last part of `name`."""
        base = os.path.basename(name)
        for attempt in range(1 << 30):
            path = os.path.join(self.directory, f"{attempt}.{base}" if attempt else base)
            if not os.path.lexists(path):
                return path
        raise AssertionError("unreachable")

    def write(self, name: str, data: bytes) -> str:
        """Writes a new temporary file and returns its path. Raises `EnzymeError` (EZ0106)."""
        path = self.path(name)
        guarded(lambda: write_file(path, data), path)
        return path

    def remove(self) -> None:
        """Removes the directory and its files."""
        try:
            for entry in os.scandir(self.directory):
                os.unlink(entry.path)
            os.rmdir(self.directory)
        except FileNotFoundError:
            pass


def write_file(path: str, data: bytes) -> None:
    """Writes a whole file."""
    with open(path, "wb") as file:
        file.write(data)


def guarded(action: Callable[[], None], path: str) -> None:
    """Runs an action that writes `path`. Raises `EnzymeError` (EZ0106) for any failure of the file system."""
    try:
        action()
    except OSError as error:
        raise EnzymeError.of("EZ0106", f"cannot write {path}", reason=error.strerror) from None


def partial_output(output: str) -> str | None:
    """Returns where to make `output` before it is renamed. None if `output` is no regular file (/dev/null, say).

    Raises `EnzymeError` (EZ0106) if there is no folder for it.
    """
    if os.path.exists(output) and not os.path.isfile(output):
        return None
    directory, name = os.path.split(output)
    if not os.path.isdir(directory or "."):
        raise EnzymeError.of("EZ0106", f"cannot write {output}", reason=f"there is no folder {directory}")
    return os.path.join(directory, f".{name}.enzyme-{os.getpid()}")
