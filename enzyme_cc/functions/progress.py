"""What a user sees of a build: nothing for a second, then a spinner on a terminal; commands if asked for."""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

_DELAY = 1.0


@contextmanager
def building(what: str, verbose: bool) -> Iterator[Callable[[Sequence[str]], None]]:
    """Shows that `what` is built while the block runs. Gives a function that is told of each command."""
    if verbose:
        yield lambda command: print(shlex.join(command), file=sys.stderr, flush=True)
        return
    done = threading.Event()
    worker = threading.Thread(target=_spin, args=(what, done), daemon=True) if _is_terminal() else None
    if worker is not None:
        worker.start()
    try:
        yield lambda command: None
    finally:
        done.set()
        if worker is not None:
            worker.join()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _spin(what: str, done: threading.Event) -> None:
    if done.wait(_DELAY):
        return
    from rich.console import Console

    with Console(stderr=True).status(f"enzyme-cc builds {what}"):
        done.wait()
