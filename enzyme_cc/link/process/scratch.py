"""Temporary files of one link: a directory that is removed on success, on error, and by the supervisor on a signal."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from enzyme_cc.report import EnzymeError


@dataclass(frozen=True)
class Scratch:
    """A directory for temporaries. It is flat: names are made unique by a counter."""

    directory: str

    @classmethod
    def create(cls) -> Scratch:
        """Make a new directory under TMPDIR. Raises `EnzymeError` (EZ0106)."""
        parent = os.environ.get("TMPDIR") or "/tmp"
        directory = os.path.join(parent, f"enzyme-ld-{os.getpid()}-{os.urandom(4).hex()}")
        guarded(lambda: os.mkdir(directory, 0o700), directory)
        return cls(directory)

    @property
    def module(self) -> str:
        """The file that holds the module which LLVM is busy with, for a report if it crashes."""
        return os.path.join(self.directory, "module.ll")

    def path(self, name: str) -> str:
        """Return a path in the directory whose last part is `name`, in a folder of its own if the name is taken."""
        base = os.path.basename(name)
        for attempt in range(1 << 30):
            path = os.path.join(self.directory, f"{attempt}.{base}" if attempt else base)
            if not os.path.lexists(path):
                return path
        raise AssertionError("unreachable")

    def write(self, name: str, data: bytes) -> str:
        """Write a new temporary and return its path. Raises `EnzymeError` (EZ0106)."""
        path = self.path(name)
        guarded(lambda: write_file(path, data), path)
        return path

    def remove(self) -> None:
        """Remove the directory and all in it."""
        try:
            for entry in os.scandir(self.directory):
                os.unlink(entry.path)
            os.rmdir(self.directory)
        except FileNotFoundError:
            pass


def write_file(path: str, data: bytes) -> None:
    """Write a whole file."""
    with open(path, "wb") as file:
        file.write(data)


def guarded(action: Callable[[], None], path: str) -> None:
    """Do what writes `path`. Raises `EnzymeError` (EZ0106) for any failure of the file system."""
    try:
        action()
    except OSError as error:
        raise EnzymeError.of("EZ0106", f"cannot write {path}", reason=error.strerror) from None


def partial_output(output: str) -> str | None:
    """Return where to make `output` before it is renamed; None if it is no regular file (as /dev/null)."""
    if os.path.exists(output) and not os.path.isfile(output):
        return None
    directory, name = os.path.split(output)
    return os.path.join(directory, f".{name}.enzyme-{os.getpid()}")
