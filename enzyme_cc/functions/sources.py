"""What a differentiable function is compiled from: its sources, and the options of its compilation."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

C, CXX, FORTRAN, RUST, IR, LINKED, PROJECT = "c", "c++", "fortran", "rust", "ir", "linked", "CMake project"
_SHARED = re.compile(r"\.so(\.\d+)*$")
_SUFFIXES = {
    C: [".c"],
    CXX: [".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".CPP"],
    FORTRAN: [".f90", ".f", ".F90", ".F", ".for", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".f18"],
    RUST: [".rs"],
    IR: [".ll", ".bc"],
    LINKED: [".o", ".a", ".obj"],
}
LANGUAGE = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes}
COMPILER = {C: "enzyme-cc", CXX: "enzyme-c++", FORTRAN: "enzyme-fc", IR: "enzyme-cc"}
#: the variables that change what compilers read and how
_VARIABLES = (
    "ENZYME_CC_CLANG", "ENZYME_CC_CLANGXX", "ENZYME_CC_FLANG", "ENZYME_CC_LD", "CPATH", "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "RUSTFLAGS", "CCC_OVERRIDE_OPTIONS",
)  # fmt: skip


class SourceFile(NamedTuple):
    """One input: an absolute path and its language."""

    path: str
    language: str


class BuildRequest(NamedTuple):
    """What to build: all that `enzyme_cc.function` is given.

    `libraries` are names for `-l` or paths. `flags` are for the compilers, and for the link where they concern it.
    """

    sources: tuple[SourceFile, ...]
    name: str
    signature: str | None
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    include: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        name: str,
        signature: str | None,
        flags: Iterable[str] = (),
        libraries: Iterable[str | os.PathLike[str]] = (),
        include: Iterable[str | os.PathLike[str]] = (),
    ) -> BuildRequest:
        """Returns a request. Raises `FileNotFoundError` and `ValueError` for sources that cannot be."""
        paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
        if not paths:
            raise ValueError("there is no source")
        return cls(
            tuple(_source(os.fspath(path)) for path in paths),
            name,
            signature,
            tuple(words_of(flags)),
            tuple(_library(os.fspath(library)) for library in _several(libraries)),
            tuple(os.path.abspath(os.fspath(folder)) for folder in _several(include)),
        )

    @property
    def words(self) -> list[str]:
        """The request as text, with all else that determines which compilers run: the first part of a cache key."""
        folder = [os.getcwd()] if self.flags else []
        variables = [f"{name}={os.environ[name]}" for name in _VARIABLES if name in os.environ]
        inputs = [f"{source.language}:{source.path}" for source in self.sources]
        groups = [inputs, [self.name, str(self.signature)], self.flags, self.libraries, self.include, folder, variables]
        return ["\x1f".join(group) for group in groups]


class ObjectFiles(NamedTuple):
    """The compiled sources: what a link takes, and every file that the compilers read.

    `is_thread_bound` is true if all calls must come from one thread (`thread_state.py`).
    """

    inputs: tuple[str, ...]
    languages: frozenset[str]
    read: tuple[str, ...]
    is_thread_bound: bool = False

    def relative_to(self, folder: str) -> ObjectFiles:
        """Returns the same with inputs in `folder` by their names in it."""
        return self._replace(inputs=tuple(os.path.relpath(p, folder) if _is_in(p, folder) else p for p in self.inputs))

    def at(self, folder: str) -> ObjectFiles:
        """Returns the same with names in a folder as paths."""
        return self._replace(inputs=tuple(os.path.join(folder, path) for path in self.inputs))


def _is_in(path: str, folder: str) -> bool:
    return os.path.dirname(path) == folder


def _several(values: Iterable[str | os.PathLike[str]] | str | os.PathLike[str]) -> list[str | os.PathLike[str]]:
    return [values] if isinstance(values, (str, os.PathLike)) else list(values)


def _library(name: str) -> str:
    return os.path.abspath(name) if os.sep in name or name.endswith((".a", ".so")) else name


def words_of(options: str | Iterable[str]) -> list[str]:
    """Returns options as words; a text is split as a shell does it."""
    if not isinstance(options, str):
        return list(options)
    if not any(mark in options for mark in "'\"\\"):
        return options.split()  # the module shlex takes a millisecond
    from shlex import split

    return split(options)


def is_shared_library(path: str) -> bool:
    """True if a file has the name of a shared library."""
    return _SHARED.search(path) is not None


def _source(path: str) -> SourceFile:
    path = os.path.abspath(path)
    if os.path.isfile(os.path.join(path, "CMakeLists.txt")):
        return SourceFile(path, PROJECT)
    if os.path.isdir(path):
        raise FileNotFoundError(f"there is no CMakeLists.txt in {path}")
    if not os.path.isfile(path):
        raise FileNotFoundError(f"there is no file {path}")
    if is_shared_library(path):
        return SourceFile(path, LINKED)
    suffix = os.path.splitext(path)[1]
    if suffix not in LANGUAGE:
        raise ValueError(
            f"{path}: the suffix {suffix!r} is of no language that can be compiled; known: {' '.join(LANGUAGE)}"
        )
    return SourceFile(path, LANGUAGE[suffix])


def tool(name: str) -> str:
    """Returns the path of one of the compilers of this package. Raises `FileNotFoundError`."""
    import shutil
    import sysconfig

    beside = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(beside))
    if found is None:
        raise FileNotFoundError(f"{name} is not installed beside this Python; install the package enzyme-cc again")
    return found
