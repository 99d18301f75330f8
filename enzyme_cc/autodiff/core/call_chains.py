"""The chain of calls that leads from a request to each derivative; diagnostics print it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...analysis.callees import plain_name
from ...report.diagnostics import EnzymeError
from ...rules.library_functions import DISPATCH
from ...rules.runtime_functions import PREFIX
from .signature import Signature


class CallChains:
    """Records for each signature what asked for it first: the derivative of a caller, or a request."""

    def __init__(self) -> None:
        self._place: str | None = None
        self._making: Signature | None = None
        self._askers: dict[Signature, Signature | None] = {}
        self._places: dict[Signature, str | None] = {}

    def ask(self, signature: Signature) -> None:
        """Records that the derivative under construction asks for another one."""
        if signature not in self._askers:
            self._askers[signature] = self._making
            self._places[signature] = self._place if self._making is None else self._places[self._making]

    @contextmanager
    def asking_at(self, place: str | None) -> Iterator[None]:
        """Inside, the request at a source location asks."""
        self._place = place
        try:
            yield
        finally:
            self._place = None

    @contextmanager
    def making(self, signature: Signature) -> Iterator[None]:
        """Inside, the derivative of a signature is made. Errors that leave the block get the chain of calls."""
        self._making = signature
        try:
            yield
        except EnzymeError as error:
            raise self.reached(signature, error) from error.__cause__
        finally:
            self._making = None

    def reached(self, signature: Signature, error: EnzymeError) -> EnzymeError:
        """Returns the error of a derivative with the chain of calls that leads to it."""
        return error.reached(self.functions(signature), self._places.get(signature))

    def functions(self, signature: Signature) -> tuple[str, ...]:
        """Returns the names of the program's functions from the requested one to that of the signature."""
        names: list[str] = []
        at: Signature | None = signature
        while at is not None:
            name = plain_name(at.function)
            if name.startswith(DISPATCH):
                names.append("a function pointer")
            elif not name.startswith(PREFIX):
                names.append(name)
            at = self._askers.get(at)
        return tuple(reversed(names))
