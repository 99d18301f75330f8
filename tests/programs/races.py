"""Counts the data races of a linked program: ThreadSanitizer, with OpenMP's synchronisation as Archer tells it.

The link leaves its last LLVM IR (`--enzyme-save-temps`): the program, its derivatives and the runtime. clang compiles
it once more, with ThreadSanitizer's checks of each access. `python -m tests.programs.races PROGRAM.c…` prints counts.
Needs libclang-rt-22-dev; libarcher.so comes with libomp-22-dev.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from .conftest import CLANG, Builder

ARCHER = Path("/usr/lib/llvm-22/lib/libarcher.so")
_ATTRIBUTES = re.compile(r"^(attributes #\d+ = \{)", re.MULTILINE)


def has_tools(builder: Builder) -> bool:
    """True if clang has ThreadSanitizer here, and OpenMP's library has Archer."""
    (builder.folder / "empty.c").write_text("int main(void) { return 0; }\n")
    linked = builder.run(CLANG, "-fsanitize=thread", "empty.c", "-o", "empty")
    return ARCHER.exists() and linked.status == 0


def count(builder: Builder, program: Path, threads: int, *flags: str) -> int:
    """Returns how many races ThreadSanitizer reports of a program of one file in C or C++ that finds itself right."""
    built = builder.build(program, "-O2", "-DFOR_RACES", f"--enzyme-save-temps={builder.folder}", *flags)
    assert built.status == 0, built.text
    checked = _ATTRIBUTES.sub(r"\1 sanitize_thread", (builder.folder / "final.ll").read_text())
    (builder.folder / "checked.ll").write_text(checked)
    compiler = f"{CLANG}".replace("clang", "clang++") if program.suffix == ".cpp" else CLANG
    words = ("-O1", "-w", "-fsanitize=thread", "-fopenmp", "checked.ll", "-o", "checked", "-lm", "-latomic")
    linked = builder.run(compiler, *words)
    assert linked.status == 0, linked.text
    tools = (f"OMP_TOOL_LIBRARIES={ARCHER}", "TSAN_OPTIONS=ignore_noninstrumented_modules=1 exitcode=0")
    done = builder.run("env", *tools, f"OMP_NUM_THREADS={threads}", "./checked", seconds=600)
    assert done.status == 0, done.text
    return done.text.count("WARNING: ThreadSanitizer")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {count(Builder(Path(folder)), Path(name).absolute(), 3)} races", flush=True)
