"""Compiles derivative expressions for the tests: LLVM functions that read operands from memory and store all partials.

Memory is a row of 16-byte slots, so that long double passes through unharmed as numpy.longdouble.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import mpmath
import numpy as np

from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import (
    DOUBLE,
    FLOAT,
    HALF,
    I32,
    I64,
    PTR,
    VOID,
    X86_FP80,
    FloatType,
    FunctionType,
    Type,
    VectorType,
)  # fmt: skip
from enzyme_cc.ir.values import Argument, Block, Function, Value

SLOT = 16
RUNTIME = Path(__file__).parents[2] / "toolchain" / "runtime" / "math.c"
#: of each type: the numpy type that holds it, the unit roundoff
NUMPY = {HALF: np.float16, FLOAT: np.float32, DOUBLE: np.float64, X86_FP80: np.longdouble}
EPSILON = {HALF: 2.0**-11, FLOAT: 2.0**-24, DOUBLE: 2.0**-53, X86_FP80: 2.0**-64}
INTEGERS = {"i": (I32, np.int32), "l": (I64, np.int64)}

Emit = Callable[[Builder, dict[str, Value]], Sequence[Value]]


def exact(value: object) -> mpmath.mpf:
    """A numpy scalar as a number of mpmath, without rounding."""
    if isinstance(value, np.longdouble):
        high = float(value)
        if not np.isfinite(high):
            return mpmath.mpf(high)
        return mpmath.mpf(high) + mpmath.mpf(float(value - np.longdouble(high)))
    return mpmath.mpf(float(value))  # type: ignore[arg-type]


def rounded(value: mpmath.mpf, type_: FloatType) -> Any:
    """The number of the type nearest to a number of mpmath."""
    if type_ != X86_FP80:
        return NUMPY[type_](float(value))
    high = float(value)
    if not np.isfinite(high):
        return np.longdouble(high)
    return np.longdouble(high) + np.longdouble(float(value - mpmath.mpf(high)))


@dataclass
class RuleProgram:
    """One LLVM function: the names it reads with their kinds (f, i, l), and what it stores."""

    name: str
    inputs: Mapping[str, str]
    emit: Emit


@cache
def runtime() -> llvm.ModuleRef:
    clang = shutil.which("clang-22") or shutil.which("clang")
    assert clang, "the runtime needs clang"
    with tempfile.TemporaryDirectory() as folder:
        bitcode = Path(folder) / "math.bc"
        subprocess.run([clang, "-O1", "-c", "-emit-llvm", str(RUNTIME), "-o", str(bitcode)], check=True)
        return llvm.parse_bitcode(bitcode.read_bytes())


class CompiledRules:
    """The programs at one type, in machine code."""

    def __init__(self, programs: Sequence[RuleProgram], type_: FloatType, lanes: int = 0) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        for library in ("libm.so.6", "libgcc_s.so.1"):  # the latter has llvm.powi's __powidf2
            llvm.load_library_permanently(library)
        self.type = type_
        self.programs = {program.name: program for program in programs}
        self.lanes = lanes
        module = Module()
        counts = {program.name: self._define(module, program) for program in programs}
        self.counts = counts
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
        compiled = llvm.parse_assembly(str(module))
        compiled.verify()
        compiled.triple, compiled.data_layout = runtime().triple, runtime().data_layout
        compiled.link_in(runtime(), preserve=True)
        self.engine = llvm.create_mcjit_compiler(compiled, machine)
        self.engine.finalize_object()

    def _define(self, module: Module, program: RuleProgram) -> int:
        arguments = [Argument(PTR, "in", index=0), Argument(PTR, "out", index=1)]
        function = Function(f"@{_symbol(program.name)}", FunctionType(VOID, (PTR, PTR)), arguments)
        block = Block("", function)
        function.blocks.append(block)
        builder = Builder(block)
        width = max(self.lanes, 1) * SLOT
        env: dict[str, Value] = {}
        for index, (name, kind) in enumerate(program.inputs.items()):
            slot = builder.offset(arguments[0], index * width)
            env[name] = builder.load(self._type(kind), slot, align=1)
        results = program.emit(builder, env)
        for index, result in enumerate(results):
            builder.store(result, builder.offset(arguments[1], index * width), align=1)
        builder.ret()
        module.add_function(function)
        declare_callees(module, function)
        return len(results)

    def _type(self, kind: str) -> Type:
        if kind != "f":
            return INTEGERS[kind][0]
        return VectorType(self.type, self.lanes) if self.lanes else self.type

    def __call__(self, name: str, inputs: Mapping[str, object]) -> list[mpmath.mpf]:
        """The results, lane after lane. Lanes are all given the same inputs."""
        lanes = max(self.lanes, 1)
        program = self.programs[name]
        source = np.zeros(len(program.inputs) * SLOT * lanes, np.uint8)
        target = np.zeros(max(self.counts[name], 1) * SLOT * lanes, np.uint8)
        for index, (key, kind) in enumerate(program.inputs.items()):
            at = index * SLOT * lanes
            if kind == "f":
                value = np.array([rounded(mpmath.mpf(inputs[key]), self.type)] * lanes, NUMPY[self.type])
            else:
                value = np.array([inputs[key]], INTEGERS[kind][1])
            raw = value.view(np.uint8)
            source[at : at + raw.size] = raw
        address = self.engine.get_function_address(_symbol(name))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(source.ctypes.data, target.ctypes.data)
        out: list[mpmath.mpf] = []
        size = np.dtype(NUMPY[self.type]).itemsize
        for index in range(self.counts[name]):
            at = index * SLOT * lanes
            values = target[at : at + size * lanes].view(NUMPY[self.type])
            out += [exact(value) for value in values]
        return out


def _symbol(name: str) -> str:
    return "test_" + "".join(c if c.isalnum() else "_" for c in name)


def declare_callees(module: Module, function: Function) -> None:
    for instruction in function.blocks[0].instructions:
        if instruction.opcode == "call":
            callee = instruction.callee
            assert isinstance(callee, GlobalRef)
            if callee.name not in module.functions:
                module.declare(callee.name, instruction.call.function_type)
