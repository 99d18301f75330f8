"""Wherever LLVM's own alias analysis proves that two pointers meet, ours must not say that they cannot."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from enzyme_cc.analysis.memory.facts import MemoryFacts

from .support import Analysed, compile_c

#: LLVM's own: older versions do not read what clang-22 writes
OPT = next((path for path in map(shutil.which, ("opt-22", "/usr/lib/llvm-22/bin/opt")) if path), None)
ROOT = Path(__file__).parents[2]
SOURCES = [p for p in (ROOT / "tests" / "programs").glob("*/*.c") if p.parent.name != "stopped"]
#: what a program's comment asks the compiler for; clang does not know the flags of the product
FLAGS = re.compile(r"^ \* flags: (.*?)(?: \*/)?$", re.MULTILINE)
PROGRAMS = sorted(SOURCES, key=lambda p: p.name)[::6]
SIZES = {"double": 8, "i64": 8, "ptr": 8, "i32": 4, "float": 4, "i8": 1}
PAIR = re.compile(r"\s+(?:MustAlias|PartialAlias[^:]*):\s+(\S+)\* %([^\s,]+), (\S+)\* %(\S+)")


def run_opt(text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    assert OPT is not None
    return subprocess.run([OPT, *flags], input=text, capture_output=True, text=True, check=True)


@pytest.mark.skipif(OPT is None, reason="no opt of LLVM 22")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_llvm_must_alias(program: Path) -> None:
    include = ROOT / "toolchain" / "include"
    source = program.read_text()
    flags = [flag for line in FLAGS.findall(source) for flag in line.split() if not flag.startswith("--enzyme-")]
    text = compile_c(source, "-O1", "c", f"-I{program.parent}", f"-I{include}", *flags)
    named = run_opt(text, "-passes=instnamer", "-S").stdout
    pairs = run_opt(named, "-passes=aa-eval", "-print-must-aliases", "-print-partial-aliases", "-disable-output").stderr
    a = Analysed(named)
    for section in pairs.split("Function: ")[1:]:
        name = section.split(":")[0]
        m = MemoryFacts(a.module, a.function(name), a.flow(name), a.types)
        values = {v.name: v for v in [*a.function(name).instructions(), *a.function(name).arguments]}
        for first, x, second, y in PAIR.findall(section):
            if x in values and y in values:
                assert m.may_alias(values[x], SIZES.get(first, 1), values[y], SIZES.get(second, 1)), (name, x, y)
