"""-Os and -Oz ask for small code. Differentiated code is inlined as with -O2 all the same: bits of numbers need it."""

from __future__ import annotations

import pytest

from .conftest import Builder
from .test_programs import PROGRAMS


@pytest.mark.parametrize("level", ["-Os", "-Oz"])
@pytest.mark.parametrize("name", ["tags_in_pointers", "words_of_numbers"])
def test_gradient(builder: Builder, level: str, name: str) -> None:
    built = builder.build(next(program for program in PROGRAMS if program.stem == name), level)
    assert built.status == 0, built.text
    assert builder.run("./program").status == 0
