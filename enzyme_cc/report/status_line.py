"""What a user sees of long work: the stage, the functions done of all, and the seconds so far.

On a terminal, nothing is shown for the first two seconds. Elsewhere, each half minute gets a line.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

_DELAY, _INTERVAL = 2.0, 0.2
_LINE_INTERVAL = 30.0  # seconds between lines where there is no terminal


class StatusLine:
    """A line on standard error inside the `with` block. `program` begins it. Not `shown`, it does nothing."""

    def __init__(self, program: str, shown: bool = True) -> None:
        self._program = program
        self._is_shown = shown and sys.stderr is not None
        self._stage = ""
        self._count = ""
        self._start = time.monotonic()
        self._done = threading.Event()
        self._worker: threading.Thread | None = None

    def stage(self, name: str) -> None:
        """Tells that the next stage begins."""
        self._stage, self._count = name, ""

    def count(self, done: int, known: int) -> None:
        """Tells how many functions the stage has done, of those that are known so far."""
        self._count = f", {done:,} of {known:,} functions"

    def line(self) -> str:
        """Returns the text of the line."""
        return f"{self._program}: {self._stage}{self._count}, {time.monotonic() - self._start:.0f} s"

    def __enter__(self) -> StatusLine:
        if self._is_shown:
            show = self._show if sys.stderr.isatty() else self._print
            self._worker = threading.Thread(target=show, daemon=True)
            self._worker.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._done.set()
        if self._worker is not None:
            self._worker.join()

    def _show(self) -> None:
        if self._done.wait(_DELAY):
            return
        from rich.console import Console
        from rich.markup import escape

        with Console(file=sys.__stderr__).status(escape(self.line())) as status:
            while not self._done.wait(_INTERVAL):
                status.update(escape(self.line()))

    def _print(self) -> None:
        while not self._done.wait(_LINE_INTERVAL):
            print(self.line(), file=sys.__stderr__, flush=True)
