"""Compiles what derivatives of MPI call (toolchain/mpi) against the program's own mpi.h.

Handles and constants differ between libraries of MPI, so nothing of one is shipped. The objects of C and C++ record the
compiler's command, and it says where mpi.h lies: so wrappers of compilers and build systems need no further option. An
object of Fortran records nothing: then the folders near the library are tried, and what the library's own compiler
wrapper tells. The bitcode is kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.units import Linked, Unit, read_file
from enzyme_cc.link.process.scratch import write_file
from enzyme_cc.report import EnzymeError
from enzyme_cc.rules.parallel.mpi import is_mpi

_COMPILERS = ("clang-22", "clang")
_FLAGS = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=default", "-c", "-emit-llvm")
#: options of clang's front end that say where headers lie; their value may be the next word
_FOLDERS = ("-I", "-isystem", "-idirafter", "-iquote")
#: where distributions put mpi.h, from a folder above that of the library
_NEAR = ("include", "include/openmpi", "include/mpich", "include/mpi", "openmpi/include", "mpich/include")
#: what a library of MPI defines
_OF_MPI = re.compile(r"MPI_|ompi_|MPIR_")
_WRAPPERS = ("mpicc", "mpicc.openmpi", "mpicc.mpich", "mpiicc")


def library_of_mpi(linked: Linked, clang: str) -> bytes:
    """Returns the bitcode. Raises `EnzymeError` (EZ0117) if there is no mpi.h, or it does not fit."""
    compiler = clang or next(filter(shutil.which, _COMPILERS), "clang")
    first: bytes | None = None
    for folders in _candidates(linked):
        header = next((path for f in folders if os.path.isfile(path := os.path.join(f, "mpi.h"))), None)
        if header is not None:
            data = _compiled(compiler, header, folders)
            if _fits(data, linked):
                return data
            first = first or data
    if first is not None:
        return first  # a static library, of which other calls are not linked yet
    raise EnzymeError.of(
        "EZ0117",
        "mpi.h is found nowhere",
        reason="derivatives of calls of MPI are compiled against the program's own mpi.h when it is linked",
    )


def _candidates(linked: Linked) -> Iterator[Sequence[str]]:
    """Yields lists of folders, the best first: those of the objects that call MPI, then those near the library."""
    for unit in linked.units:
        if any(is_mpi(symbol.name) and not symbol.is_defined for symbol in unit.symbols):
            yield _recorded(unit)
    yield os.environ.get("CPATH", "").split(os.pathsep)
    library = linked.provenance("MPI_Send")
    if library is not None:
        yield from ([folder] for folder in dict.fromkeys([*_near(library), *_near(os.path.realpath(library))]))
    for wrapper in filter(shutil.which, _WRAPPERS):
        yield _shown(wrapper)


def _fits(data: bytes, linked: Linked) -> bool:
    """True if the program's library defines all that the bitcode needs of MPI."""
    module = llvm_passes.parse_bitcode(data, llvm.create_context())
    symbols = [*module.functions, *module.global_variables]
    needed = [s.name for s in symbols if s.is_declaration and s.linkage.name == "external" and _OF_MPI.match(s.name)]
    return all(linked.provenance(name) is not None for name in needed)


def _recorded(unit: Unit) -> list[str]:
    """Returns the folders with headers in the commands that compiled a unit."""
    return list(_folders(unit.command))


def _folders(words: Sequence[str]) -> Iterator[str]:
    for word, after in pairwise([*words, ""]):
        option = next((option for option in _FOLDERS if word.startswith(option)), None)
        if option is not None:
            yield word.removeprefix(option) or after


def _near(library: str) -> list[str]:
    """Returns folders with headers above and beside the folder of a library, and those of Debian's multiarch."""
    folder = Path(library).resolve().parent
    places = [folder, *folder.parents][:4]
    multiarch = [f"include/{folder.name}/{name}" for name in ("openmpi", "mpich", "mpi")]
    return [str(place / near) for place in places for near in (*_NEAR, *multiarch)]


def _shown(wrapper: str) -> list[str]:
    """Returns the folders that a compiler wrapper of MPI adds: Open MPI shows them by -showme, others by -show."""
    shown = (subprocess.run([wrapper, option], capture_output=True, text=True) for option in ("-showme", "-show"))
    return [folder for done in shown if done.returncode == 0 for folder in _folders(done.stdout.split())]


def _sources() -> list[str]:
    """Returns the folders of the sources and of what they include: in a source tree, or in the installed package."""
    tree = Path(__file__).resolve().parents[3] / "toolchain"
    if (tree / "mpi").is_dir():
        return [str(tree / folder) for folder in ("mpi", "derivatives", "include")]
    installed = importlib.resources.files("enzyme_cc") / "data" / "mpi"
    return [str(installed), os.path.join(sys.prefix, "include")]


def _compiled(compiler: str, header: str, folders: Sequence[str]) -> bytes:
    """Returns the bitcode of the sources, from the cache if they were compiled with these headers before."""
    own = _sources()
    search = [word for folder in [os.path.dirname(header), *folders, *own] for word in ("-I", folder)]
    command = [compiler, *_FLAGS, *search, os.path.join(own[0], "mpi.c"), "-o", "-"]
    kept = _cached(_key([*command[:-2], header, *_texts(own[0])], header))
    if os.path.isfile(kept):
        return Path(kept).read_bytes()
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip()
        raise EnzymeError.of("EZ0117", f"the derivatives of MPI cannot be compiled with {header}", reason=reason)
    _keep(kept, done.stdout)
    return done.stdout


def _texts(folder: str) -> Iterator[str]:
    paths = (path for path in sorted(Path(folder).iterdir()) if path.suffix in (".c", ".h"))
    yield from (bytes(read_file(str(path))).decode() for path in paths)


def _key(words: Sequence[str], header: str) -> str:
    read_file(header)  # the cache of links asks which files a link reads
    facts = os.stat(header)
    text = "\0".join([*words, str(facts.st_mtime_ns), str(facts.st_size)])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _cached(key: str) -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "enzyme-cc", "mpi", f"{key}.bc")


def _keep(path: str, data: bytes) -> None:
    """Writes a file of the cache; a cache that cannot be written is no error."""
    partial = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_file(partial, data)
        os.replace(partial, path)
    except OSError:
        return
