"""Long links give memory back."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

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


@pytest.mark.parametrize(("megabytes", "is_freed"), [(10, False), (390, True)])
def test_garbage_is_freed_after_much_growth(megabytes: int, is_freed: bool) -> None:
    memory = Memory()
    Kept(300)  # so that the first call sees how large the process is
    memory.tidy()
    garbage = weakref.ref(Kept(megabytes))
    memory.tidy()
    assert (garbage() is None) is is_freed
