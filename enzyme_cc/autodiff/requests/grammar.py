"""What each kind of request takes: one row per kind, and what the markers before arguments and of results mean."""

from __future__ import annotations

from dataclasses import dataclass

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ..core.markers import RequestKind

ACTIVITIES = {
    "enzyme_const": ArgumentActivity.CONST,
    "enzyme_dup": ArgumentActivity.DUP,
    "enzyme_dupnoneed": ArgumentActivity.DUP,
    "enzyme_dupv": ArgumentActivity.DUP,
    "enzyme_dupnoneedv": ArgumentActivity.DUP,
    "enzyme_byref": ArgumentActivity.DUP,
    "enzyme_out": ArgumentActivity.OUT,
}
#: after these, nobody wants what f leaves behind the pointer
UNWANTED = frozenset(["enzyme_dupnoneed", "enzyme_dupnoneedv"])
#: a stride follows these, then the first shadow stands for all
STRIDED = frozenset(["enzyme_dupv", "enzyme_dupnoneedv"])
RESULTS = {
    "enzyme_noret": ResultActivity.NONE,
    "enzyme_const_return": ResultActivity.NONE,
    "enzyme_active_return": ResultActivity.ACTIVE,
    "enzyme_dup_return": ResultActivity.SHADOW,
}

#: markers of a batch: whether the argument is given once for each lane
BATCHED = {"enzyme_const": False, "enzyme_scalar": False, "enzyme_vector": True}

_RESULTS = frozenset(RESULTS)
_FLAGS = _RESULTS | {"enzyme_runtime_activity", "enzyme_strong_zero", "enzyme_interleave"}
_TAPE = frozenset(["enzyme_allocated", "enzyme_tape"])


@dataclass(frozen=True)
class Grammar:
    """`forward`: whether numbers have tangents beside them, as pointers have shadows; else adjoints. `width`: the
    markers of vector mode are known. `pointer_result`: what is done with a pointer that f returns. `flags`, `settings`:
    the markers about the whole request that the kind knows; a value follows each of the settings. `has_values`:
    arguments follow their markers. `has_tape`: [the adjoint of the result] and the tape follow the arguments.
    `activities`: the markers that may stand before an argument. `differentiates`: derivatives of f are called."""

    forward: bool = False
    width: bool = False
    pointer_result: ResultActivity = ResultActivity.NONE
    flags: frozenset[str] = _FLAGS
    settings: frozenset[str] = frozenset()
    has_values: bool = True
    has_tape: bool = False
    activities: frozenset[str] = frozenset(ACTIVITIES)
    differentiates: bool = True


GRAMMARS = {
    RequestKind.AUTODIFF: Grammar(
        width=True, flags=_FLAGS - {"enzyme_dup_return"} | {"enzyme_primal_return", "enzyme_nofree"}
    ),
    RequestKind.FWDDIFF: Grammar(
        forward=True, width=True, pointer_result=ResultActivity.SHADOW, flags=_FLAGS | {"enzyme_primal_return"}
    ),
    RequestKind.AUGMENTFWD: Grammar(width=True, pointer_result=ResultActivity.SHADOW, settings=_TAPE),
    RequestKind.AUGMENTSIZE: Grammar(width=True, pointer_result=ResultActivity.SHADOW, has_values=False),
    RequestKind.REVERSE: Grammar(
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {"enzyme_nofree"},
        settings=_TAPE,
        has_tape=True,
    ),
    RequestKind.FWDSPLIT: Grammar(
        forward=True,
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {"enzyme_primal_return", "enzyme_nofree"},
        settings=_TAPE,
        has_tape=True,
    ),
    RequestKind.VIRTUALREVERSE: Grammar(pointer_result=ResultActivity.SHADOW, has_values=False),
    RequestKind.BATCH: Grammar(width=True, flags=frozenset(), activities=frozenset(BATCHED), differentiates=False),
}
