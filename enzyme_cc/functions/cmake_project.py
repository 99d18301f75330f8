"""CMake projects: builds a target of one as a shared library, with the project's own rules."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from enzyme_cc.cache.entries import CacheEntry, current
from enzyme_cc.cache.tools import tools_identity
from enzyme_cc.report.spelling import did_you_mean

from .compilation import Toolchain
from .errors import CompileError
from .progress import building
from .sources import BuildRequest, tool

_LANGUAGES = ("C", "CXX", "Fortran")
_MADE = "enzyme_cc/library.so"


def build_target(request: BuildRequest, target: str, options: Sequence[str], verbose: bool) -> CacheEntry:
    """Returns the cache's entry with `library.so`: all code of a target, with the libraries that it is linked with.

    The folder of the build stays in the cache, so that the project's own rules decide what is compiled again. Raises
    `CompileError`.
    """
    ((folder, _),) = request.sources
    cache, words = current("functions"), ["project", tools_identity(), target, *options, *request.words]
    build = cache.find_or_build(words, lambda made: []).file("build")
    with cache.building([build]), building(target or folder, verbose) as show:
        tools = Toolchain(show)
        _configure(folder, target, request, options, build, tools)
        parallel = str(os.cpu_count() or 1)
        tools.run([_cmake(), "--build", build, "--target", "enzyme_cc_shared_library", "--parallel", parallel])

        def copy(made: str) -> Sequence[str]:
            shutil.copy2(os.path.join(build, _MADE), os.path.join(made, "library.so"))
            return [os.path.join(build, _MADE)]

        return cache.find_or_build(["library of a project", build], copy)


def _cmake() -> str:
    found = shutil.which("cmake")
    if found is None:
        raise CompileError("error: cmake is not installed, or not on PATH")
    return found


def _configure(
    folder: str, target: str, request: BuildRequest, options: Sequence[str], build: str, tools: Toolchain
) -> None:
    """Configures the project, unless that is done. Raises `CompileError`."""
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        files = Path(tool("enzyme-cc")).resolve().parents[1] / "share/cmake/EnzymeCC"
        flags = " ".join(["-g -fPIC", *(f"-I{path}" for path in request.include), *request.flags])
        settings = {
            "CMAKE_BUILD_TYPE": "RelWithDebInfo",
            "CMAKE_TOOLCHAIN_FILE": str(files / "enzyme_cc.cmake"),
            "CMAKE_PROJECT_INCLUDE": str(files / "shared_library_of_target.cmake"),
            **{f"CMAKE_{language}_FLAGS_INIT": flags for language in _LANGUAGES},
            "ENZYME_CC_TARGET": target,
            "ENZYME_CC_LIBRARIES": ";".join(request.libraries),
        }
        given = [f"-D{name}={value}" for name, value in settings.items()]
        try:
            tools.run([_cmake(), "--no-warn-unused-cli", "-S", folder, "-B", build, *given, *options])
        except CompileError:
            _forget(build)
            raise
    names = Path(build, "enzyme_cc_targets.txt").read_text().split()
    if target not in names:
        _forget(build)
        raise CompileError(_no_target(folder, target, names))


def _forget(build: str) -> None:
    """Removes what says that the project is configured, so that the next call does it again."""
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(build, "CMakeCache.txt"))


def _no_target(folder: str, target: str, names: Sequence[str]) -> str:
    fault = f"the project has no target {target} with code" if target else "a CMake project needs a target"
    return (
        f"{os.path.join(folder, 'CMakeLists.txt')}: error: {fault}\n"
        f"  remedy: {did_you_mean(target, set(names))}its targets are {', '.join(names) or 'none'}"
    )
