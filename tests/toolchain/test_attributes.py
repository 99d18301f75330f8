"""Attributes that Enzyme's plug-in for clang knows: they reach the bitcode, in each spelling, and what has no effect is
refused. That they take effect is tested by programs (tests/programs/registered, tests/programs/cxx)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
TEXT = "{} double f(double x);\ndouble g(double x) {{ return f(x); }}\n"


def compiled(folder: Path, text: str, *flags: str, name: str = "a.cpp") -> subprocess.CompletedProcess[str]:
    (folder / name).write_text(text)
    command = [BIN / "enzyme-c++", "-c", name, *flags]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    "attribute",
    [
        "__attribute__((enzyme_inactive))",
        "[[clang::enzyme_inactive]]",
        "[[enzyme::inactive]]",
        "[[enzyme :: inactive]]",
        "[[enzyme_inactive]]",
        "[[nodiscard, enzyme::inactive]]",
        "[[using enzyme: inactive]]",
        '[[deprecated("[[a"), enzyme::inactive]]',
    ],
)
def test_attribute_is_in_the_bitcode_without_a_warning(tmp_path: Path, attribute: str) -> None:
    done = compiled(tmp_path, TEXT.format(attribute), "-Wno-deprecated-declarations")
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert b"enzyme_inactive" in bitcode(tmp_path / "a.o")


def bitcode(path: Path) -> bytes:
    section = path.with_suffix(".bc")
    subprocess.run(["llvm-objcopy-22", f"--dump-section=.enzybc={section}", path], check=True)
    return subprocess.run(["llvm-dis-22", section, "-o", "-"], capture_output=True, check=True).stdout


@pytest.mark.parametrize("absolute", [False, True])
def test_attributes_of_a_header_and_its_dependencies(tmp_path: Path, absolute: bool) -> None:
    include = tmp_path / "sub" if absolute else Path("sub")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.h").write_text("[[enzyme::inactive]] double f(double x);\n")
    text = '#include "a.h"\ndouble g(double x) { return f(x); }\nconst char *name = __FILE__;\n'
    done = compiled(tmp_path, text, f"-I{include}", "-MD")
    assert done.returncode == 0, done.stderr
    assert b"enzyme_inactive" in bitcode(tmp_path / "a.o")
    assert (tmp_path / "a.d").read_text().replace("\\\n", "").split() == ["a.o:", "a.cpp", f"{include}/a.h"]
    assert b'c"a.cpp\\00"' in bitcode(tmp_path / "a.o")


def test_what_is_respelled_compiles_to_the_same_bytes(tmp_path: Path) -> None:
    objects = []
    for _ in range(2):
        compiled(tmp_path, TEXT.format("[[enzyme::inactive]]"))
        objects.append((tmp_path / "a.o").read_bytes())
    assert objects[0] == objects[1]


@pytest.mark.parametrize("attribute", ["__attribute__((enzyme_checkpoint(3)))", '[[enzyme::checkpoint("revolve", 3)]]'])
def test_attributes_of_loops_are_refused(tmp_path: Path, attribute: str) -> None:
    done = compiled(tmp_path, f"void f() {{ {attribute} for (int i = 0; i < 3; i++); }}\n")
    assert done.returncode == 1 and "enzyme_checkpoint is not supported [EZ0213]" in done.stderr


def test_pragmas_are_told(tmp_path: Path) -> None:
    text = '#pragma enzyme checkpoint(8)\n  # pragma enzyme more\n#pragma enzymes\nconst char *s = "#pragma enzyme";\n'
    done = compiled(tmp_path, text)
    assert done.returncode == 0 and done.stderr.count("warning: #pragma enzyme is ignored [EZ0213]") == 2
    assert "a.cpp:1:" in done.stderr and "a.cpp:2:" in done.stderr


def test_names_may_be_used_otherwise(tmp_path: Path) -> None:
    text = "int enzyme_nofree, enzyme_inactive;\nint f(int enzyme_shadow) { return enzyme_shadow + enzyme_inactive; }\n"
    assert compiled(tmp_path, text, "-Uenzyme_inactive").returncode == 0
