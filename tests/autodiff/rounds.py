"""Rounds of differentiation, made of IR text up to one of their stages."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from enzyme_cc.analysis.activity.activity import ArgumentActivity, ResultActivity
from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.core.pointers import ForeignPointers
from enzyme_cc.autodiff.core.round import ExploredRound, PreparedRound, Round
from enzyme_cc.autodiff.core.signature import Signature
from enzyme_cc.autodiff.preparation import NewRound, open_round, prepare, reach

#: metadata that says what loads and stores access
TBAA = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !4}
!2 = !{!3, !3, i64 0}
!3 = !{!"any pointer", !4}
!4 = !{!"root"}
"""
DOUBLE, POINTER = ", !tbaa !0", ", !tbaa !2"


def opened(text: str, options: Options | None = None) -> NewRound:
    return open_round(text + TBAA, options or Options(), lambda name: None)


def prepared(text: str, root: str = "@f") -> PreparedRound:
    first = opened(text)
    return prepare(first, reach(first, [root], []))


def explored(text: str, root: str = "@f", active_globals: Iterable[str] = ()) -> ExploredRound:
    """The third stage without a search: the root is differentiated, and these globals are active."""
    first = prepared(text, root)
    state = replace(first.first_state, active_globals=frozenset(active_globals))
    return replace(first.explored(state), signatures={root: []})


def complete(text: str, root: str = "@f", active_globals: Iterable[str] = ()) -> Round:
    return explored(text, root, active_globals).completed(Options(), ForeignPointers())


def signature(function: str, *arguments: ArgumentActivity, result: ResultActivity = ResultActivity.ACTIVE) -> Signature:
    return Signature(function, arguments, result)
