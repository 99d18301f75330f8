"""The child process of an isolated function: `python -m enzyme_cc.functions.calls.worker FROM TO PARENT`.

FROM and TO are open pipes, PARENT is the number of the parent process.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from typing import Any

from .function import differentiable

_INTERVAL = 0.5  # seconds between looks at the parent


def end_with(parent: int) -> None:
    """Ends this process when the parent has ended, also while a function computes."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_INTERVAL)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def serve(source: int, target: int) -> None:
    """Answers questions until the parent closes its pipe."""
    with os.fdopen(source, "rb") as questions, os.fdopen(target, "wb") as answers:
        function = differentiable(*pickle.load(questions))
        while True:
            try:
                question = pickle.load(questions)
            except EOFError:
                return
            pickle.dump(_answer(function, *question), answers, protocol=5)
            answers.flush()


def _answer(function: Any, method: str, inputs: Any, named: dict[str, Any], *others: Any) -> tuple[bool, Any]:
    """Returns (true, value) or (false, exception)."""
    try:
        value = getattr(function, method)(*inputs, **named)
        return True, value(*others[0]) if others else value
    except Exception as error:
        return False, error


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the child that it interrupts
    end_with(int(sys.argv[3]))
    serve(int(sys.argv[1]), int(sys.argv[2]))
