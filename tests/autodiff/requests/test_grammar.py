"""The grammar has a row for each kind of request, and a meaning for each marker."""

from __future__ import annotations

from enzyme_cc.autodiff.core.markers import Marker, RequestKind, UnknownMarker, marker_named, request_kind
from enzyme_cc.autodiff.requests.grammar import ACTIVITIES, BATCHED, GRAMMARS


def test_each_kind_has_a_row() -> None:
    assert set(GRAMMARS) == set(RequestKind)


def test_each_marker_is_permitted_somewhere() -> None:
    permitted = {m for g in GRAMMARS.values() for m in (*g.flags, *g.settings, *g.activities)}
    of_traces = {Marker.TRACED, Marker.DUPTRACE, Marker.OBSERVATIONS, Marker.LIKELIHOOD, Marker.DUPLIKELIHOOD}
    of_traces |= {Marker.INTERFACE, Marker.ACTIVE_CHOICE}
    assert permitted | {Marker.WIDTH, Marker.NOCACHE} | of_traces == set(Marker)
    assert set(BATCHED) | set(ACTIVITIES) <= permitted


def test_markers_are_found_in_mangled_names() -> None:
    assert marker_named("_ZN3lib16enzyme_dupnoneedE") is Marker.DUPNONEED
    assert marker_named("enzyme_dup") is Marker.DUP
    assert marker_named("enzyme_maybe") == UnknownMarker("enzyme_maybe")
    assert marker_named("other") is None


def test_a_kind_whose_word_contains_no_other() -> None:
    assert request_kind("@_Z18__enzyme_reversePvz") is RequestKind.REVERSE
    assert request_kind("@__enzyme_virtualreverse") is RequestKind.VIRTUALREVERSE
