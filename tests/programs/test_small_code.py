"""Small code: -Os and -Oz, where differentiated code is inlined as with -O2, as bits of numbers need; the runtime."""

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


@pytest.mark.parametrize(("name", "takes_back"), [("shadow_accumulates", False), ("pointers_in_handles", True)])
def test_programs_have_of_the_runtime_what_they_use(builder: Builder, name: str, takes_back: bool) -> None:
    """A gradient of numbers is linked without the code that takes pointers back."""
    built = builder.build(next(program for program in PROGRAMS if program.stem == name), "-O2")
    assert built.status == 0, built.text
    assert ("take_back_pointers" in builder.run("nm", "program").text) == takes_back
