"""What a user sees of long work on a terminal: the stage, the functions done of all, and the seconds so far.

Nothing is shown for the first two seconds, and nothing if standard error is no terminal.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

_DELAY, _INTERVAL = 2.0, 0.2


class StatusLine:
    """A line on standard error inside the `with` block. `program` begins it. Not `shown`, it does nothing."""

    def __init__(self, program: str, shown: bool = True) -> None:
        self._program = program
        self._is_shown = shown and sys.stderr is not None and sys.stderr.isatty()
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
        self._count = f", {done} of {known} functions"

    def line(self) -> str:
        """Returns the text of the line."""
        return f"{self._program}: {self._stage}{self._count}, {time.monotonic() - self._start:.0f} s"

    def __enter__(self) -> StatusLine:
        if self._is_shown:
            self._worker = threading.Thread(target=self._show, daemon=True)
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
