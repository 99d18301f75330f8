"""Functions in LLVM's text form, differentiated and run in this process."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm
from msgspec.structs import replace

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.differentiate import differentiate
from enzyme_cc.ir import llvm_passes

RUNTIME = Path(__file__).parents[2] / "toolchain" / "runtime"

#: glibc would call the hook for the end of a thread when the process ends, after this JIT has freed the code
_NO_HOOK = "int no_hook(void (*f)(void *), void *a, void *b) { return 1; }\n"


class Compiled:
    """A module whose requests are replaced, ready to run; `text` is what differentiation made."""

    def __init__(self, text: str, options: Options | None = None) -> None:
        self.text = differentiate(text, replace(options or Options(), verify=True)).text
        module = llvm_passes.parse(self.text)
        llvm_passes.verify(module)
        if "@__ez_" in self.text:
            _link_runtime(module)
        llvm_passes.optimise(module, 1)
        self._engine = llvm.create_mcjit_compiler(module, llvm_passes.target_machine())
        self._engine.finalize_object()

    def call(self, name: str, *arguments: float | int) -> float:
        """Calls a function of doubles and integers that returns a double."""
        types = [ctypes.c_double if isinstance(a, float) else ctypes.c_int64 for a in arguments]
        function = ctypes.CFUNCTYPE(ctypes.c_double, *types)(self._engine.get_function_address(name))
        return float(function(*arguments))


def _link_runtime(module: llvm.ModuleRef) -> None:
    """Only what is called stays: the rest refers to libstdc++, which is not in this process."""
    library = llvm_passes.parse_bitcode(_runtime())
    defined = [f.name for f in library.functions if not f.is_declaration]
    module.link_in(library)
    for name in defined:
        module.get_function(name).linkage = llvm.Linkage.internal
    llvm_passes.run_passes(module, "globaldce")


@cache
def _runtime() -> bytes:
    """The runtime's bitcode without thread-local variables, which this JIT does not know."""
    text = _NO_HOOK + "".join(f'#include "{source}"\n' for source in sorted(RUNTIME.glob("*.c")))
    clang = shutil.which("clang-22") or "clang"
    macros = ["-D_GNU_SOURCE", "-D__thread=", "-D_Thread_local=", "-D__cxa_thread_atexit_impl=no_hook"]
    flags = [*macros, "-O2", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", "-x", "c", "-", "-o", "-"]
    return subprocess.run([clang, *flags], input=text.encode(), capture_output=True, check=True).stdout
