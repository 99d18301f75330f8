"""Our own options: one table, which the compilers, the help and the README show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from enzyme_cc import __version__
from enzyme_cc.link.command.__main__ import help_text
from enzyme_cc.link.command.settings import SETTINGS
from tests.toolchain.own_names import FILE, document

README = Path(__file__).parents[2] / "README.md"


def test_names_of_the_launcher_are_up_to_date() -> None:
    assert FILE.read_text() == document()


def test_readme_has_each_option() -> None:
    named = set(re.findall(r"--enzyme-[-a-z]+", README.read_text()))
    assert {name for name, setting in SETTINGS.items() if setting.help} <= named


def test_options_are_sorted() -> None:
    assert list(SETTINGS) == sorted(SETTINGS)


@pytest.mark.parametrize(
    "option, meant",
    [("--enzyme-chek", "--enzyme-check"), ("-Werror=enzyme-own-shado", "-Wenzyme-own-shadow")],
)
def test_typo_is_an_error_where_nothing_is_linked(shell: Any, enzyme_cc: Path, option: str, meant: str) -> None:
    result = shell.run(enzyme_cc, "-c", "b.c", option)
    assert result.status == 1 and not (shell.folder / "b.o").exists()
    assert result.err.startswith("enzyme-cc: error: unknown") and f"did you mean {meant}?" in result.err


def test_typo_is_an_error_of_the_link(shell: Any, enzyme_ld: Path) -> None:
    result = shell.run(enzyme_ld, "--enzyme-chek")
    assert result.status == 1 and "did you mean --enzyme-check?" in result.err


def test_known_options_pass_where_nothing_is_linked(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "-c", "b.c", "--enzyme-check", "--enzyme-closure=3", "-Wno-enzyme", "-Rpass=enzyme")


@pytest.mark.parametrize("option, fault", [("--enzyme-closure", "needs a value"), ("--enzyme-verify=1", "takes no")])
def test_value_that_is_missing_or_too_much(shell: Any, enzyme_ld: Path, option: str, fault: str) -> None:
    assert fault in shell.run(enzyme_ld, option).err


def test_help_lists_the_options_and_warnings(shell: Any, enzyme_cc: Path) -> None:
    text = shell.check(enzyme_cc, "--enzyme-help")
    assert text == "\n".join(help_text("enzyme-cc")) + "\n"
    assert "--enzyme-remarks[=FILE]" in text and "-Wenzyme-own-shadow" in text
    assert "--enzyme-clang" not in text  # for the launcher alone


def test_version_has_the_compilers_and_ours(shell: Any, enzyme_cc: Path) -> None:
    first, *_, last = shell.check(enzyme_cc, "--version").splitlines()
    assert "clang version" in first and last == f"enzyme-cc version {__version__}"


@pytest.mark.parametrize("form", ["sarif", "json"])
def test_form_of_diagnostics_is_that_of_the_compiler(shell: Any, enzyme_cc: Path, form: str) -> None:
    shell.write(
        "one.c", "extern double __enzyme_autodiff(void *, ...);\nint main(void) { return __enzyme_autodiff(0); }\n"
    )
    result = shell.run(enzyme_cc, f"-fdiagnostics-format={form}", "one.c", "-o", "one")
    assert result.status == 1
    assert '"ruleId": "EZ0' in result.err
