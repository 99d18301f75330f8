"""Checkpointing: the gradient of a loop of steps stores N states at a time, instead of one for each step.

A step is a function with the attribute enzyme("checkpoint", N). Before anything is differentiated, each loop of steps
that a request reaches becomes a function with a registered gradient:

- `step_loops.py` finds such a loop and checks its shape,
- `outline.py` moves its body into a function, the iteration,
- `drive.py` makes the functions around the iteration.

The primal sweep of that gradient runs copies of the steps that report what memory they touch (normalise/watch.py,
toolchain/runtime/touched.c). That memory is the state.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir import llvm_passes
from ...ir.module import Module
from ...ir.verify import verify_module
from ..core.registrations import read_registrations
from ..normalise.watch import Watcher
from .drive import drive
from .outline import outline
from .step_loops import find_loop, misshapen

#: a module that declares steps contains one of these words
_WORDS = ('c"enzyme:checkpoint\\00"', "__enzyme_register_checkpoint")


def make_checkpointed(text: str, verify: bool = False) -> str:
    """Returns the module with a function in the place of each loop of checkpointed steps.

    Raises EnzymeError (EZ0211) if such a loop has not the shape that checkpointing needs. With `verify`, raises
    InvalidIR if a rewritten function is invalid.
    """
    if not any(word in text for word in _WORDS):
        return text
    canonical = llvm_passes.parse(text)
    llvm_passes.run_passes(canonical, "loop-simplify", "lcssa")
    module = Module.parse(str(canonical))
    steps = read_registrations(module).steps
    outlined = []
    while (found := find_loop(module, steps)) is not None:
        outlined.append((outline(module, found), found))
    names = ", ".join(plain_name(step) for step in dict.fromkeys(found.step for _, found in outlined))
    closures = frozenset(iteration.function.name for iteration, _ in outlined)
    watcher = Watcher(module, lambda function, i, reason: misshapen(module, function, names, i, reason), closures)
    watched = [watcher.copy(iteration.function.name) for iteration, _ in outlined]
    if verify:
        verify_module(module, "outlining checkpointed steps")
    texts = [drive(module, i, copy, found) for (i, found), copy in zip(outlined, watched, strict=True)]
    return str(module) + "".join(texts)


__all__ = ["make_checkpointed"]
