"""Tables over an enumeration have a row for every member: a case that nobody thought of must not pass in silence."""

import importlib
import pkgutil
from collections.abc import Iterator
from enum import Enum

import pytest

import enzyme_cc.autodiff
from enzyme_cc.analysis.activity import activity
from enzyme_cc.rules.knowledge import CalleeKind

_OF_CALLS = "kinds of calls: one that never returns is inactive"
#: tables that are about some members only, and which these are
PARTIAL = {
    "enzyme_cc.autodiff.analyses.settled._SPLIT": "forms of reverse mode, which assume what is to be settled",
    "enzyme_cc.autodiff.answer.checked_requests._SIZES": "kinds of numbers that differences are made of",
    "enzyme_cc.autodiff.answer.sparse._SIZES": "kinds of elements that vectors of sparse derivatives have",
    "enzyme_cc.autodiff.core.layouts.FLOAT_SUFFIX": "kinds of numbers that the runtime can add",
    "enzyme_cc.autodiff.core.mixed_words.NUMBER_BITS": "kinds of numbers that the runtime can add",
    "enzyme_cc.autodiff.core.mixed_words.WORD_BITS": "kinds that the runtime tells apart in mixed memory",
    "enzyme_cc.autodiff.custom.handles.BUILDERS": "forms that are made of calls of the function itself",
    "enzyme_cc.autodiff.custom.library_derivatives.BUILDERS": "forms that such a derivative has functions for",
    "enzyme_cc.autodiff.emit.region_forks._BODIES": "forms that a fork of a region has functions for",
    "enzyme_cc.autodiff.normalise.declared_moves._TYPES": "kinds of values that a TBAA tag names",
    "enzyme_cc.autodiff.normalise.touched_memory._LIBRARY": "kinds whose touched memory is known; others are refused",
    "enzyme_cc.autodiff.normalise.vectors.vector_lanes._NUMBERS": "kinds of numbers that vectors of SSE and AVX hold",
    "enzyme_cc.autodiff.reverse.reverse_values._COMPUTE": "kinds of needs that can be computed; others are stored",
    "enzyme_cc.autodiff.analyses.storage_remarks._NAMES": "kinds of needs with a name of their own in remarks",
    "enzyme_cc.autodiff.analyses.storage_remarks._REASONS": "kinds of needs whose reason does not depend on a value",
    "enzyme_cc.autodiff.reverse.adjoints._CALLS": _OF_CALLS,
    "enzyme_cc.autodiff.reverse.primal_sweep._CALLS": _OF_CALLS,
    "enzyme_cc.autodiff.tangent.tangent_sweep._CALLS": _OF_CALLS,
    "enzyme_cc.autodiff.requests.checks._RESULT_WORDS": "activities of results that a marker of a request asks for",
    "enzyme_cc.autodiff.requests.grammar.ACTIVITIES": "markers of arguments",
    "enzyme_cc.autodiff.requests.grammar.BATCHED": "markers of the arguments of a batch",
    "enzyme_cc.autodiff.requests.grammar.RESULTS": "markers of results",
    "enzyme_cc.autodiff.variants.traces._ABOUT_TRACES": "markers that a trace or a likelihood follows",
}


def tables() -> Iterator[tuple[str, dict[Enum, object]]]:
    """Yields the dictionaries in autodiff and in the activity analysis whose keys are members of an enumeration."""
    names = [module.name for module in pkgutil.walk_packages(enzyme_cc.autodiff.__path__, "enzyme_cc.autodiff.")]
    for module in [*map(importlib.import_module, names), activity]:
        for name, value in vars(module).items():
            if isinstance(value, dict) and value and all(isinstance(key, Enum) for key in value):
                yield f"{module.__name__}.{name}", value


EVERY = dict(tables())
_EXCEPTED = [EVERY[name] for name in PARTIAL]
#: a table that a module imports is found there too
TOTAL = {name: table for name, table in EVERY.items() if not any(table is other for other in _EXCEPTED)}


@pytest.mark.parametrize("name", TOTAL)
def test_every_member_has_a_row(name: str) -> None:
    table = TOTAL[name]
    assert set(table) == set(type(next(iter(table))))


@pytest.mark.parametrize("name", [name for name, why in PARTIAL.items() if why is _OF_CALLS])
def test_the_tables_of_calls_have_a_row_for_each_kind_that_a_call_can_be(name: str) -> None:
    assert set(EVERY[name]) == set(CalleeKind) - {CalleeKind.NORETURN}
