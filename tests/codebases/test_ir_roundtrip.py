"""The round trip of LLVM IR on public code bases (minutes to an hour; needs the network the first time)."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.codebases import ir_roundtrip
from tests.codebases.sources import WORK

pytestmark = pytest.mark.codebase


@pytest.mark.parametrize("name", ir_roundtrip.CODE_BASES)
def test_every_function_is_kept(name: str) -> None:
    if name == "rust" and shutil.which(ir_roundtrip.RUSTC) is None:
        pytest.skip("no rustc")
    assert ir_roundtrip.run([name], WORK, os.cpu_count() or 1) == []
