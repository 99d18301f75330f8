"""How much of a link runs at once: as many jobs as the machine has cores, or as make's jobserver lets it.

make gives each command that it runs one job. Further ones are bytes in a pipe, which MAKEFLAGS names: whoever takes a
byte may run one more job, and writes the byte back when it is done.
"""

from __future__ import annotations

import os
import re
import select
import stat
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")
R = TypeVar("R")

_OFFERED = re.compile(r"--jobserver-(?:auth|fds)=(?:fifo:(?P<fifo>\S+)|(?P<read>\d+),(?P<write>\d+))")
_SECONDS = 0.05  # between two looks for a job that another one of this process gives back
_OWN = b""


class Jobserver:
    """The pipe of make. One job is this process's own."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._own: SimpleQueue[bytes] = SimpleQueue()
        self._own.put(_OWN)

    @classmethod
    def offered(cls, makeflags: str) -> Jobserver | None:
        """Returns what MAKEFLAGS offers. None if it offers nothing, or nothing that this process can use."""
        found = [*_OFFERED.finditer(makeflags)][-1:]
        if not found:
            return None
        offer = found[0]
        names = [offer["fifo"] or f"/proc/self/fd/{offer[end]}" for end in ("read", "write")]
        try:
            if not all(stat.S_ISFIFO(os.stat(name).st_mode) for name in names):
                return None
            # opened again: make's own descriptors wait
            read = os.open(names[0], os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            return cls(read, os.open(names[1], os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            return None

    @contextmanager
    def job(self) -> Iterator[None]:
        """Waits for a job, and gives it back."""
        taken = self._taken()
        try:
            yield
        finally:
            if taken == _OWN:
                self._own.put(taken)
            else:
                os.write(self._write, taken)

    def _taken(self) -> bytes:
        while True:
            with suppress(Empty):
                return self._own.get_nowait()
            select.select([self._read], [], [], _SECONDS)
            with suppress(BlockingIOError):  # another process was faster
                if byte := os.read(self._read, 1):
                    return byte


class Jobs(Struct, frozen=True):
    """`most` jobs at once, and no more than the jobserver allows."""

    most: int
    jobserver: Jobserver | None = None

    @classmethod
    def of(cls, chosen: int) -> Jobs:
        """Returns as many jobs as are chosen. With 0, as many as there are cores, shared with make."""
        if chosen:
            return cls(chosen)
        return cls(len(os.sched_getaffinity(0)), Jobserver.offered(os.environ.get("MAKEFLAGS", "")))

    def map(self, function: Callable[[T], R], values: Iterable[T]) -> list[R]:
        """Returns the results of a function that waits for other processes, in the order of the values.

        Raises what it raises for the first of them.
        """
        with ThreadPoolExecutor(self.most) as pool:
            running = [pool.submit(self._one, function, value) for value in values]
            try:
                return [future.result() for future in running]
            finally:
                pool.shutdown(cancel_futures=True)

    def _one(self, function: Callable[[T], R], value: T) -> R:
        if self.jobserver is None:
            return function(value)
        with self.jobserver.job():
            return function(value)
