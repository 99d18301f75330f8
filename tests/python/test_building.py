"""Builds: errors as values, the cache, child processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_cc
from enzyme_cc.cache.entries import current

SQUARE = "double f(double x) { return x * x; }\n"
SCRIPT = "import enzyme_cc, sys; print(enzyme_cc.function(sys.argv[1], 'f', 'x -> return').value_and_grad(3.0))"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ENZYME_CC_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "functions"


def entries(cache: Path) -> list[Path]:
    return [path for path in cache.iterdir() if path.is_dir()]


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_errors_of_the_compiler_are_values(tmp_path: Path) -> None:
    with pytest.raises(enzyme_cc.CompileError) as raised:
        enzyme_cc.function(written(tmp_path / "f.c", "double f(double x) { return y; }\n"), "f", "x -> return")
    (message,) = raised.value.diagnostics
    assert (message.file, message.line, message.column, message.id) == (str(tmp_path / "f.c"), 1, 29, None)
    assert "undeclared identifier 'y'" in message.message


def test_errors_of_differentiation_are_values(tmp_path: Path) -> None:
    text = "double unknown(double);\ndouble f(double x) {\n  return unknown(x);\n}\n"
    f = enzyme_cc.function(
        written(tmp_path / "f.c", text), "f", "x -> return", flags=["-Wl,--unresolved-symbols=ignore-all"]
    )
    with pytest.raises(enzyme_cc.CompileError) as raised:
        _ = f.grad
    (message,) = [d for d in raised.value.diagnostics if d.id]
    assert message.id == "EZ0302" and message.line == 3
    assert message.file and str(tmp_path / "f.c").endswith(message.file)
    assert message.function and message.reason and message.remedy


def test_exceptions_of_cxx(build: Callable[..., Any]) -> None:
    f = build("shapes.cpp", "thrown", "x -> return")
    assert f(4.0) == 2
    with pytest.raises(RuntimeError, match=r"C\+\+ exception: negative"):
        f(-1.0)


def test_a_header_that_changes_is_read_again(tmp_path: Path, own_cache: Path) -> None:
    written(tmp_path / "factor.h", "#define FACTOR 2\n")
    source = written(tmp_path / "f.c", '#include "factor.h"\ndouble f(double x) { return FACTOR * x; }\n')
    assert enzyme_cc.function(source, "f", "x -> return")(3.0) == 6
    written(tmp_path / "factor.h", "#define FACTOR 5\n")
    assert enzyme_cc.function(source, "f", "x -> return")(3.0) == 15
    written(tmp_path / "factor.h", "#define FACTOR 2\n")
    assert enzyme_cc.function(source, "f", "x -> return")(3.0) == 6
    assert len(entries(own_cache)) == 2


def test_two_processes_build_one_entry(tmp_path: Path, own_cache: Path) -> None:
    source = written(tmp_path / "f.c", SQUARE)
    command = [sys.executable, "-c", SCRIPT, str(source)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate(timeout=120)[0] for process in both] == ["(9.0, 6.0)\n"] * 2
    assert len(entries(own_cache)) == 1


def test_an_unchanged_function_runs_no_compiler(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "f.c", SQUARE)
    enzyme_cc.function(source, "f", "x -> return").grad(1.0)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a compiler ran"))
    assert enzyme_cc.function(source, "f", "x -> return").grad(1.0) == 2


def test_an_unchanged_function_is_loaded_without_numpy(tmp_path: Path, own_cache: Path) -> None:
    source = written(tmp_path / "f.c", SQUARE)
    script = SCRIPT + "; print(sorted({'numpy', 'llvmlite', 'subprocess', 'ctypes', 'rich'} & set(sys.modules)))"
    for wanted in ("", "(9.0, 6.0)\n[]\n"):
        done = subprocess.run([sys.executable, "-c", script, str(source)], capture_output=True, text=True, check=True)
        assert done.stdout.endswith(wanted)


def test_no_cache(tmp_path: Path) -> None:
    source = written(tmp_path / "f.c", SQUARE)
    environment = {
        **os.environ,
        "ENZYME_CC_CACHE": "off",
        "XDG_CACHE_HOME": str(tmp_path / "xdg"),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    (tmp_path / "tmp").mkdir()
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(source)], env=environment, capture_output=True, text=True)
    assert done.stdout == "(9.0, 6.0)\n", done.stderr
    assert not (tmp_path / "xdg").exists() and not list((tmp_path / "tmp").iterdir())


def test_the_cache_is_bounded(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = SCRIPT.replace("value_and_grad(3.0)", "interface.signature")
    for i in range(3):
        source = written(tmp_path / f"f{i}.c", SQUARE)
        subprocess.run([sys.executable, "-c", script, str(source)], check=True)
        time.sleep(0.02)
    last = max(entries(own_cache), key=lambda path: path.stat().st_mtime)
    monkeypatch.setenv("ENZYME_CC_CACHE_SIZE", "0")
    held = enzyme_cc.function(tmp_path / "f2.c", "f", "x -> return")
    abandoned = own_cache / "temporary-abandoned"
    abandoned.mkdir()
    os.utime(abandoned, (0, 0))
    assert held(3.0) == 9  # building the entry point shrinks the cache
    assert entries(own_cache) == [last]


def test_what_another_process_removes_from_the_cache_is_passed_over(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = current("functions")
    gone = Path(shared.new_folder())
    seen = list(os.scandir(own_cache))
    gone.rmdir()
    monkeypatch.setattr(os, "scandir", lambda folder: iter(seen))
    shared.shrink()
    assert gone.name in [found.name for found in seen]


def test_commands_are_shown(tmp_path: Path, own_cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "f.c", SQUARE)
    enzyme_cc.function(source, "f", "x -> return")(1.0)
    assert capfd.readouterr() == ("", "")
    source = written(tmp_path / "f.c", SQUARE + "\n")
    enzyme_cc.function(source, "f", "x -> return", verbose=True)
    assert "enzyme-cc -O2 -g -fPIC -MD" in capfd.readouterr().err


def test_entry_points_are_for_the_processor_of_the_function(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """LLVM does not inline a function into code for a processor with less, and loops of what it calls stay slow."""
    source = written(tmp_path / "f.c", SQUARE)
    f = enzyme_cc.function(source, "f", "x -> return", flags="-march=native", verbose=True)
    cpu, tuned, features = f.interface.prototype.processor
    assert cpu and features
    capfd.readouterr()
    assert f.grad(3.0) == 6
    command = capfd.readouterr().err
    assert f"-Xclang -target-cpu -Xclang {cpu} -Xclang -tune-cpu -Xclang {tuned} " in command
    assert all(f"-target-feature -Xclang {feature} " in command for feature in features.split(","))


def test_a_crash_is_an_exception(tmp_path: Path) -> None:
    text = (
        "#include <stdlib.h>\ndouble f(const double *x, int n) {\n  if (n == 3) abort();\n  double s = 0;\n"
        "  for (int i = 0; i < n; i++) s += x[i] * x[i];\n  return s;\n}\n"
    )
    f = enzyme_cc.function(written(tmp_path / "f.c", text), "f", "x[n], n -> return", isolated=True)
    assert f(np.ones(2)) == 2
    with pytest.raises(enzyme_cc.Crash, match="f ended with SIGABRT") as raised:
        f(np.ones(3))
    assert raised.value.signal == 6
    np.testing.assert_array_equal(f.grad(np.ones(2)), [2, 2])
    np.testing.assert_array_equal(f.vjp(np.ones(2))(3.0), [6, 6])
    with pytest.raises(TypeError, match="x: wanted an array"):
        f(1.0)


def test_flags_with_quotation_marks(tmp_path: Path) -> None:
    source = written(tmp_path / "f.c", "double f(double x) { return x * (A); }\n")
    assert enzyme_cc.function(source, "f", "x -> return", flags="-O1 '-DA=1 + 2'")(2.0) == 6


def test_characters_of_fortran_are_no_integers(tmp_path: Path) -> None:
    """flang says integer, and the length is one more parameter."""
    text = "subroutine f(c, x, y)\ncharacter(*) :: c\nreal(8) :: x, y\ny = x * len(c)\nend\n"
    with pytest.raises(enzyme_cc.SignatureError, match=r"start from: 'string c, x, out y'"):
        enzyme_cc.function(written(tmp_path / "f.f90", text), "f", "c, x, out y")


def test_sources_that_cannot_be() -> None:
    with pytest.raises(FileNotFoundError, match="there is no file"):
        enzyme_cc.function("absent.c", "f")
    with pytest.raises(ValueError, match=r"the suffix '\.py' is of no language"):
        enzyme_cc.function(__file__, "f")
