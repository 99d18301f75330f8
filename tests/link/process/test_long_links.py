"""Long links give memory back."""

from __future__ import annotations

import gc
import resource
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from enzyme_cc.link.process.memory import Memory

_MEGABYTE = 1 << 20


class Kept:
    """Memory that a cycle holds."""

    def __init__(self, megabytes: int) -> None:
        self.data = bytearray(b"x") * (megabytes * _MEGABYTE)
        self.itself = self


@pytest.fixture(autouse=True)
def _without_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def _growth() -> int:
    """Returns the megabytes of much growth: of this process, which may have run many tests, more than a quarter."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return 390 + pages * resource.getpagesize() // _MEGABYTE // 3


@pytest.mark.parametrize(("is_much", "is_freed"), [(False, False), (True, True)])
def test_garbage_is_freed_after_much_growth(is_much: bool, is_freed: bool) -> None:
    memory, megabytes = Memory(), _growth() if is_much else 10
    Kept(300)  # so that the first call sees how large the process is
    memory.tidy()
    garbage = weakref.ref(Kept(megabytes))
    memory.tidy()
    assert (garbage() is None) is is_freed


def test_what_stayed_is_freed_once_the_process_is_four_times_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    megabytes = [1000]
    monkeypatch.setattr("enzyme_cc.link.process.memory._resident", lambda: megabytes[0] * _MEGABYTE)
    memory, held = Memory(), [Kept(0)]
    memory.tidy()
    old, young = weakref.ref(held.pop()), weakref.ref(Kept(0))
    megabytes[0] = 3900
    memory.tidy()
    assert old() is not None and young() is None
    megabytes[0] = 8000
    memory.tidy()
    assert old() is None
