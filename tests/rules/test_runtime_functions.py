"""The rows about our own runtime say what the shipped bitcode says."""

from __future__ import annotations

import llvmlite.binding as llvm

from enzyme_cc.autodiff.core.team_calls import TWINS
from enzyme_cc.link.merged_module.libraries.shipped import Shipped
from enzyme_cc.link.merged_module.libraries.stand_ins import PREFIX as STAND_IN
from enzyme_cc.rules.runtime_functions import PREFIX, RUNTIME_FUNCTIONS
from enzyme_cc.rules.table import lookup


def shipped() -> dict[str, str]:
    """Returns the types of the functions that generated code may call, by name."""
    sources = (Shipped.RUNTIME, Shipped.STAND_INS)
    modules = [llvm.parse_bitcode(source.bitcode("x86_64")) for source in sources]
    return {
        function.name: str(function.global_value_type)
        for module in modules
        for function in module.functions
        if function.linkage is llvm.Linkage.external and not function.is_declaration
    }


def test_every_row_has_the_prototype_of_the_shipped_function() -> None:
    types = shipped()
    assert {name: types.get(name) for name in RUNTIME_FUNCTIONS} == {
        name: str(row.type) for name, row in RUNTIME_FUNCTIONS.items()
    }


def test_every_shipped_function_has_a_row_or_a_derivative_rule() -> None:
    ours = [name for name in shipped() if name.startswith(PREFIX) and not name.startswith(STAND_IN)]
    known = RUNTIME_FUNCTIONS.keys() | TWINS.values()
    assert [name for name in ours if name not in known and lookup(name) is None] == []


def test_twins_have_the_types_of_the_functions_that_they_stand_for() -> None:
    types = shipped()
    assert [name for name, twin in TWINS.items() if types.get(twin) != types[name]] == []
