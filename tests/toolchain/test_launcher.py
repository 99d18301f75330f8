"""What the launcher needs to find, says where it cannot, and how it ends."""

from __future__ import annotations

import signal
import stat
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

LAUNCHER = Path(__file__).parents[2] / "toolchain" / "launcher"


def script(shell: Any, name: str, body: str) -> Path:
    path: Path = shell.write(name, f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def lonely(shell: Any, clang: str) -> Path:
    """A launcher that knows of no versioned compiler, so that PATH alone decides."""
    folder: Path = shell.folder / "lonely" / "bin"
    folder.mkdir(parents=True)
    sources = sorted(LAUNCHER.glob("*.c"))
    shell.check(clang, "-D_GNU_SOURCE", "-DNEWEST_LLVM=13", *sources, "-o", folder / "enzyme-cc")
    for name in ["enzyme-c++", "enzyme-fc", "enzyme-ld"]:
        (folder / name).write_bytes((folder / "enzyme-cc").read_bytes())
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize(
    "name, package, variable",
    [
        ("enzyme-cc", "clang-13", "ENZYME_CC_CLANG"),
        ("enzyme-c++", "clang-13", "ENZYME_CC_CLANGXX"),
        ("enzyme-fc", "flang-13", "ENZYME_CC_FLANG"),
        ("enzyme-ld", "binutils", "ENZYME_CC_LD"),
    ],
)
def test_missing_tool_names_package_and_variable(
    shell: Any, lonely: Path, name: str, package: str, variable: str
) -> None:
    result = shell.run(lonely / name, "a.c", env={"PATH": "/nonexistent"})
    assert result.status == 1
    assert result.err.startswith(f"{name}: error: no ")
    assert package in result.err and variable in result.err
    _, *notes = result.err.splitlines()
    assert len(notes) <= 1 and all(line.startswith("  remedy: ") for line in notes)


def test_missing_python_is_named(shell: Any, lonely: Path) -> None:
    script(shell, "native", "exit 0")
    env = {"PATH": "/nonexistent", "ENZYME_CC_LD": str(shell.folder / "native")}
    shell.write("asks.o", "__enzyme_autodiff")
    result = shell.run(lonely / "enzyme-ld", "asks.o", env=env)
    assert result.status == 1
    assert "python3" in result.err and "ENZYME_CC_PYTHON" in result.err


def test_plain_clang_on_path_is_the_last_resort(shell: Any, lonely: Path) -> None:
    script(shell, "clang", 'echo "$@"')
    assert "-fembed-bitcode=all" in shell.check(lonely / "enzyme-cc", "a.c", env={"PATH": str(shell.folder)})


@pytest.mark.parametrize("variable", ["ENZYME_CC_CLANG", "ENZYME_CC_LD"])
def test_wrong_variable_is_an_error(shell: Any, enzyme_cc: Path, variable: str) -> None:
    result = shell.run(enzyme_cc, "a.c", "b.c", env={variable: "/no/such/tool"})
    assert result.status == 1
    assert f"{variable} is set to /no/such/tool" in result.err


def test_variable_may_name_a_program_on_path(shell: Any, enzyme_cc: Path) -> None:
    script(shell, "my-clang", 'echo "mine: $@"')
    env = {"ENZYME_CC_CLANG": "my-clang", "PATH": f"{shell.folder}:/usr/bin:/bin"}
    assert shell.check(enzyme_cc, "a.c", env=env).startswith("mine:")


def test_newest_readable_compiler_is_taken(shell: Any, enzyme_cc: Path) -> None:
    for version in [23, 22, 16]:
        script(shell, f"clang-{version}", f"echo {version}")
    assert shell.check(enzyme_cc, "-E", "a.c", env={"PATH": str(shell.folder)}) == "22\n"


def test_status_of_the_compiler_is_passed_on(shell: Any, enzyme_cc: Path) -> None:
    env = {"ENZYME_CC_CLANG": str(script(shell, "fake", "exit 42"))}
    assert shell.run(enzyme_cc, "-c", "a.c", env=env).status == 42


def test_death_of_the_compiler_is_passed_on(shell: Any, enzyme_cc: Path) -> None:
    env = {"ENZYME_CC_CLANG": str(script(shell, "fake", "kill -ABRT $$"))}
    assert shell.run(enzyme_cc, "-c", "a.c", env=env).status == -signal.SIGABRT


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_the_compiler_too(shell: Any, enzyme_cc: Path, number: signal.Signals) -> None:
    fake = script(shell, "fake", "touch started; exec sleep 60")
    running = subprocess.Popen(
        [enzyme_cc, "-c", "a.c"],
        cwd=shell.folder,
        env={"ENZYME_CC_CLANG": str(fake), "PATH": "/usr/bin:/bin"},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup, above the tests, ignores SIGHUP
    )
    while not (shell.folder / "started").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    running.send_signal(number)
    assert running.wait(timeout=10) == -number


def test_symbolic_link_to_the_launcher_finds_its_installation(shell: Any, enzyme_cc: Path) -> None:
    (shell.folder / "bin").mkdir()
    (shell.folder / "bin" / "enzyme-cc").symlink_to(enzyme_cc)
    shell.write("uses.c", "#include <enzyme/enzyme.h>\nint *p = &enzyme_dup;\n")
    shell.check(shell.folder / "bin" / "enzyme-cc", "-c", "uses.c")


def test_option_table_is_sorted(shell: Any, clang: str) -> None:
    shell.write(
        "sorted.c",
        '#include "options.h"\n#include <stdio.h>\n#include <string.h>\n'
        "int main(void) { for (size_t i = 1; i < option_count; i++)\n"
        "if (strcmp(option_table[i - 1].name, option_table[i].name) >= 0) { puts(option_table[i].name); return 1; }\n"
        "return option_count < 50; }\n",
    )
    shell.check(clang, f"-I{LAUNCHER}", "sorted.c", LAUNCHER / "options.c", "-o", "sorted")
    assert shell.check("./sorted") == ""


def test_option_table_knows_every_option_with_a_value(shell: Any, clang: str) -> None:
    """`clang --help-hidden` shows them as `-name <value>`; those of its own front end's debugging aside."""
    table = (LAUNCHER / "options.c").read_text()
    unknown = []
    for line in shell.check(clang, "--help-hidden").splitlines():
        words = line.split()
        takes_value = len(words) > 1 and line.startswith("  -") and words[1].startswith("<")
        if takes_value and not {"=", "<"} & set(words[0]) and f'{{"{words[0]}",' not in table:
            unknown.append(words[0])
    assert unknown == []


@pytest.mark.parametrize("flag", [["-std=c99"], ["-std=c23"], ["-x", "c++", "-std=c++11"], ["-x", "c++", "-std=c++20"]])
@pytest.mark.parametrize("compiler", ["ours", "gcc"])
def test_header_compiles_without_a_warning(shell: Any, enzyme_cc: Path, flag: list[str], compiler: str) -> None:
    shell.write("uses.c", "#include <enzyme/enzyme.h>\n#include <enzyme/enzyme.h>\nint *p = &enzyme_dup;\n")
    include = enzyme_cc.parent.parent / "include"
    if compiler == "gcc" and flag == ["-std=c23"]:
        flag = ["-std=c2x"]
    words = [enzyme_cc] if compiler == "ours" else ["gcc", f"-I{include}"]
    shell.check(*words, *flag, "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", "uses.c")


def test_attribute_reaches_the_bitcode_once_for_each_word(shell: Any, enzyme_cc: Path) -> None:
    shell.write(
        "uses.c",
        "#include <enzyme/enzyme.h>\ndouble augment(double), gradient(double);\n"
        '__attribute__((enzyme("augment", augment)))\n__attribute__((enzyme("gradient", gradient)))\n'
        "double f(double x);\ndouble f(double x) { return x * x; }\n",
    )
    text = shell.check(enzyme_cc, "-S", "-emit-llvm", "uses.c", "-o", "-")
    assert "enzyme:augment" in text and "enzyme:gradient" in text
    assert "[2 x { ptr, ptr, ptr, i32, ptr }]" in text
