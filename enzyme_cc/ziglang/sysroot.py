"""Makes a sysroot: the start files and libraries of one target, and a file of options with which clang uses them.

zig compiles C libraries from source whenever `zig cc` links, and passes the results to its linker by their paths. So a
small program is linked, and the files that the linker was given are copied: their names are those that clang asks for.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from rich.console import Console

PARTS = ("c", "c++")

# Programs for another machine run with this version of glibc and newer ones: Debian 10, Ubuntu 20.04, RHEL 8.
_OLDEST_GLIBC = "2.28"

# The folder that zig makes libraries in, below that of this work.
_CACHE = "cache"

# The macros with which zig compiles its libraries, and which their headers need.
_MACROS = ("__GLIBC_", "_LIBCPP_", "_LIBCXXABI_")

_PROGRAM = {"c": ("hello.c", "int main(void) { return 0; }\n"), "c++": ("hello.cpp", "#include <new>\nint main() {}\n")}

# What clang asks for by names of GNU's tool chain: start files, and libraries as linker scripts that name zig's.
_START_FILE = '__attribute__((visibility("hidden"))) void *__dso_handle = %s;\n'
_START_FILES = {
    "crtbegin.o": _START_FILE % 0,
    "crtbeginT.o": _START_FILE % 0,
    "crtbeginS.o": _START_FILE % "&__dso_handle",
    **dict.fromkeys(("crtend.o", "crtendS.o", "crti.o", "crtn.o"), ""),
}
_GLIBC_SCRIPTS = {
    "libc.so": "libc.so.6 libc_nonshared.a libld.so.2 libpthread.so.0 libdl.so.2 librt.so.1",
    "libm.so": "libm.so.6",
    "libpthread.so": "libpthread.so.0 libc.so.6",
    "libdl.so": "libdl.so.2 libc.so.6",
    "librt.so": "librt.so.1 libc.so.6",
    "libutil.so": "libutil.so.1 libc.so.6",
    "libresolv.so": "libresolv.so.2",
}
_MUSL = "libmusl.a libzigc.a libcompiler_rt.a"
_MUSL_SCRIPTS = {f"lib{name}.a": _MUSL for name in ("c", "m", "pthread", "dl", "rt", "util", "resolv", "crypt")}
_SCRIPTS = {
    "c": {"libgcc.a": "libcompiler_rt.a", "libgcc_s.so": "libcompiler_rt.a", "libgcc_eh.a": "libcompiler_rt.a"},
    "c++": {
        "libgcc_s.so": "libunwind.a",
        "libgcc_eh.a": "libunwind.a",
        "libc++.so": "libc++.a libc++abi.a libunwind.a",
        "libstdc++.so": "libc++.a libc++abi.a libunwind.a",
        "libstdc++.a": "libc++.a libc++abi.a libunwind.a",
    },
}


class ZigFailed(Exception):
    """zig ended with an error; the message is zig's."""


class Sysroot(Struct, frozen=True):
    """The libraries of one target in `folder`. `target` is ARCHITECTURE-linux-ABI."""

    zig: Path
    target: str
    folder: Path

    def make(self, part: str) -> None:
        """Makes the libraries of C ("c") or also those of C++ ("c++"). Raises `ZigFailed` and `OSError`.

        Many processes may do this at once: the first one works, the others wait. `folder/made/PART` appears last.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with _locked(self.folder / "lock"), tempfile.TemporaryDirectory(dir=self.folder, prefix="new.") as work:
            for needed in PARTS[: PARTS.index(part) + 1]:
                if not (self.folder / "made" / needed).exists():
                    with _progress(f"making the {needed.upper()} library for {self.target} (once)"):
                        self._make_part(needed, Path(work))

    def _make_part(self, part: str, work: Path) -> None:
        if part == "c":
            self._write("clang.cfg", "".join(f"{option}\n" for option in self._options(work)))
            for name, text in _START_FILES.items():
                self._compile(text, work, name)
        libraries = self._libraries(part, work)
        for path in libraries:
            self._copy(path, {"libc.a": "libmusl.a"}.get(path.name, path.name))
        scripts = dict(_SCRIPTS[part])
        if part == "c":
            self._start_program({path.name: path for path in libraries})
            scripts |= _GLIBC_SCRIPTS if self._holds("libc.so.6") else _MUSL_SCRIPTS
        for name, files in scripts.items():
            there = " ".join(filter(self._holds, files.split()))
            self._write(f"usr/lib/{name}", f"/* GNU ld script */\nGROUP ( AS_NEEDED ( {there} ) )\n")
        self._write(f"made/{part}", "")

    def _start_program(self, libraries: dict[str, Path]) -> None:
        """Gives crt1.o, which is code for any address, the other names that clang asks for."""
        for name in {"Scrt1.o", "rcrt1.o"} - libraries.keys():
            self._copy(libraries["crt1.o"], name)

    def _holds(self, name: str) -> bool:
        return (self.folder / "usr" / "lib" / name).exists()

    def _options(self, work: Path) -> list[str]:
        """The options of clang: folders of headers and macros as `zig c++` has them, the sysroot, libc++."""
        words = self._compile_words(work)
        pairs = list(pairwise(words))
        folders = [os.path.normpath(work / value) for word, value in pairs if word == "-isystem"]
        macros = [value for word, value in pairs if word == "-D" and value.startswith(_MACROS)]
        cxx = [folder for folder in folders if "/libcxx" in folder]
        c = [folder for folder in folders if "/libc/include/" in folder]
        return [
            f"--sysroot={self.folder}",
            "-stdlib=libc++",
            *(f"-stdlib++-isystem {_quoted(folder)}" for folder in cxx),
            *(f"-idirafter {_quoted(folder)}" for folder in c),
            *(f"-D{macro}" for macro in macros),
        ]

    def _compile_words(self, work: Path) -> list[str]:
        """The words of the compilation proper that `zig c++` starts for a C++ file."""
        name, text = _PROGRAM["c++"]
        (work / name).write_text(text)
        shown = self._run(work, "c++", "-target", self._zig_target, "-O1", "--verbose", "-c", name, "-o", "hello.o")
        *_, line = [line for line in shown.splitlines() if " -cc1 -triple " in line]
        return shlex.split(line)

    def _libraries(self, part: str, work: Path) -> list[Path]:
        """The files that zig's linker is given for a program in C or C++, without the program."""
        name, text = _PROGRAM[part]
        (work / name).write_text(text)
        driver = {"c": "cc", "c++": "c++"}[part]
        shown = self._run(work, driver, "-target", self._zig_target, "-O1", "--verbose", name, "-o", "hello", "-lm")
        *_, line = [line for line in shown.splitlines() if line.startswith("ld.lld ")]
        given = [work / word for word in shlex.split(line) if word.startswith(_CACHE)]
        return [path for path in given if path.name != f"{Path(name).stem}.o"]

    @property
    def _zig_target(self) -> str:
        """The target with a version of glibc: the one on this machine, if the target is this machine."""
        architecture, _, abi = self.target.split("-", 2)
        if not abi.startswith("gnu"):
            return self.target
        name, version = platform.libc_ver()
        is_own = architecture == platform.machine() and name == "glibc"
        return f"{self.target}.{version if is_own else _OLDEST_GLIBC}"

    def _compile(self, text: str, work: Path, name: str) -> None:
        """Compiles a start file of GNU's tool chain: glibc's own are in crt1.o."""
        (work / "start.c").write_text(text)
        self._run(work, "clang", f"--target={self.target}", "-c", "-fPIC", "start.c", "-o", name)
        self._copy(work / name, name)

    def _run(self, work: Path, *words: str) -> str:
        """Runs zig with a cache of its own; returns what it shows. Raises `ZigFailed`."""
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": _CACHE, "ZIG_LOCAL_CACHE_DIR": _CACHE}
        done = subprocess.run([self.zig, *words], cwd=work, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise ZigFailed(done.stderr.strip())
        return done.stderr

    def _copy(self, path: Path, name: str) -> None:
        place = self.folder / "usr" / "lib" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place.with_name(f"{name}.new"))
        place.with_name(f"{name}.new").replace(place)

    def _write(self, name: str, text: str) -> None:
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.with_name(f"{place.name}.new").write_text(text)
        place.with_name(f"{place.name}.new").replace(place)


def _quoted(path: str) -> str:
    """A path in a file of options: backslashes and quotes escaped."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _progress(what: str) -> Iterator[None]:
    """Shows a line on a terminal while the work goes on; nothing elsewhere, since configure scripts read errors."""
    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    with console.status(f"enzyme-cc: {what}"):
        yield
