"""What tells one toolchain from another: this package and the compilers that it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache

from enzyme_cc.cache.entries import digest_of_file

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: folders of the package whose files have no influence on what is built
_OTHERS = frozenset(["__pycache__", "commands", "frameworks"])
_COMPILERS = ("clang", "flang")
_VERSIONS = [f"-{version}" for version in range(22, 13, -1)] + [""]


@cache
def tools_identity() -> str:
    """Returns a text that changes with this package and with the compilers that it runs."""
    compilers = [found for name in _COMPILERS if (found := _first(name)) is not None]
    return "\n".join([package_identity(), *map(stamp, compilers)])


def package_identity() -> str:
    """Returns a text that changes with this package.

    Installed files change together, so one of them stands for all; files of a source tree change one by one. Its
    bitcode is installed in another folder.
    """
    files = sorted(map(stamp, package_files()))
    return "\n".join([digest_of_file(os.path.join(_PACKAGE, "__init__.py")), *files])


def package_files() -> list[str]:
    """Returns the files that change with this package."""
    is_source_tree = os.path.exists(os.path.join(os.path.dirname(_PACKAGE), "pyproject.toml"))
    folders = sys.modules[__name__.partition(".")[0]].__path__
    return [path for folder in folders for path in _files(folder)] if is_source_tree else [__file__]


def _first(name: str) -> str | None:
    """Returns the compiler that would run, as far as its name tells."""
    chosen = os.environ.get(f"ENZYME_CC_{name.upper()}")
    names = [chosen] if chosen else [name + version for version in _VERSIONS]
    folders = os.environ.get("PATH", "").split(os.pathsep)
    places = (os.path.join(folder, name) for name in names for folder in folders)
    return next((place for place in places if os.access(place, os.X_OK)), None)


def stamp(path: str) -> str:
    """Returns a text that changes with a file; only the path if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return path
    return f"{path}:{status.st_size}:{status.st_mtime_ns}"


def _files(folder: str) -> Iterator[str]:
    for found in os.scandir(folder):
        if found.is_dir(follow_symlinks=False):
            if found.name not in _OTHERS:
                yield from _files(found.path)
        elif found.name.endswith((".py", ".bc", ".so")):
            yield found.path
