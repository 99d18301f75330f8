"""The child process of an isolated function: `python -m enzyme_cc.functions.calls.worker FROM TO`, two open pipes."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from .function import differentiable


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
    serve(int(sys.argv[1]), int(sys.argv[2]))
