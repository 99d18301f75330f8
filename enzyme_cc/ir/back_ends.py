"""LLVM's whole pipelines on a module's text: in a process of clang, or in this one through llvmlite.

PyPI's llvmlite checks LLVM's assertions, which clang of a distribution does not: it takes up to twice the processor
time. So clang does this work if its LLVM is that of llvmlite. Both run the same passes.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from typing import ClassVar, Protocol

import llvmlite.binding as llvm
from msgspec import Struct

from . import llvm_passes
from .llvm_passes import LLVMError
from .text.long_blocks import divide_long_blocks

_TRIPLE = re.compile(r'^target triple = "(.*)"$', re.MULTILINE)
# LLVM 22's code generator may lose half of a vector that the SLP vectoriser made (docs/bugs-we-met.md).
_NO_SLP = "-fno-slp-vectorize"
_COMMON = ("-x", "ir", "-w", "-Qunused-arguments", "-fno-crash-diagnostics", "-fno-addrsig", _NO_SLP)
_SIMPLIFY = ("-O2", "-fno-vectorize", "-fno-unroll-loops")
_TO_TEXT = ("-S", "-emit-llvm")
# The optimiser's options, by whether the module is huge.
_LEVELS = {False: ("-O3",), True: ("-O2", "-mllvm", "-unroll-runtime=false")}
# The code generator's options for a huge module, and more of them by the beginning of the target.
_LESS_WORK = ("-disable-lsr", "-grow-region-complexity-budget=100", "-dag-maps-huge-region=200")
_LESS_WORK_FOR = {"x86_64": ("-x86-machine-combiner=false",), "aarch64": ("-aarch64-enable-mcr=false",)}
# The same if a function has very many lines: stack slots of spilled registers are not merged.
_SEPARATE_SLOTS = ("-disable-ssc",)
# A module is huge if a function has so many lines; these are very many.
_HUGE, _VERY_MANY = 10_000, 40_000
#: what the code generator adds has the line of the instruction before it: constants, spills, reassociated sums
_LINES = ("-use-unknown-locations=Disable",)
_DESCRIBED = "!llvm.dbg.cu = "
#: the attributes of functions that are to be instrumented, and the sanitizers whose passes clang runs then
SANITIZERS = {
    "sanitize_address": "address",
    "sanitize_hwaddress": "hwaddress",
    "sanitize_memory": "memory",
    "sanitize_numerical_stability": "numerical",
    "sanitize_realtime": "realtime",
    "sanitize_thread": "thread",
    "sanitize_type": "type",
}
_GROUP = re.compile(r"^attributes #\d+ = \{(.*)\}$", re.MULTILINE)
_SHELL_ADDS = 128  # to the number of the signal that ended a program


class BackEnd(Protocol):
    """Optimises modules and makes objects of them. All methods raise `LLVMError` for a module that is not valid.

    Loops are vectorised, straight-line code is not. A module is `huge` if it has a function of so many instructions
    that some passes take time out of proportion. It is optimised by O2 instead of O3. clang leaves out more that saves
    little:

    - Loops whose number of iterations is known at run time only are not unrolled: that would make a tenth more code.
    - The strength of induction variables is not reduced: that takes a quarter of code generation.
    - The register allocator gives up sooner to split live ranges by regions: that takes a sixth of code generation.
    - Stack slots of spilled registers are not merged if the function has 40,000 lines: that is quadratic, and takes a
      fifth of code generation for 8,000 updates.
    - In a block with 200 accesses to memory, scheduling looks at fewer dependences. Their number is quadratic: they
      take half of the time for 4,000 updates.
    - Chains of sums are not shortened: that is quadratic, too.

    `instruments`: the passes of sanitizers run at the end of optimisation, for functions that have their attributes.
    """

    instruments: ClassVar[bool]

    @property
    def recovering(self) -> frozenset[str]:
        """Sanitizers after whose reports the program goes on."""

    def simplify(self, text: str) -> str:
        """Returns the module, optimised by LLVM's O2 without vectorising and unrolling."""

    def optimise(self, text: str, *, huge: bool) -> str:
        """Returns the module, optimised by LLVM's O3, or O2 if it is huge."""

    def emit(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """Returns the native object of an optimised module."""

    def compile(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """Returns the native object of a module, optimised as `optimise` does."""


class InProcess:
    """LLVM's pipelines through llvmlite, which has no passes of sanitizers."""

    instruments: ClassVar[bool] = False
    recovering: ClassVar[frozenset[str]] = frozenset()

    def simplify(self, text: str) -> str:
        """See `BackEnd`."""
        module = _parsed(text)
        llvm_passes.optimise(module, 2)
        return str(module)

    def optimise(self, text: str, *, huge: bool) -> str:
        """See `BackEnd`."""
        return str(_optimised(text, huge))

    def emit(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """See `BackEnd`."""
        return llvm_passes.emit_object(llvm_passes.parse(_for_emission(text, huge)), pic=pic)

    def compile(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """See `BackEnd`."""
        return llvm_passes.emit_object(_optimised(text, huge), pic=pic)


def _parsed(text: str) -> llvm.ModuleRef:
    if llvm_passes.has_matrices(text):
        llvm_passes.lower_matrices()
    return llvm_passes.parse(text)


def _optimised(text: str, huge: bool) -> llvm.ModuleRef:
    module = _parsed(text)
    llvm_passes.optimise(module, 2 if huge else 3, vectorise=True, unroll=True)
    return module


class Clang(Struct, frozen=True):
    """LLVM's pipelines in a process of this clang. If LLVM crashes there, this process dies of the same signal."""

    path: str
    recovering: frozenset[str] = frozenset()  # sanitizers after whose reports the program goes on
    instruments: ClassVar[bool] = True

    def simplify(self, text: str) -> str:
        """See `BackEnd`."""
        return self._run(text, *_SIMPLIFY, *_TO_TEXT).decode("utf-8", "surrogateescape")

    def optimise(self, text: str, *, huge: bool) -> str:
        """See `BackEnd`."""
        return self._run(text, *_LEVELS[huge], *_TO_TEXT).decode("utf-8", "surrogateescape")

    def emit(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """See `BackEnd`."""
        optimised = ("-Xclang", "-disable-llvm-passes")
        return self._run(_for_emission(text, huge), *_LEVELS[huge], *optimised, *_object(text, huge, pic))

    def compile(self, text: str, *, huge: bool, pic: bool) -> bytes:
        """See `BackEnd`."""
        return self._run(text, *_LEVELS[huge], *_object(text, huge, pic))

    def _run(self, text: str, *options: str) -> bytes:
        triple = _triple(text)
        target = (f"--target={triple}",) if triple else ()
        command = [
            self.path,
            *target,
            *_COMMON,
            *_checks(text, self.recovering),
            *options,
            *_llvm_options(text),
            "-",
            "-o",
            "-",
        ]
        done = subprocess.run(command, input=text.encode("utf-8", "surrogateescape"), capture_output=True)
        _die_as(done.returncode)
        if done.returncode:
            raise LLVMError(done.stderr.decode(errors="replace").strip())
        return done.stdout


def back_end(clang: str | None, recovering: frozenset[str] = frozenset()) -> BackEnd:
    """Returns the back end that a link uses: clang if there is one with llvmlite's version of LLVM.

    `recovering`: sanitizers after whose reports the program goes on.
    """
    is_usable = clang and _major_version(clang) == llvm_passes.version()[0]
    return Clang(clang, recovering) if clang and is_usable else InProcess()


def _major_version(clang: str) -> int | None:
    try:
        said = subprocess.run([clang, "-dumpversion"], capture_output=True, text=True).stdout
    except OSError:
        return None
    number = said.partition(".")[0]
    return int(number) if number.isdecimal() else None


def _triple(text: str) -> str:
    found = _TRIPLE.search(text)
    return found[1] if found else ""


def is_huge(text: str) -> bool:
    """Returns whether the module has a function that takes passes of LLVM time out of proportion."""
    return _longest_function(text) >= _HUGE


def _longest_function(text: str) -> int:
    """Returns how many lines the longest function of a module has."""
    return max(body.partition("\n}")[0].count("\n") for body in text.split("\ndefine "))


def _for_emission(text: str, huge: bool) -> str:
    return divide_long_blocks(text) if huge else text


def _object(text: str, huge: bool, pic: bool) -> tuple[str, ...]:
    position = ("-fPIC",) if pic else ("-fno-pic", "-fno-pie")
    less = (*_LESS_WORK, *_LESS_WORK_FOR.get(_triple(text).partition("-")[0], ())) if huge else ()
    less += _SEPARATE_SLOTS if huge and _longest_function(text) >= _VERY_MANY else ()
    return ("-c", *position, *_for_llvm(less))


def _llvm_options(text: str) -> list[str]:
    matrices = (llvm_passes.MATRICES,) if llvm_passes.has_matrices(text) else ()
    return _for_llvm((*llvm_passes.OPTIONS, *matrices, *(_LINES if _DESCRIBED in text else ())))


def _for_llvm(options: Iterable[str]) -> list[str]:
    return [word for option in options for word in ("-mllvm", option)]


def _checks(text: str, recovering: frozenset[str]) -> list[str]:
    """Returns the options for the sanitizers of a module's functions."""
    words = {word for group in _GROUP.findall(text) for word in group.split()}
    names = [name for mark, name in SANITIZERS.items() if mark in words]
    more = [f"-fsanitize-recover={name}" for name in names if name in recovering]
    return [*(f"-fsanitize={name}" for name in names), *more]


def _die_as(status: int) -> None:
    """Ends this process by the signal that ended clang: clang's driver reports a signal as a shell does."""
    number = -status if status < 0 else status - _SHELL_ADDS
    if number > 0:
        os.kill(os.getpid(), number)
