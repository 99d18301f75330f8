"""Gives memory back to the system in long links.

Python's collector is off (`__main__.py`): most links end before it pays. In a long one, functions that are done with
are garbage in cycles, and what LLVM has freed lies between what it holds.
"""

from __future__ import annotations

import ctypes
import gc
import resource

_LEAST_GROWTH = 300 << 20  # bytes
_GROWTH = 0.25  # of the size after the last time: so all collections together take time in proportion to the memory


class Memory:
    """The memory of this process."""

    def __init__(self) -> None:
        self._last = 0

    def tidy(self) -> None:
        """Frees what nothing refers to, if the process has grown much since the last time."""
        if _resident() - self._last < max(_LEAST_GROWTH, _GROWTH * self._last):
            return
        gc.collect()
        _trim()
        self._last = _resident()


def _resident() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _trim() -> None:
    """Gives the free pages of the heap back. Only glibc has this function."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
