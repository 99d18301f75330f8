"""Runs work on a deep stack: analyses and LLVM recurse along call chains, nested types and expressions."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

_STACK_BYTES = 512 << 20  # address space; the system gives memory page by page
_PYTHON_FRAMES = 200_000


def with_deep_stack(work: Callable[[], int], otherwise: int) -> int:
    """Runs `work` on a deep stack and returns its result, or `otherwise` if it raises."""
    result = otherwise

    def run() -> None:
        nonlocal result
        result = work()

    sys.setrecursionlimit(_PYTHON_FRAMES)
    try:
        threading.stack_size(_STACK_BYTES)
        thread = threading.Thread(target=run)
        thread.start()
    except RuntimeError:  # ulimit -v allows no such address space
        run()
    else:
        thread.join()
    return result
