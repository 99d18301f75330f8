"""Variants of functions: copies whose operations do something more, or something else, than in the program.

A request for a variant names a function. The function and all that it calls are copied, and the copies are rewritten
(`rewritten_copies.py`):

- `error_estimate.py`: each operation that rounds adds to an estimate of the rounding error;
- `truncation.py`: each operation computes in a narrower floating-point format (`formats.py`).

Variants are ordinary functions: they may be differentiated, and may call derivatives. So requests for variants are
answered before each round of derivatives, except those whose function still makes requests itself.
"""

from __future__ import annotations

from ...ir.module import Module
from ...ir.verify import verify_module
from ..core.markers import VariantKind
from .error_estimate import estimate_errors
from .truncation import truncate

_ANSWERS = (truncate, estimate_errors)


def make_variants(text: str, verify: bool = False) -> str:
    """Returns the module with answers in the place of the requests for variants that wait for no other request.

    Raises EnzymeError. With `verify`, raises InvalidIR if a variant is invalid.
    """
    if not any(kind.value in text for kind in VariantKind):
        return text
    for answer in _ANSWERS:
        module = Module.parse(text)
        added = answer(module)
        text = str(module) + added
        if verify:
            verify_module(_parsed(text), "making variants")
    return text


def _parsed(text: str) -> Module:
    module = Module.parse(text)
    for name, function in list(module.functions.items()):
        if function.unparsed is not None:
            module.body(name)
    return module


__all__ = ["make_variants"]
