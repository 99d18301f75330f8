"""Type analysis and memory facts on the GNU Scientific Library: what the library's functions reach, all at once.

Nearly every copy has a known layout, and every integer a known kind, at -O0 (no TBAA) as at -O2.
"""

from __future__ import annotations

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from enzyme_cc.analysis.memory.facts import MemoryFacts
from enzyme_cc.analysis.type_analysis.analysis import Kind, TypeAnalysis
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.constants import Constant, ConstantAggregate, ConstantExpr, ConstantInt, GlobalRef
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function, Instruction
from tests.codebases.ir_roundtrip import CLANG
from tests.codebases.sources import WORK, source_or_skip

pytestmark = pytest.mark.codebase
FOLDERS = (
    "block vector matrix permutation err sys complex poly specfunc integration ode-initval2 linalg interpolation blas "
    "cblas min roots"
).split()
ROOTS = (
    "gsl_integration_qags gsl_integration_cquad gsl_sf_hyperg_1F1_e gsl_sf_bessel_J0_e gsl_linalg_LU_solve "
    "gsl_spline_eval gsl_odeiv2_driver_apply"
).split()


def library(level: str) -> Module:
    """GSL's folders as one module, optimised as before differentiation."""
    source = source_or_skip("gsl")
    if not (source / "config.h").exists():
        subprocess.run(["./configure", f"CC={CLANG}", "--quiet"], cwd=source, check=True, capture_output=True)
        subprocess.run(["make", "-C", "gsl", "--quiet"], cwd=source, check=True, capture_output=True)
    files = [f for folder in FOLDERS for f in sorted((source / folder).glob("*.c")) if "test" not in f.name]
    out = WORK / f"gsl-analyses{level}"
    out.mkdir(exist_ok=True)

    def bitcode(file: Path) -> Path:
        target = out / f"{file.parent.name}-{file.stem}.bc"
        command = [CLANG, level, "-w", "-DHAVE_CONFIG_H", f"-I{source}", f"-I{file.parent}", "-emit-llvm", "-c"]
        kept = ["-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes"]
        if not target.exists():  # templates, which other files include, do not compile by themselves
            subprocess.run([*command, *kept, str(file), "-o", str(target)], capture_output=True, check=False)
        return target

    with ThreadPoolExecutor(2) as pool:
        units = [u for u in pool.map(bitcode, files) if u.exists()]
    merged = llvm_passes.parse_bitcode(units[0].read_bytes())
    for unit in units[1:]:
        merged.link_in(llvm_passes.parse_bitcode(unit.read_bytes()))
    llvm_passes.optimise(merged)
    return Module.parse(str(merged))


def named(constant: object) -> list[str]:
    if isinstance(constant, GlobalRef):
        return [constant.name]
    parts = constant.operands if isinstance(constant, ConstantExpr) else ()
    parts = constant.elements if isinstance(constant, ConstantAggregate) else parts
    return [name for part in parts for name in named(part)]


def reached(module: Module) -> list[Function]:
    found: dict[str, Function | None] = {}
    work = [f"@{root}" for root in ROOTS]
    while work:
        name = work.pop()
        if name in found:
            continue
        found[name] = None
        if name in module.globals:
            work += named(module.globals[name].initializer)
        elif name in module.functions and not module.functions[name].is_declaration:
            function = found[name] = module.body(name)
            constants = [o for i in function.instructions() for o in i.operands if isinstance(o, Constant)]
            work += [n for c in constants for n in named(c)]
    return [f for f in found.values() if f is not None]


def is_known_copy(types: TypeAnalysis, i: Instruction) -> bool:
    size = i.arguments[2].value if isinstance(i.arguments[2], ConstantInt) else None
    pointers = i.arguments[: 1 if "memset" in str(i.callee) else 2]
    return any(types.contents(p, size).layout is not None for p in pointers)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_gsl(level: str) -> None:
    module = library(level)
    functions = reached(module)
    instructions = [i for f in functions for i in f.instructions()]
    start = time.process_time()
    types = TypeAnalysis(module, functions, [f"@{root}" for root in ROOTS])
    copies = [i for i in instructions if i.opcode == "call" and str(i.callee).startswith("@llvm.mem")]
    unknown = [i for i in copies if not is_known_copy(types, i)]
    integers = [i for i in instructions if str(i.type) in ("i32", "i64") and i.opcode in ("load", "phi", "call")]
    odd = [i for i in integers if types.values.kind(i) is not Kind.INTEGER]
    middle = time.process_time()
    loads = overwritten = 0
    for function in functions:
        facts = MemoryFacts(module, function, ControlFlow(function), types)
        answers = [facts.overwritten_after(i) for i in function.instructions() if i.opcode == "load"]
        loads, overwritten = loads + len(answers), overwritten + sum(a is not None for a in answers)
    end = time.process_time()
    print(
        f"\nGSL {level}: {len(functions)} functions, {len(instructions)} instructions; types {middle - start:.2f} s, "
        f"memory {end - middle:.2f} s; {len(unknown)} of {len(copies)} copies and {len(odd)} of {len(integers)} "
        f"integers unknown; {overwritten} of {loads} loads may be overwritten"
    )
    assert len(unknown) <= len(copies) // 10
    assert len(odd) <= len(integers) // 100
    assert end - start < 60
