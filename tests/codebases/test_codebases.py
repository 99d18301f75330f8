"""Rows of tests/codebases/run that are right: each program in both modes, beside differences and beside each other.

`pytest -m codebase tests/codebases/test_codebases.py -k cminpack`; the builds are kept, and take minutes at first.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codebases.builds import build, enzyme
from tests.codebases.codebase import variants
from tests.codebases.outcome import Built, measure
from tests.codebases.results import compared
from tests.codebases.rows import BY_NAME
from tests.codebases.run import with_others
from tests.codebases.sources import WORK, source_or_skip

pytestmark = pytest.mark.codebase
RIGHT = ("cminpack", "erfa", "gsl", "lapack")
PROGRAMS = [(name, program) for name in RIGHT for program in BY_NAME[name].programs]


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest) -> Built:
    codebase = BY_NAME[request.param]
    for used in (codebase, *(BY_NAME[name] for name in codebase.uses)):
        source_or_skip(used.source)
    return with_others(codebase, build(codebase, WORK, enzyme()))


@pytest.mark.parametrize(
    "built, program", PROGRAMS, indirect=["built"], ids=[f"{name}-{program.stem}" for name, program in PROGRAMS]
)
def test_gradients(built: Built, program: Path, tmp_path: Path) -> None:
    found = [measure(built, variant, tmp_path / variant.label, limit=300) for variant in variants(program)]
    for reverse, forward in zip(found[::2], found[1::2], strict=True):
        assert reverse.problem == "" and compared(reverse, forward).problem == ""
