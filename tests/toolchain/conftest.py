"""The compilers under test, beside the plain ones, and a folder of sources for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent

SOURCES = {
    "a.c": '#include "a.h"\nint main(void) { return twice(21.0) != 42.0; }\n',
    "b.c": '#include "a.h"\ndouble twice(double x) { return 2 * x; }\n',
    "a.h": "double twice(double x);\n",
    "alone.c": "#include <stdio.h>\nint main(void) { puts(__FILE__); return 3; }\n",
    "bad.c": "int main(void) { return nothing; }\n",
    "warns.c": "int f(void) { int unused; return 0; }\n",
    "empty.c": "",
    "text": "int text(void) { return 1; }\n",
    "asm.s": ".globl seven\nseven: movl $7, %eax\nret\n",
    "cpp.S": "#define N 8\n.globl eight\neight: movl $N, %eax\nret\n",
    "plus.cpp": "#include <vector>\nint main() { std::vector<int> v(3); return v.size() != 3; }\n",
    "asks.c": (
        "extern double __enzyme_autodiff(void *, ...);\n"
        "double square(double x) { return x * x; }\n"
        "double slope(double x) { return __enzyme_autodiff((void *)square, x); }\n"
    ),
}


@dataclass(frozen=True)
class Result:
    status: int
    out: bytes
    err: str


@dataclass
class Shell:
    """Runs programs in one folder, each for at most some seconds."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    seconds: int = 120

    def run(self, *words: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        done = subprocess.run(
            [str(w) for w in words],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            env={**os.environ, **self.environment, **(env or {})},
            timeout=self.seconds,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode(errors="replace"))

    def check(self, *words: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Runs what must succeed; gives what it prints."""
        result = self.run(*words, stdin=stdin, env=env)
        assert result.status == 0, f"{words}: {result.err}"
        return result.out.decode()

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def newest(name: str) -> str:
    for version in range(22, 13, -1):
        path = shutil.which(f"{name}-{version}")
        if path:
            return path
    pytest.fail(f"no {name} on PATH: ./toolchain/test installs it")


@pytest.fixture(scope="session")
def clang() -> str:
    return newest("clang")


@pytest.fixture(scope="session")
def clangxx() -> str:
    return newest("clang++")


@pytest.fixture(scope="session")
def flang() -> str:
    return newest("flang")


@pytest.fixture(scope="session")
def enzyme_cc() -> Path:
    return BIN / "enzyme-cc"


@pytest.fixture(scope="session")
def enzyme_cxx() -> Path:
    return BIN / "enzyme-c++"


@pytest.fixture(scope="session")
def enzyme_fc() -> Path:
    return BIN / "enzyme-fc"


@pytest.fixture(scope="session")
def enzyme_ld() -> Path:
    return BIN / "enzyme-ld"


def fill(folder: Path) -> Shell:
    folder.mkdir(exist_ok=True)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    return Shell(folder)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return fill(tmp_path / "work")


@pytest.fixture
def fresh_shell(tmp_path: Path) -> Callable[[str], Shell]:
    """More folders with the same sources, by name."""
    return lambda name: fill(tmp_path / name)
