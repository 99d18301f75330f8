"""A function in a child process: a crash ends the child, and is an exception in the parent.

The child is `python -m enzyme_cc.functions.calls.worker`. Both send pickled values through pipes of their own.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import BufferedIOBase
from typing import Any

from ..compiled import Compiled, remade
from ..errors import Crash
from ..interface import Interface

_WORKER = "enzyme_cc.functions.calls.worker"
_METHODS = ("value_and_grad", "grad", "jvp", "hvp", "jacobian", "hessian", "check")


class IsolatedFunction:
    """A differentiable function that runs in a child process, with the methods of `DifferentiableFunction`.

    If the child ends, the call raises `Crash`; the next call starts another child. Ctrl-C stops a call, and its child.
    The child ends with this process. Calls from several threads run one after the other.
    """

    def __init__(self, built: Compiled) -> None:
        self.interface: Interface = built.interface
        self.__name__ = built.interface.prototype.name
        self._built = built
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def __reduce__(self) -> Any:
        return remade, (type(self), self._built.request, self._built.verbose)

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """Returns the outputs."""
        return self._ask("__call__", inputs, named)

    def vjp(self, *inputs: Any, **named: Any) -> Callable[..., Any]:
        """Returns a function of the outputs' cotangents."""
        return partial(self._ask_pullback, inputs, named)

    def _ask_pullback(self, inputs: tuple[Any, ...], named: dict[str, Any], *cotangents: Any) -> Any:
        return self._ask("vjp", inputs, named, cotangents)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return partial(self._ask_method, name)

    def _ask_method(self, name: str, *inputs: Any, **named: Any) -> Any:
        return self._ask(name, inputs, named)

    def _ask(self, method: str, inputs: tuple[Any, ...], named: dict[str, Any], *others: Any) -> Any:
        from .conversion import as_array

        def sendable(value: Any) -> Any:
            is_plain = isinstance(value, (int, float, complex, tuple, type(None)))
            array = None if is_plain else as_array(value)
            return value if array is None else array

        question = (method, [sendable(v) for v in inputs], {k: sendable(v) for k, v in named.items()}, *others)
        with self._lock:
            if self._child is None:
                self._child = _Child(self._built)
            try:
                is_value, answer = self._child.ask(question)
            except (EOFError, OSError):
                code, self._child = self._child.end(), None
                raise _crash(self.__name__, code) from None
            except BaseException:  # Ctrl-C while the child computes: its answer would be taken for the next one
                child, self._child = self._child, None
                child.stop()
                raise
        if is_value:
            return answer
        raise answer

    def __repr__(self) -> str:
        return f"<enzyme_cc.function {self.interface.signature} of {self.interface.prototype}, isolated>"


class _Child:
    """The child process, and the pipes to and from it."""

    def __init__(self, built: Compiled) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        command = [sys.executable, "-m", _WORKER, str(theirs_in), str(theirs_out), str(os.getpid())]
        environment = {**os.environ, "ENZYME_CC_CACHE": built.cache_folder, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), env=environment)
        os.close(theirs_in)
        os.close(theirs_out)
        self._to, self._from = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self._finish = weakref.finalize(self, _finish, (self._to, self._from), self._process)
        self._send((built.request, built.verbose))

    def _send(self, value: Any) -> None:
        pickle.dump(value, self._to, protocol=5)
        self._to.flush()

    def ask(self, question: Any) -> tuple[bool, Any]:
        """Returns whether the child answered with a value, and its value or exception."""
        self._send(question)
        is_value, answer = pickle.load(self._from)
        return is_value, answer

    def stop(self) -> None:
        """Ends the child, whatever it does."""
        self._process.kill()
        self._finish()

    def end(self) -> int:
        """Returns the child's exit code, which is negative after a signal."""
        self._finish()
        return self._process.wait()


def _finish(pipes: Sequence[BufferedIOBase], process: subprocess.Popen[bytes]) -> None:
    for pipe in pipes:
        with suppress(OSError):
            pipe.close()
    process.wait()


def _crash(name: str, code: int) -> Crash:
    if code < 0:
        return Crash(f"{name} ended with {signal.Signals(-code).name}", -code)
    return Crash(f"{name} ended its process with exit code {code}", None)
