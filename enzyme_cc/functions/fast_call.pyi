"""The extension module of toolchain/python/fast_call.c."""

from collections.abc import Callable
from typing import Any

def loaded(path: str, *symbols: str) -> tuple[int, ...]:
    """Loads a shared library; returns the addresses of symbols. Raises `OSError`."""

class FastCall:
    """Calls an entry point with arrays and numbers."""

    def __new__(
        cls,
        address: int,
        message: int,
        limits: tuple[tuple[int, int], ...],
        solutions: tuple[tuple[int, int, int, tuple[tuple[int, int], ...]], ...],
        labels: tuple[str, ...],
        arguments: tuple[tuple[Any, ...], ...],
        buffers: tuple[tuple[Any, ...], ...],
        results: tuple[Any],
        slow: Callable[..., Any],
        name: str,
        libraries: tuple[str, ...],
        may_move: bool,
    ) -> FastCall: ...
    def __call__(self, *args: Any, **named: Any) -> Any: ...
