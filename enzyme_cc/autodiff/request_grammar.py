"""What each kind of request takes: one row per kind, and what the markers before arguments and of results mean."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.activity import ArgumentActivity, ResultActivity
from .markers import RequestKind

ACTIVITIES = {
    "enzyme_const": ArgumentActivity.CONST,
    "enzyme_dup": ArgumentActivity.DUP,
    "enzyme_dupnoneed": ArgumentActivity.DUP,
    "enzyme_byref": ArgumentActivity.DUP,
    "enzyme_out": ArgumentActivity.OUT,
}
#: after these, nobody wants what f leaves behind the pointer
UNWANTED = frozenset(["enzyme_dupnoneed"])
RESULTS = {
    "enzyme_noret": ResultActivity.NONE,
    "enzyme_const_return": ResultActivity.NONE,
    "enzyme_active_return": ResultActivity.ACTIVE,
}

_FLAGS = frozenset(
    ["enzyme_primal_return", "enzyme_runtime_activity", "enzyme_strong_zero", "enzyme_interleave", "enzyme_nofree"]
)


@dataclass(frozen=True)
class Grammar:
    """`number`: the marker of a floating-point scalar that has none. `flags`, `settings`: the markers about the whole
    request that the kind knows; a value follows each of the settings."""

    number: str = "enzyme_out"
    flags: frozenset[str] = _FLAGS
    settings: frozenset[str] = frozenset()


GRAMMARS = {
    RequestKind.AUTODIFF: Grammar(),
}
