"""Names of `--enzyme-inactive`: as the source has them, for symbols of C, C++ and Fortran."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.link.participants.inactive_names import declaration_of
from enzyme_cc.report import EnzymeError

SYMBOLS = [
    "write_log",
    "do_the_model_io_",
    "_QMoutputPsave_state",
    "_QMlogsSpartsPtell",
    "_QMmPrun",
    "_QMnPrun",
    "_QMmFrunPinner",
    "_ZN5model4noteEd",
    "_ZN5model4noteEi",
    "_Z5plaind",
]


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("write_log", ["write_log"]),
        ("do_the_model_io", ["do_the_model_io_"]),
        ("DO_THE_MODEL_IO", ["do_the_model_io_"]),
        ("output::save_state", ["_QMoutputPsave_state"]),
        ("Save_State", ["_QMoutputPsave_state"]),
        ("tell", ["_QMlogsSpartsPtell"]),
        ("n::run", ["_QMnPrun"]),
        ("inner", ["_QMmFrunPinner"]),
        ("model::note", ["_ZN5model4noteEd", "_ZN5model4noteEi"]),
        ("plain", ["_Z5plaind"]),
        ("_QMmPrun", ["_QMmPrun"]),
    ],
)
def test_names_are_those_of_the_source(name: str, symbols: list[str]) -> None:
    text = declaration_of([name], SYMBOLS, "x86_64-linux-gnu")
    assert re.findall(r'declare void @"(.*)"', text) == symbols


def test_several_names_make_one_declaration() -> None:
    text = declaration_of(["write_log", "m::run", "write_log"], SYMBOLS, "x86_64-linux-gnu")
    assert '[2 x ptr] [ptr @"write_log", ptr @"_QMmPrun"]' in text


@pytest.mark.parametrize(
    ("name", "said"), [("do_the_modle_io", "do_the_model_io"), ("run", "m::run or n::run"), ("zzz", "nm")]
)
def test_unknown_names_are_refused(name: str, said: str) -> None:
    with pytest.raises(EnzymeError) as raised:
        declaration_of([name, "write_log"], SYMBOLS, "x86_64-linux-gnu")
    (fault,) = raised.value.diagnostics
    assert fault.id == "EZ0111" and f"--enzyme-inactive={name}:" in fault.message
    assert fault.remedy is not None and said in fault.remedy
