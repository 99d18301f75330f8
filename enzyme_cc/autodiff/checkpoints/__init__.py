"""Loops of steps that carry the attribute enzyme("checkpoint", N): their gradients store N states at a time.

Before anything is differentiated, each such loop that requests reach becomes a function with a registered gradient
(`step_loops.py` finds them, `outline.py` moves one out, `drive.py` makes the functions around it), whose primal sweep runs
copies of the steps that say what memory they touch (`watch.py`, toolchain/runtime/touched.c).
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir import passes
from ...ir.module import Module
from ..core.registrations import read_registrations
from ..normalise.watch import Watcher
from .drive import drive
from .step_loops import find_loop, misshapen
from .outline import outline

#: in the text of modules that declare steps
_WORDS = ('c"enzyme:checkpoint\\00"', "__enzyme_register_checkpoint")


def make_checkpointed(text: str) -> str:
    """The module's text with loops of checkpointed steps made functions. Raises EnzymeError (EZ0211)."""
    if not any(word in text for word in _WORDS):
        return text
    canonical = passes.parse(text)
    passes.run_passes(canonical, "loop-simplify", "lcssa")
    module = Module.parse(str(canonical))
    steps = read_registrations(module).steps
    outlined = []
    while (found := find_loop(module, steps)) is not None:
        outlined.append((outline(module, found), found))
    names = ", ".join(plain_name(step) for step in dict.fromkeys(found.step for _, found in outlined))
    closures = frozenset(iteration.function.name for iteration, _ in outlined)
    watcher = Watcher(module, lambda function, i, reason: misshapen(module, function, names, i, reason), closures)
    texts = [drive(module, iteration, watcher.copy(iteration.function.name), found) for iteration, found in outlined]
    return str(module) + "".join(texts)


__all__ = ["make_checkpointed"]
