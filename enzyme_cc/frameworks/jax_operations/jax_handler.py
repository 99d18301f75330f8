"""The handler that XLA calls, compiled against the headers of the installed jaxlib, and registered once."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
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
    headers = jax.ffi.include_dir()

    def build(folder: str) -> Sequence[str]:
        with building("the handler for JAX", False) as show:
            command = [tool("enzyme-cc"), "-O2", "-fPIC", "-shared", f"-I{headers}", str(_SOURCE)]
            Toolchain(show).run([*command, "-ldl", "-o", os.path.join(folder, _LIBRARY)])
        return str(_SOURCE), os.path.join(headers, "xla", "ffi", "api", "c_api.h")

    return current().find_or_build([tools_identity(), "jax", jaxlib.__version__, headers], build)
