"""The model of the linker's command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from enzyme_cc.link.command.command import InputState, LinkCommand, parse, quote_response, split_response
from enzyme_cc.link.command.linker_options import OPTIONS, Role
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.native.run_linker import Traced, parse_trace
from enzyme_cc.report import EnzymeError


def states(command: LinkCommand) -> dict[str, set[str]]:
    """Return the flags that are set for each input."""
    found = {item.value: item.state or InputState() for _, item in command.inputs}
    return {name: {field for field, value in state._asdict().items() if value} for name, state in found.items()}


def test_the_table_is_sorted() -> None:
    assert list(OPTIONS) == sorted(OPTIONS)


@pytest.mark.parametrize(
    "line",
    [
        "a.o -o out -lm -L/x -z now --hash-style=gnu -m elf_x86_64 --unknown=3 -plugin p.so -plugin-opt=-x @missing",
        "-( a.a -) --start-group b.a --end-group -T script -e main -shared --version-script map -rpath x -h soname",
    ],
)
def test_arguments_come_back_unchanged(line: str) -> None:
    assert parse(line.split()).arguments() == line.split()


@pytest.mark.parametrize(
    "line", ["-o out", "-oout", "--output=out", "--output out", "a.o -o x -o out"]
)  # fmt: skip
def test_output(line: str) -> None:
    assert parse(line.split()).output == "out"


def test_output_by_default() -> None:
    assert parse(["a.o"]).output == "a.out"


@pytest.mark.parametrize(
    "option", ["-L", "-z", "-e", "-rpath", "--rpath", "-soname", "-Map", "-plugin", "-u", "--wrap"]
)
def test_values_are_no_inputs(option: str) -> None:
    assert [item.value for _, item in parse([option, "value", "a.o"]).inputs] == ["a.o"]


def test_positional_state() -> None:
    line = "a.a --whole-archive b.a --push-state --no-whole-archive --as-needed -lc --pop-state d.a -( e.a -) f.a"
    assert states(parse(line.split())) == {
        "a.a": set(),
        "b.a": {"whole_archive"},
        "c": {"as_needed"},
        "d.a": {"whole_archive"},
        "e.a": {"whole_archive", "in_group"},
        "f.a": {"whole_archive"},
    }


@pytest.mark.parametrize("option", ["-Bstatic", "-static", "--static", "-dn", "-non_shared"])
def test_static_state(option: str) -> None:
    assert states(parse([option, "-lx", "-Bdynamic", "-ly"])) == {"x": {"static"}, "y": set()}


@pytest.mark.parametrize(
    ("line", "pic"), [("", False), ("-pie", True), ("-shared", True), ("-pie -no-pie", False), ("--static-pie", True)]
)
def test_position_independence(line: str, pic: bool) -> None:
    assert parse(line.split()).is_pic is pic


def test_single_dash_o_is_output_not_an_o_option() -> None:
    assert parse(["-oformat"]).output == "format"


@pytest.mark.parametrize("token", ["-export-dynamic", "--export-dynamic", "-E", "--dynamic-list=x"])
def test_exports(token: str) -> None:
    assert parse([token]).has(Role.EXPORT)


def test_replaced_and_left_out() -> None:
    command = parse(["a.o", "-o", "out", "b.o"])
    assert command.arguments({0: ("x.o", "y.o")}, frozenset({Role.OUTPUT})) == ["x.o", "y.o", "b.o"]


def test_settings() -> None:
    settings = parse(["--enzyme-verbose", "--enzyme-save-temps=d", "--enzyme-native-linker=ld", "a.o"]).settings
    assert (settings.verbose, settings.save_temps, settings.native_linker) == (True, "d", "ld")


@pytest.mark.parametrize("line", [["-o"], ["--enzyme-what"], ["-L"]])
def test_invalid(line: list[str]) -> None:
    with pytest.raises(EnzymeError, match="EZ0111"):
        parse(line)


def test_response_files_may_nest(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("'b c.o' d\\ e.o\n")
    (tmp_path / "outer").write_text(f'a.o "@{tmp_path}/inner"')
    assert parse([f"@{tmp_path}/outer", "f.o"]).arguments() == ["a.o", "b c.o", "d e.o", "f.o"]


def test_response_file_that_includes_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").write_text(f"@{tmp_path}/loop")
    with pytest.raises(EnzymeError, match="includes itself"):
        parse([f"@{tmp_path}/loop"])


@pytest.mark.parametrize("words", [["a b", 'q"uote', "back\\slash", "'", "plain", ""]])
def test_response_quoting_round_trip(words: list[str]) -> None:
    assert split_response(quote_response(words)) == words


def test_traces_of_all_linkers(tmp_path: Path) -> None:
    for name in ("a.o", "lib.a", "odd(name).o"):
        (tmp_path / name).touch()
    lines = ["a.o", "(lib.a)m.o", "lib.a(m.o)", "odd(name).o", "warning: (x) y"]
    text = "\n".join(line if "warning" in line else _in(tmp_path, line) for line in lines)
    path = str(tmp_path)
    assert list(parse_trace(text)) == [
        Traced(f"{path}/a.o"),
        Traced(f"{path}/lib.a", "m.o"),
        Traced(f"{path}/lib.a", "m.o"),
        Traced(f"{path}/odd(name).o"),
    ]


def _in(directory: Path, line: str) -> str:
    return f"({directory}/{line[1:]}" if line.startswith("(") else f"{directory}/{line}"


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("INPUT(a.o b.o)", ["a.o", "b.o"]),
        ("INPUT ( a.o, -lm )", ["a.o", "-lm"]),
        ("/* x */ OUTPUT_FORMAT(elf64-x86-64) GROUP ( a.a )", ["--start-group", "a.a", "--end-group"]),
        ("INPUT(AS_NEEDED(-lx))", ["--push-state", "--as-needed", "-lx", "--pop-state"]),
        ("SECTIONS { .text : { *(.text) } }", []),
        ('INPUT("a b.o")', ["a b.o"]),
    ],
)
def test_script_inputs(script: str, arguments: list[str]) -> None:
    assert list(search.script_inputs(script)) == arguments
