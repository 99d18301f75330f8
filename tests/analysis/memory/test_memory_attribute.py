"""LLVM's memory(…) attribute, of a function and of a call."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.memory_attribute import effects, written
from enzyme_cc.ir.module import Module

MODULE = """
declare void @f() #0
attributes #0 = { nounwind memory(read, argmem: readwrite) }
"""


def test_the_attribute_is_found_in_the_group_of_the_function() -> None:
    module = Module.parse(MODULE)
    assert effects(module, "", module.functions["@f"]) == {"": "read", "argmem": "readwrite"}
    assert effects(module, "") == {}


@pytest.mark.parametrize(
    "text, locations",
    [
        ("memory(none)", []),
        ("memory(read)", []),
        ("memory(argmem: write)", ["argmem"]),
        ("memory(read, inaccessiblemem: readwrite)", []),
        ("memory(argmem: read)", []),
    ],
)
def test_locations_that_the_program_sees_may_be_written(text: str, locations: list[str]) -> None:
    assert written(effects(Module.parse(MODULE), text)) == frozenset(locations)


@pytest.mark.parametrize("text", ["", "nounwind", "memory(readwrite)", "memory(write)"])
def test_any_location_may_be_written_if_nothing_forbids_it(text: str) -> None:
    assert written(effects(Module.parse(MODULE), text)) is None
