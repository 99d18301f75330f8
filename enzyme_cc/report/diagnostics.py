"""Diagnostics as values, and as a compiler prints them: the fault, its place, the reason and the remedy.

A stage that cannot go on raises `EnzymeError` with one or more `Diagnostic`s. Every diagnostic has a stable id:
`enzyme_cc.report.catalogue` explains it, and docs/diagnostics.md is made from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from enzyme_cc.report.catalogue import CATALOGUE
from enzyme_cc.report.spelling import as_in_source, demangled

PROGRAM = "enzyme-ld"
EXIT_STATUS = 1
#: ids whose messages name what an option takes: symbols stay as they are
_WITH_SYMBOLS = frozenset(["EZ0111", "EZ0305", "EZ0311"])
_HINT = "compile with -g: then this message tells the source line"


class Diagnostic(NamedTuple):
    """One fault.

    - `location` is "file:line:col", "file:line" or "file".
    - `function` is the function with the fault, as the source spells it.
    - `reason` says why it is a fault.
    - `remedy` says what to do; the default is the remedy in the catalogue.
    - `calls` are the functions from the requested one to this one. Each is called by the one before.
    - `request` is the location of the request.
    """

    id: str
    message: str
    location: str | None = None
    function: str | None = None
    reason: str | None = None
    remedy: str | None = None
    calls: tuple[str, ...] = ()
    request: str | None = None

    def render(self, severity: str = "error") -> str:
        """Returns the diagnostic as a compiler prints it: the error line and its notes, without a final newline."""
        lines = [f"{self.location or PROGRAM}: {severity}: {self._fault}{self._option(severity)}"]
        if self.function is not None:
            lines.append(f"  in function: {self.function}")
        if len(self.calls) > 1 or self.request is not None:
            lines.append(f"  reached by: {self._way}")
        if self.reason is not None:
            lines.append(f"  reason: {_indented(self.reason)}")
        lines.append(f"  remedy: {_indented(self.remedy or CATALOGUE[self.id].remedy)}")
        if self.location is None and self.function is not None:
            lines.append(f"  hint: {_HINT}")
        return self.spelt("\n".join(lines))

    def spelt(self, text: str) -> str:
        """Returns a text of the diagnostic with names as the source has them."""
        return as_in_source(text) if self.id in _WITH_SYMBOLS else demangled(as_in_source(text))

    @property
    def summary(self) -> str:
        """The fault, its place and its function on one line."""
        place = f"{self.location}: " if self.location is not None else ""
        function = f" (in function {self.function})" if self.function is not None else ""
        return self.spelt(place + self._fault + function)

    @property
    def _fault(self) -> str:
        return f"{_one_line(self.message)} [{self.id}]"

    def _option(self, severity: str) -> str:
        option = CATALOGUE[self.id].option
        return f" [{'-Werror,' if severity == 'error' else ''}-W{option}]" if option else ""

    @property
    def _way(self) -> str:
        chain = " calls ".join(self.calls)
        return chain if self.request is None else f"the request at {self.request}, {chain}"


class NotOnTeams(Exception):
    """Parallel regions cannot run on teams of threads in differentiated code; the text says why.

    `functions`: why, by the name of each function that only one thread may run; none if it is not due to functions.
    """

    def __init__(self, why: str, functions: Mapping[str, str] | None = None) -> None:
        super().__init__(why)
        self.functions = dict(functions or {})


class NotOnFibers(Exception):
    """Threads that differentiated code makes cannot be fibers; the text says why."""


class EnzymeError(Exception):
    """The link or the differentiation is impossible. `diagnostics` are the faults in the order they were found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        if not self.diagnostics:
            raise ValueError("an EnzymeError needs a diagnostic")
        unknown = [diagnostic.id for diagnostic in self.diagnostics if diagnostic.id not in CATALOGUE]
        if unknown:
            raise ValueError(f"diagnostic id {unknown[0]} is not in the catalogue")
        super().__init__(self.render())

    @classmethod
    def of(
        cls,
        id: str,
        message: str,
        *,
        location: str | None = None,
        function: str | None = None,
        reason: str | None = None,
        remedy: str | None = None,
    ) -> EnzymeError:
        """Returns an error with one diagnostic."""
        return cls([Diagnostic(id, message, location, function, reason, remedy)])

    def reached(self, calls: tuple[str, ...], request: str | None) -> EnzymeError:
        """Returns the same error with `calls` put before the calls through which the fault was reached so far.

        A fault of no function in particular is located at the request.
        """
        return EnzymeError(
            d
            if d.calls[:1] == calls[:1]
            else d._replace(
                calls=(*calls, *d.calls),
                request=request,
                location=request if d.location is None and d.function is None else d.location,
            )
            for d in self.diagnostics
        )

    def render(self, severity: str = "error") -> str:
        """Returns all diagnostics as text. Of those that differ only in their calls, returns the first."""
        return "\n".join(diagnostic.render(severity) for diagnostic in self.distinct)

    @property
    def distinct(self) -> list[Diagnostic]:
        """The diagnostics. Of those that differ only in their calls, the first."""
        once: dict[Diagnostic, Diagnostic] = {}
        for diagnostic in self.diagnostics:
            once.setdefault(diagnostic._replace(calls=(), request=None), diagnostic)
        return list(once.values())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n          ")
