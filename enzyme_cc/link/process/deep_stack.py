"""A deep stack: analyses and LLVM recurse along call chains, nested types and expressions of any depth."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

_STACK_BYTES = 512 << 20  # of address space: memory is taken as it is used
_PYTHON_FRAMES = 200_000


def with_deep_stack(work: Callable[[], int], otherwise: int) -> int:
    """Return what `work` returns, done on a deep stack; `otherwise` if it raises."""
    result = otherwise

    def run() -> None:
        nonlocal result
        result = work()

    sys.setrecursionlimit(_PYTHON_FRAMES)
    try:
        threading.stack_size(_STACK_BYTES)
        thread = threading.Thread(target=run)
        thread.start()
    except RuntimeError:  # no such address space: ulimit -v
        run()
    else:
        thread.join()
    return result
