"""The registry of the derivative functions that one round needs: their names, and a queue of those not made yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from ...analysis.activity.carriers import Carriers
from ...analysis.callees import plain_name
from ...ir.module import Module, global_name
from ...ir.values import Function
from ...report.diagnostics import EnzymeError
from ...rules.library_functions import DISPATCH
from .call_chains import CallChains
from .calling_convention import Prototype, prototype
from .signature import Form, Signature


class Derivatives:
    """The derivative functions that one round needs.

    The derivative of a function is optional if no chain of certain calls leads to it: the program may never call the
    function. A call is certain if it is direct and not conditional. If an optional derivative cannot be made, the
    registry keeps the error, and raises it if a certain call asks for the derivative later.
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
        self._conditional: set[Signature] = set()
        self._failed: dict[Signature, EnzymeError] = {}
        self._alike: dict[Signature, dict[Signature, Signature]] = {}
        self._is_settled = False

    def of(self, signature: Signature, form: Form, is_certain: bool = True) -> tuple[str, Prototype]:
        """Returns the name and prototype of a derivative function, and queues it if it is new.

        `is_certain`: the function that is made calls it without a condition.
        Raises EnzymeError if the derivative was optional, could not be made, and is required now.
        """
        key = signature, form
        self.chains.ask(signature)
        if not self._is_optional and not is_certain:
            self._conditional.add(signature)
        if not self._is_optional and is_certain and signature not in self._required:
            self._required.add(signature)
            if signature in self._failed:
                raise self._failed[signature]
        if key not in self._names:
            primal = self._source.functions[signature.function]
            name = self._output.fresh_name(f"{form.prefix}{plain_name(signature.function)}")
            self._names[key] = name, prototype(signature, form, primal, self._carriers)
            self._output.declare(name, self._names[key][1].type)
            self._queue.append(key)
        return self._names[key]

    def shared(self, signature: Signature, many: int) -> Signature:
        """Returns the signature whose derivative a call uses: it may assume less of `preserved` memory than holds.

        Up to `many` derivatives differ in that alone. Further calls use the one of these that assumes most of what they
        may assume. If there is none, one assumes from then on what it and the call have in common; if derivatives are
        made already, it is a further one. The price is a longer tape.
        """
        alike = self._alike.setdefault(replace(signature, preserved=()), {})
        if signature not in alike and len(alike) >= many:
            ensured = set(signature.preserved)
            less = [other for other in alike if set(other.preserved) <= ensured]
            if less:
                return max(less, key=lambda other: len(other.preserved))
            nearest = max(alike, key=lambda other: len(ensured.intersection(other.preserved)))
            signature = replace(signature, preserved=tuple(k for k in nearest.preserved if k in ensured))
            if not self._is_settled:
                del alike[nearest]
        return alike.setdefault(signature, signature)

    def is_shared(self, signature: Signature) -> bool:
        """True if calls use the derivative of this signature, as far as is known."""
        return signature in self._alike.get(replace(signature, preserved=()), {})

    def settle(self) -> None:
        """Says that all calls have asked for what they share."""
        self._is_settled = True

    def queued(self) -> list[tuple[Signature, Form]]:
        """Returns the derivatives that were asked for and are not made yet."""
        return list(self._queue)

    def pending(self) -> Iterator[tuple[Signature, Form]]:
        """Yields the queued derivatives, also those that are queued during the iteration."""
        while self._queue:
            yield self._queue.popleft()

    @property
    def known(self) -> int:
        """The number of derivatives that were asked for so far."""
        return len(self._names)

    def is_required(self, signature: Signature) -> bool:
        """True if a chain of certain calls leads to the function."""
        return signature in self._required

    def failures(self) -> list[EnzymeError]:
        """Returns why derivatives could not be made that are called directly, under a condition."""
        return [error for signature, error in self._failed.items() if signature in self._conditional - self._required]

    def note_failure(self, signature: Signature, error: EnzymeError) -> None:
        """Keeps the error of an optional derivative, to raise it if the derivative is required later."""
        self._failed[signature] = self.chains.reached(signature, error)

    @contextmanager
    def optional(self, is_optional: bool) -> Iterator[None]:
        """Inside, derivatives that are asked for are optional if `is_optional` is true."""
        self._is_optional = is_optional
        try:
            yield
        finally:
            self._is_optional = False


def alone(name: str) -> str:
    """Returns the name of the derivative that a team of one runs, in which no addition is atomic."""
    return global_name(f"{plain_name(name)}.alone")


def plain(name: str) -> str:
    """Returns the name of the derivative of a region that threads run once they know that their additions are apart."""
    return global_name(f"{plain_name(name)}.plain")


def has_many_candidates(function: Function) -> bool:
    """Returns whether a function is a dispatcher that looks up the pointer in the table of functions."""
    return function.name.startswith(f"@{DISPATCH}") and function.entry.terminator.opcode == "switch"
