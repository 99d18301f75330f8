"""The handler that XLA calls, compiled against the headers of the installed jaxlib, and registered once."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import jax
import jaxlib

from enzyme_cc.frameworks.native_adapter import native_adapter

TARGET = "enzyme_cc"


@cache
def register() -> str:
    """Registers the handler with XLA, and returns the name of the target. Raises `CompileError`."""
    flags = [f"-I{jax.ffi.include_dir()}", "-ldl"]
    library = ctypes.CDLL(native_adapter("JAX", jaxlib.__version__, Path(__file__).with_name("handler.c"), flags))
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(library.enzyme_cc_jax), platform="cpu")
    return TARGET
