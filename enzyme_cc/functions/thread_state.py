"""Code that keeps something for the thread that calls it, so that all calls must come from one thread.

A call that an interrupt can stop runs in another thread (toolchain/python/companion.c).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: functions that read or set what belongs to the calling thread: keys of POSIX and C, locale, OpenMP's settings and
#: teams, MPI, whose calls may all be bound to the main thread, and CUDA's device
_OF_A_THREAD = re.compile(
    r"pthread_[gs]etspecific|tss_[gs]et|uselocale|__emutls_get_address|__kmpc_\w+|GOMP_\w+|omp_set_\w+"
    r"|P?MPI_\w+|p?mpi_\w+_|cuda\w+"
)
_VARIABLE_IN_BITCODE = re.compile(r"^@.* thread_local", re.M)


def is_thread_bound(inputs: Iterable[str]) -> bool:
    """True if an object, or one in an archive or shared library, keeps something for the thread that calls it."""
    from enzyme_cc.link.inputs import units

    from . import compilation

    return any(_is_bound(member) for path in inputs for member in compilation.members_of(units.read_file(path), path))


def _is_bound(member: memoryview) -> bool:
    import llvmlite.binding as llvm

    from enzyme_cc.link.inputs import bitcode, elf

    if bitcode.is_bitcode(member):
        text = str(llvm.parse_bitcode(bytes(member)))
        return _VARIABLE_IN_BITCODE.search(text) is not None or any(
            _OF_A_THREAD.fullmatch(name) for name in re.findall(r"^declare [^\n]*@([\w.]+)\(", text, re.M)
        )
    if not elf.is_supported(member):
        return False
    file = elf.read(member)
    has_variables = any(section.flags & elf.FLAG_TLS for section in file.sections)
    return has_variables or any(
        not s.is_defined and (s.type == elf.TYPE_TLS or _OF_A_THREAD.fullmatch(s.name)) for s in file.symbols
    )
