"""Neighbours of the errors that public reports and real codes found: none is silently wrong, and none crashes.

`pytest -m random tests/random/neighbours` tries 20 of each kind at three levels, about 700 in all, and prints the counts.
`python -m tests.random.neighbours KIND` tries all of a kind. ENZYME_CC_RANDOM_SEED chooses others.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ..test_random import START
from .build import outcomes
from .kinds import KINDS

LEVELS = ["-O0", "-O2", "-O3"]


@pytest.mark.random
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", KINDS)
def test_twenty(tmp_path: Path, name: str, level: str) -> None:
    found = outcomes(tmp_path, KINDS[name], KINDS[name].some(20, START), level)
    print(name, level, Counter(o.kind for o in found))
    bad = [f"{o.name}: {o.kind}: {o.detail}" for o in found if o.kind in ("wrong", "crashed")]
    assert not bad, "\n".join(bad)
