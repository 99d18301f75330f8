"""The handler that XLA calls, compiled against the headers of the installed jaxlib, and registered once."""

from __future__ import annotations

import ctypes
import os
import shutil
from functools import cache
from pathlib import Path

import jax
import jaxlib

from enzyme_cc.functions.cache import CacheEntry, current, tools_identity
from enzyme_cc.functions.compilation import Toolchain
from enzyme_cc.functions.progress import building
from enzyme_cc.functions.sources import tool

TARGET = "enzyme_cc"
_SOURCE = Path(__file__).with_name("handler.c")
_LIBRARY = "handler.so"


@cache
def register() -> str:
    """Registers the handler with XLA, and returns the name of the target. Raises `CompileError`."""
    entry = _entry()
    library = ctypes.CDLL(entry.file(_LIBRARY))
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(library.enzyme_cc_jax), platform="cpu")
    return TARGET


def _entry() -> CacheEntry:
    cache_, headers = current(), jax.ffi.include_dir()
    words = [tools_identity(), "jax", jaxlib.__version__, headers]
    entry = cache_.find(words)
    if entry is not None:
        return entry
    with cache_.building(words):
        entry = cache_.find(words)
        if entry is not None:
            return entry
        folder = cache_.new_folder()
        try:
            with building("the handler for JAX", False) as show:
                command = [tool("enzyme-cc"), "-O2", "-fPIC", "-shared", f"-I{headers}", str(_SOURCE)]
                Toolchain(show).run([*command, "-ldl", "-o", os.path.join(folder, _LIBRARY)])
            api = os.path.join(headers, "xla", "ffi", "api", "c_api.h")
            return cache_.add(words, (str(_SOURCE), api), folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
