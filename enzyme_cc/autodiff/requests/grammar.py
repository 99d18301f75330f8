"""The grammar of requests: what each marker means, and one row for each kind of request."""

from __future__ import annotations

from msgspec import Struct

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ..core.markers import Marker, RequestKind

ACTIVITIES = {
    Marker.CONST: ArgumentActivity.CONST,
    Marker.DUP: ArgumentActivity.DUP,
    Marker.DUPNONEED: ArgumentActivity.DUP,
    Marker.DUPV: ArgumentActivity.DUP,
    Marker.DUPNONEEDV: ArgumentActivity.DUP,
    Marker.BYREF: ArgumentActivity.DUP,
    Marker.OUT: ArgumentActivity.OUT,
}
#: the caller does not need what f writes behind the pointer
UNNEEDED = frozenset([Marker.DUPNONEED, Marker.DUPNONEEDV])
#: a stride follows the marker, and one shadow is given: the others lie at multiples of the stride behind it
STRIDED = frozenset([Marker.DUPV, Marker.DUPNONEEDV])
RESULTS = {
    Marker.NORET: ResultActivity.NONE,
    Marker.CONST_RETURN: ResultActivity.NONE,
    Marker.ACTIVE_RETURN: ResultActivity.ACTIVE,
    Marker.DUP_RETURN: ResultActivity.SHADOW,
}
#: markers of a batch: true if the argument is given once for each element of the batch
BATCHED = {Marker.CONST: False, Marker.SCALAR: False, Marker.VECTOR: True}

_FLAGS = frozenset([*RESULTS, Marker.RUNTIME_ACTIVITY, Marker.STRONG_ZERO, Marker.INTERLEAVE])
_TAPE = frozenset([Marker.ALLOCATED, Marker.TAPE])


class Grammar(Struct, frozen=True):
    """What a kind of request takes.

    - `forward`: forward mode: numbers have tangents, as pointers have shadows. In reverse mode they have adjoints.
    - `width`: the markers of vector mode are permitted.
    - `pointer_result`: the activity of a pointer that f returns, without a marker.
    - `flags`: the permitted markers about the request as a whole.
    - `settings`: those of them that a value follows.
    - `has_values`: each argument's value follows its marker.
    - `has_tape`: the tape follows the arguments; the adjoint of the result may precede it.
    - `activities`: the permitted markers of arguments.
    - `differentiates`: the answer calls derivatives of f.
    """

    forward: bool = False
    width: bool = False
    pointer_result: ResultActivity = ResultActivity.NONE
    flags: frozenset[Marker] = _FLAGS
    settings: frozenset[Marker] = frozenset()
    has_values: bool = True
    has_tape: bool = False
    activities: frozenset[Marker] = frozenset(ACTIVITIES)
    differentiates: bool = True


GRAMMARS = {
    RequestKind.AUTODIFF: Grammar(
        width=True,
        flags=_FLAGS - {Marker.DUP_RETURN} | {Marker.PRIMAL_RETURN, Marker.NOFREE, Marker.SYMMETRIC, Marker.SHARED},
        settings=frozenset([Marker.SPARSE]),
    ),
    RequestKind.FWDDIFF: Grammar(
        forward=True,
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {Marker.PRIMAL_RETURN, Marker.SYMMETRIC},
        settings=frozenset([Marker.SPARSE]),
    ),
    RequestKind.AUGMENTFWD: Grammar(
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {Marker.SHARED},
        settings=_TAPE,
    ),
    RequestKind.AUGMENTSIZE: Grammar(
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {Marker.SHARED},
        has_values=False,
    ),
    RequestKind.REVERSE: Grammar(
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {Marker.NOFREE, Marker.SHARED},
        settings=_TAPE,
        has_tape=True,
    ),
    RequestKind.FWDSPLIT: Grammar(
        forward=True,
        width=True,
        pointer_result=ResultActivity.SHADOW,
        flags=_FLAGS | {Marker.PRIMAL_RETURN, Marker.NOFREE},
        settings=_TAPE,
        has_tape=True,
    ),
    RequestKind.VIRTUALREVERSE: Grammar(pointer_result=ResultActivity.SHADOW, has_values=False),
    RequestKind.BATCH: Grammar(width=True, flags=frozenset(), activities=frozenset(BATCHED), differentiates=False),
}
