"""Functions that the user chooses: which names mean which functions."""

from __future__ import annotations

from pathlib import Path

from enzyme_cc.link.command.command import Settings
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.participants.pointers.chosen_functions import ChosenFunctions

MODULE = ModuleText('source_filename = "src/a.c"\n')


def test_without_options_nothing_is_chosen_and_nothing_excluded() -> None:
    chosen = ChosenFunctions.of(Settings())
    assert not chosen.names(MODULE, "f") and not chosen.excludes(MODULE, "f")


def test_names_are_those_of_options_and_of_files(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("# comment\ng\n\n  a.c  \n")
    files = (str(tmp_path / "names.txt"),)
    assert ChosenFunctions.of(Settings(candidates=("f",), candidate_files=files)).named == {"f", "g", "a.c"}
    assert ChosenFunctions.of(Settings(candidates=("a.c",))).names(MODULE, "anything")


def test_a_profile_excludes_what_it_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "calls.txt").write_text("a.c:f\ng\nsin of a library\n")
    chosen = ChosenFunctions.of(Settings(call_files=(str(tmp_path / "calls.txt"),)))
    assert [name for name in ("f", "g", "h", "sin") if chosen.excludes(MODULE, name)] == ["h"]
    assert chosen.excludes(ModuleText('source_filename = "b.c"\n'), "f")
    assert chosen.in_bitcode == {"a.c:f", "g"}


def test_an_empty_profile_excludes_all(tmp_path: Path) -> None:
    (tmp_path / "calls.txt").write_text("")
    assert ChosenFunctions.of(Settings(call_files=(str(tmp_path / "calls.txt"),))).excludes(MODULE, "f")
