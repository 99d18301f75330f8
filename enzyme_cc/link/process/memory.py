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
_MUCH_LARGER = 4  # times the size after the last time that all was looked at: little of what once stayed is garbage
_YOUNG, _ALL = 1, 2  # generations of Python's collector


class Memory:
    """The memory of this process."""

    def __init__(self) -> None:
        self._last = self._last_of_all = 0

    def tidy(self) -> None:
        """Frees what nothing refers to, if the process has grown much since the last time.

        What was there the last time is looked at once the process has four times the size: analyses stay to the end.
        """
        grown = _resident() - self._last
        if grown < max(_LEAST_GROWTH, _GROWTH * self._last):
            return
        is_large = _resident() >= _MUCH_LARGER * self._last_of_all > 0
        gc.collect(_ALL if is_large else _YOUNG)
        _trim()
        self._last = _resident()
        if is_large or not self._last_of_all:  # the first time, all is young
            self._last_of_all = self._last


def _resident() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _trim() -> None:
    """Gives the free pages of the heap back. Only glibc has this function."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
