"""Variants of functions: copies whose operations do something more, or something else, than in the program.

A request for a variant names a function. The function and all that it calls are copied, and the copies are rewritten
(`rewritten_copies.py`):

- `error_estimate.py`: each operation that rounds adds to an estimate of the rounding error;
- `truncation.py`: each operation computes in a narrower floating-point format (`formats.py`);
- `traces.py`: random choices are recorded, and add up a log-likelihood (`random_choices.py`, `choice_helpers.py`).

Variants are ordinary functions: they may be differentiated, and may call derivatives. So requests for variants are
answered before each round of derivatives, except those whose function still makes requests itself.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.values import Function, Instruction
from ...ir.verify import verify_module
from ...report.diagnostics import EnzymeError
from ..core.markers import VariantKind
from ..core.options import Options
from .error_estimate import estimate_errors
from .reading import variant_calls
from .traces import trace_choices
from .truncation import truncate

_ANSWERS = (truncate, estimate_errors, trace_choices)


def make_variants(text: str, options: Options) -> str:
    """Returns the module with answers in the place of the requests for variants that wait for no other request.

    Raises EnzymeError. With the option `verify`, raises InvalidIR if a variant is invalid.
    """
    if not _names_variants(text):
        return text
    for answer in _ANSWERS:
        module = Module.parse(text)
        added = answer(module, options)
        text = str(module) + added
        if options.verify:
            verify_module(_parsed(text), "making variants")
    return text


def refuse_waiting(text: str) -> None:
    """Raises EnzymeError (EZ0210) if requests for variants are left: their functions make them themselves."""
    calls = waiting_variants(text)
    if calls is not None:
        module, caller, call, kind = calls
        raise EnzymeError.of(
            "EZ0210",
            f"{kind.value} is given a function that makes this request itself",
            location=module.source_location(call) or module.function_location(caller),
            function=plain_name(caller.name),
            reason="each variant would need the other one first",
        )


def waiting_variants(text: str) -> tuple[Module, Function, Instruction, VariantKind] | None:
    """Returns the first request for a variant that is left."""
    if not _names_variants(text):
        return None
    module = Module.parse(text)
    return next(((module, *found) for found in variant_calls(module)), None)


def _names_variants(text: str) -> bool:
    return any(kind.value in text for kind in VariantKind)


def _parsed(text: str) -> Module:
    module = Module.parse(text)
    for name, function in list(module.functions.items()):
        if function.unparsed is not None:
            module.body(name)
    return module


__all__ = ["make_variants", "refuse_waiting", "waiting_variants"]
