"""Limits time and memory while LLVM reads bitcode: damaged bitcode can make it loop for ever or ask for all memory.

Measures time, too.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SECONDS, _SECONDS_PER_MEGABYTE = 20.0, 20.0
_BYTES, _BYTES_PER_BYTE = 4 << 30, 400

# This signal ends a process that reads for too long.
TIMEOUT_SIGNAL = signal.SIGPROF


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Limits the processor time and the memory of the `with` block in proportion to `size` bytes of bitcode."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = _address_space() + _BYTES + _BYTES_PER_BYTE * size
    if soft == resource.RLIM_INFINITY or allowed < soft:
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    signal.setitimer(signal.ITIMER_PROF, _SECONDS + _SECONDS_PER_MEGABYTE * size / 1e6)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def processor_seconds(*who: int) -> float:
    """Returns the processor time that has been used: `resource.RUSAGE_SELF`, `resource.RUSAGE_CHILDREN`, or both."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))


def _address_space() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
