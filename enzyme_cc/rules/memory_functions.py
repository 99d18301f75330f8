"""Functions that allocate, free, copy and fill memory, in C, C++, Rust and LLVM."""

from __future__ import annotations

import re

from msgspec.structs import replace

from .knowledge import CalleeKind, Known
from .runtime_functions import UNWIND_FREE, UNWIND_RELEASE

_MALLOC = Known(CalleeKind.ALLOCATE, size_operands=(0,), release="free")
_ALIGNED = Known(CalleeKind.ALLOCATE, size_operands=(1,), release="free")
_STRDUP = Known(CalleeKind.ALLOCATE, reads=(0,), copies=0, release="free")
_FREE = Known(CalleeKind.FREE, writes=(0,))
_REALLOC = Known(CalleeKind.REALLOCATE, reads=(0,), writes=(0,), size_operands=(1,), release="free")
_COPY = Known(CalleeKind.COPY, reads=(1,), writes=(0,), result=0)
_FILL = Known(CalleeKind.FILL, writes=(0,), result=0, value=1)
_ZERO = Known(CalleeKind.FILL, writes=(0,), length=1)

_C = {
    **dict.fromkeys(("malloc", "valloc", "pvalloc", "__libc_malloc"), _MALLOC),
    "calloc": replace(_MALLOC, size_operands=(0, 1), zeroed=True),
    **dict.fromkeys(("aligned_alloc", "memalign"), _ALIGNED),
    "posix_memalign": replace(_MALLOC, size_operands=(2,), through=0, writes=(0,)),
    **dict.fromkeys(("strdup", "strndup", "wcsdup", "__strdup", "__strndup"), _STRDUP),
    **dict.fromkeys(("free", "cfree", "free_sized", "free_aligned_sized"), _FREE),
    **dict.fromkeys(("realloc", "reallocf"), _REALLOC),
    "reallocarray": replace(_REALLOC, size_operands=(1, 2)),
    **dict.fromkeys(("memcpy", "memmove"), _COPY),
    **dict.fromkeys(("mempcpy", "__mempcpy"), _COPY),
    "bcopy": Known(CalleeKind.COPY, reads=(0,), writes=(1,), target=1, source=0),
    "memset": _FILL,
    **dict.fromkeys(("bzero", "explicit_bzero", "__bzero"), _ZERO),
}

_FFTW = {
    f"{prefix}_{name}": row
    for prefix in ("fftw", "fftwf", "fftwl")
    for name, row in {"malloc": replace(_MALLOC, release=f"{prefix}_free"), "free": _FREE}.items()
}

#: frees what OpenMP's allocators gave (toolchain/natives/threads.c)
_OPENMP_FREE = "__ez_native_omp_free"
_OPENMP_ALLOC = replace(_MALLOC, release=_OPENMP_FREE)
_OPENMP = {
    "omp_alloc": _OPENMP_ALLOC,
    "omp_calloc": replace(_OPENMP_ALLOC, size_operands=(0, 1), zeroed=True),
    "omp_aligned_alloc": replace(_OPENMP_ALLOC, size_operands=(1,)),
    _OPENMP_FREE: _FREE,
}

#: memory of oneTBB: the function that allocates a number of bytes, and the one that frees them
_TBB_FREE = {
    "_ZN3tbb6detail2r115allocate_memoryEm": "_ZN3tbb6detail2r117deallocate_memoryEPv",
    "_ZN3tbb6detail2r122cache_aligned_allocateEm": "_ZN3tbb6detail2r124cache_aligned_deallocateEPv",
}
_TBB = {
    **{allocate: replace(_MALLOC, release=release) for allocate, release in _TBB_FREE.items()},
    **dict.fromkeys(_TBB_FREE.values(), _FREE),
}

_EXCEPTION = {
    "__cxa_allocate_exception": replace(_MALLOC, release="__cxa_free_exception"),
    "__cxa_free_exception": _FREE,
}


def _cxx_new() -> dict[str, Known]:
    """Returns rows of operator new and new[], mangled: size_t (m or j), then std::align_val_t, then std::nothrow_t."""
    out: dict[str, Known] = {}
    for operator, delete in (("nw", "dl"), ("na", "da")):
        for size in "mj":
            for align in ("", "St11align_val_t"):
                for nothrow in ("", "RKSt9nothrow_t"):
                    release = f"_Z{delete}Pv{align}"
                    row = replace(_MALLOC, release=release, release_operands=(-1, 1) if align else (-1,))
                    out[f"_Z{operator}{size}{align}{nothrow}"] = row
    return out


def _cxx_delete() -> dict[str, Known]:
    """Returns rows of operator delete and delete[]: the pointer, then size, alignment, nothrow."""
    sizes, aligns, nothrows = ("", "m", "j"), ("", "St11align_val_t"), ("", "RKSt9nothrow_t")
    tails = [size + align + nothrow for size in sizes for align in aligns for nothrow in nothrows]
    return {f"_Z{operator}Pv{tail}": _FREE for operator in ("dl", "da") for tail in tails}


#: (size, align), dealloc(ptr, size, align), realloc(ptr, old size, align, new size)
_RUST_ALLOC = Known(CalleeKind.ALLOCATE, size_operands=(0,), release="__rust_dealloc", release_operands=(-1, 0, 1))
RUST_ALLOCATOR: dict[str, Known] = {
    "__rust_alloc": _RUST_ALLOC,
    "__rust_alloc_zeroed": replace(_RUST_ALLOC, zeroed=True),
    "__rust_dealloc": _FREE,
    "__rust_realloc": replace(_REALLOC, size_operands=(3,), release="__rust_dealloc", release_operands=(-1, 3, 2)),
    "__rust_no_alloc_shim_is_unstable": Known(CalleeKind.INACTIVE),
    "__rust_no_alloc_shim_is_unstable_v2": Known(CalleeKind.INACTIVE),
    "__rust_alloc_error_handler": Known(CalleeKind.NORETURN),
}

#: rows by full name
MEMORY: dict[str, Known] = {**_C, **_FFTW, **_OPENMP, **_TBB, **_cxx_new(), **_cxx_delete(), **_EXCEPTION}

_MEMSET = replace(_FILL, result=None)
_MEMCPY = replace(_COPY, result=None)
#: rows by name without `llvm.` and types
MEMORY_INTRINSICS: dict[str, Known] = {
    **dict.fromkeys(("memcpy", "memcpy.inline", "memmove"), _MEMCPY),
    **dict.fromkeys(("memcpy.element.unordered.atomic", "memmove.element.unordered.atomic"), _MEMCPY),
    **dict.fromkeys(("memset", "memset.inline", "memset.element.unordered.atomic"), _MEMSET),
    "stacksave": Known(CalleeKind.STACK),
    "stackrestore": Known(CalleeKind.STACK),
}

_HEAP = re.compile(r"malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|valloc|(_Zn[wa]m).*")
_FREES_OF_ONE_OPERAND = (
    "_ZdlPv",
    "_ZdaPv",
    "__cxa_free_exception",
    _OPENMP_FREE,
    *_TBB_FREE.values(),
    UNWIND_FREE.name,
    UNWIND_RELEASE.name,
)

_FLANG = "@_FortranA"
_FLANG_ALIASING = ("@_FortranAPointerAssociate", "@_FortranAMoveAlloc")


def is_flang_runtime(symbol: str) -> bool:
    """True for a function of flang's runtime: passed a descriptor, it may allocate the array, and keeps no address."""
    return symbol.startswith(_FLANG)


def aliases_descriptors(symbol: str) -> bool:
    """True for a function of flang's runtime that stores the address in one descriptor in another descriptor."""
    return symbol.startswith(_FLANG_ALIASING)


def heap_family(name: str) -> str | None:
    """Returns the plainest function that allocates from the same heap as this one. None if it allocates from none."""
    match = _HEAP.fullmatch(name)
    return match and (match[1] or "malloc")


def release_of_family(family: str) -> str:
    """Returns the function that frees a block of a `heap_family`, given the block alone."""
    return MEMORY[family].release


def takes_alignment(name: str) -> bool:
    """True for an operator delete of memory that was allocated with an alignment, which another one may not free."""
    return name.startswith(("_Zdl", "_Zda")) and "St11align_val_t" in name


def free_of_one_operand(name: str) -> str:
    """Returns the function of one operand that frees what this function frees."""
    return next((free for free in _FREES_OF_ONE_OPERAND if name.startswith(free)), "free")
