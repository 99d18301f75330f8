"""The errors of `enzyme_cc.function`: wrong signatures, and sources that do not compile or cannot be differentiated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .messages import CompilerMessage


class SignatureError(ValueError):
    """The signature does not fit the function. The message shows both, and a signature to start from."""


class Crash(RuntimeError):
    """The function ended its process (`isolated=True`). `signal` is the number of the signal, or None."""

    def __init__(self, message: str, signal: int | None) -> None:
        super().__init__(message)
        self.signal = signal


class CompileError(Exception):
    """The sources do not compile, or cannot be differentiated.

    `text` is what the compilers printed, `command` is the command that failed.
    """

    def __init__(self, text: str, command: Sequence[str] = ()) -> None:
        self.text = text.strip()
        self.command = tuple(command)
        super().__init__(self.text or f"{' '.join(command)} failed")

    @property
    def diagnostics(self) -> tuple[CompilerMessage, ...]:
        """The errors in the text, as values."""
        from .messages import messages

        return tuple(messages(self.text))
