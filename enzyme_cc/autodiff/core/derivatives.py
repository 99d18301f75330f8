"""The registry of derivative functions that one round asks for: their names, and the queue of those to be made."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from ...analysis.activity.carriers import Carriers
from ...analysis.callees import plain_name
from ...ir.module import Module
from ...report.diagnostics import EnzymeError
from .call_chains import CallChains
from .calling_convention import Prototype, prototype
from .signature import Form, Signature


class Derivatives:
    """The registry.

    A function that is only reached through function pointers may never be called, so it is optional: the registry
    notes the failure to make its derivative, and raises it when a direct call asks for the derivative.
    """

    def __init__(self, source: Module, output: Module, carriers: Carriers) -> None:
        self.chains = CallChains()
        self._source = source
        self._output = output
        self._carriers = carriers
        self._names: dict[tuple[Signature, Form], tuple[str, Prototype]] = {}
        self._queue: deque[tuple[Signature, Form]] = deque()
        self._is_optional = False
        self._required: set[Signature] = set()
        self._failed: dict[Signature, EnzymeError] = {}

    def of(self, signature: Signature, form: Form) -> tuple[str, Prototype]:
        """Returns name and prototype of a derivative function, which is made later if it is not there yet.

        Raises EnzymeError if it is required now and could not be made before.
        """
        key = signature, form
        self.chains.ask(signature)
        if not self._is_optional and signature not in self._required:
            self._required.add(signature)
            if signature in self._failed:
                raise self._failed[signature]
        if key not in self._names:
            primal = self._source.functions[signature.function]
            name = self._output.fresh_name(f"__ez_{form.value}.{plain_name(signature.function)}")
            self._names[key] = name, prototype(signature, form, primal, self._carriers)
            self._output.declare(name, self._names[key][1].type)
            self._queue.append(key)
        return self._names[key]

    def pending(self) -> Iterator[tuple[Signature, Form]]:
        """Yields what is asked for and not made yet, also what is asked for meanwhile."""
        while self._queue:
            yield self._queue.popleft()

    def is_required(self, signature: Signature) -> bool:
        """True if a chain of direct calls leads to the function."""
        return signature in self._required

    def note_failure(self, signature: Signature, error: EnzymeError) -> None:
        """Keeps the error of an optional derivative for the case that the derivative is required later."""
        self._failed[signature] = error

    @contextmanager
    def optional(self, is_optional: bool) -> Iterator[None]:
        """Inside, what is asked for is as optional as what asks for it."""
        self._is_optional = is_optional
        try:
            yield
        finally:
            self._is_optional = False
