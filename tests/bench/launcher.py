"""What the launcher adds to a compilation and to a link: medians over many runs, beside the tools it runs.

Run it as a program; it prints a table and exits with 1 where a bar is missed (compile: 3 ms, link: 5 ms).
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 50
COMPILE_BAR_MS = 3.0
LINK_BAR_MS = 5.0


def seconds(command: list[str], folder: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True)
    return time.perf_counter() - start


def medians_ms(first: list[str], second: list[str], folder: Path) -> tuple[float, float]:
    """Both commands in turn, so that what else the machine does meets both alike."""
    times = [(seconds(first, folder), seconds(second, folder)) for _ in range(RUNS)]
    return 1e3 * statistics.median(t[0] for t in times), 1e3 * statistics.median(t[1] for t in times)


def launcher(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name) or name


def clang() -> str:
    for name in [os.environ.get("ENZYME_CC_CLANG", ""), *(f"clang-{n}" for n in range(22, 13, -1)), "clang"]:
        path = shutil.which(name) if name else None
        if path:
            return path
    sys.exit("no clang found")


def embedding_flags() -> list[str]:
    """What the launcher has clang do: the bar is on the launcher, not on clang's writing of the bitcode."""
    return ["-Xclang", "-fembed-bitcode=all", "-Xclang", "-disable-O0-optnone"]


def main() -> int:
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty.c").write_text("")
        (folder / "main.c").write_text("int main(void) { return 0; }\n")
        subprocess.run([clang(), "-c", "main.c"], cwd=folder, check=True)
        rows = [
            (
                "compile, same flags",
                COMPILE_BAR_MS,
                [clang(), *embedding_flags(), "-c", "empty.c"],
                [launcher("enzyme-cc"), "-c", "empty.c"],
            ),
            ("compile, plain", None, [clang(), "-c", "empty.c"], [launcher("enzyme-cc"), "-c", "empty.c"]),
            ("link", LINK_BAR_MS, [clang(), "main.o", "-o", "a"], [launcher("enzyme-cc"), "main.o", "-o", "b"]),
        ]
        for title, bar, plain, ours in rows:
            before, after = medians_ms(plain, ours, folder)
            over = bar is not None and after - before > bar
            missed |= over
            limit = f"(bar {bar:.0f} ms{', MISSED' if over else ''})" if bar is not None else ""
            figures = f"clang {before:6.1f} ms, enzyme-cc {after:6.1f} ms, adds {after - before:4.1f} ms"
            print(f"{title:20} {figures} {limit}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
