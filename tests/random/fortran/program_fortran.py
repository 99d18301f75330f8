"""Random Fortran functions built into one program.

As program.py of the folder above does for C. The functions are compiled as three modules: of real numbers, which is
differentiated, of real numbers with a trace of conditions, and of complex numbers.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.random.generate import Source
from tests.random.program import _COMMON, ENZYME_CC, Program, Verdict

_RUNTIME = Path(__file__).with_name("runtime.f90")
_FLANG = next((name for name in ("flang-22", "flang") if shutil.which(name)), "flang-22")
_LITERAL = re.compile(r"NUM\(([-.\d]+d0)\)")


def module(text: str, suffix: str, is_complex: bool, is_traced: bool) -> str:
    """The module of that text for one kind of number."""
    kept = {"REAL8": not is_complex, "COMPLEX8": is_complex, "TRACE": is_traced}
    lines = []
    for line in text.splitlines():
        word, _, rest = line.strip().partition(" ")
        if kept.get(word, True):
            lines.append(rest if word in kept else line)
    text = _LITERAL.sub(r"cmplx(\1, 0, 8)" if is_complex else r"(\1)", "\n".join(lines))
    words = {
        "NUMBER": "complex(8)" if is_complex else "real(8)",
        "SUFFIX": suffix,
        "ELEMENTAL": "impure elemental" if is_traced else "elemental",
    }
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return f"module functions{suffix}\n{text}\nend module\n"


#: the variables of the module that is differentiated have shadows, which keep the tangents of the last forward mode
_SHADOWS = [f"{name}_shadow{lane}" for name in ("_QMfunctions_dEstate", "block_d_") for lane in ("", "1")]
_RESET = "".join(f"double {name}[4];\n" for name in _SHADOWS) + (
    "static void reset(void) {\n" + "".join(f"  memset({name}, 0, sizeof {name});\n" for name in _SHADOWS) + "}\n"
)


class FortranProgram(Program):
    """Random Fortran functions in a folder of their own. The program around them is in C."""

    language = "Fortran"

    def differentiated(self) -> str:
        declared = "".join(f"extern double {self.primal(s)}(double *);\n" for s in self.sources)
        return _COMMON + _RESET + declared

    def _reverse(self, k: int, source: Source) -> str:
        return "        reset();\n" + super()._reverse(k, source)

    def reference(self) -> str:
        text = _RUNTIME.read_text() + (self.folder / "functions.inc").read_text()
        (self.folder / "functions.f90").write_text(module(text, "_d", False, False))
        modules = module(text, "_t", False, True) + module(text, "_c", True, True)
        (self.folder / "modules.f90").write_text(modules)
        parts = [_COMMON, "typedef double complex complex_number;\nstatic unsigned long trace_hash;\n"]
        parts.append("int note(int c) { trace_hash = trace_hash * 7 + c + 1; return c; }\n")
        for kind, type_, suffix in (("real", "double", "_t"), ("complex", "double complex", "_c")):
            names = [f"{s.name}{suffix}" for s in self.sources]
            parts += [f"extern {type_} {name}({type_} *);\n" for name in names]
            parts.append(f"static {type_} (*const {kind}_functions[])({type_} *) = {{{', '.join(names)}}};\n")
        return "".join(parts)

    def outcomes(self, level: str) -> list[Verdict]:
        status, text = self.run(_FLANG, "-O1", "-w", "-c", "modules.f90", seconds=300)
        if status:
            raise ValueError(f"the functions are not valid Fortran:\n{text}")
        return super().outcomes(level)

    def build(self, level: str) -> tuple[int, str]:
        fortran = ENZYME_CC.with_name("enzyme-fc")
        for compiler, source in ((ENZYME_CC, "main.c"), (fortran, "functions.f90")):
            status, text = self.run(compiler, level, "-w", "-g", "-c", source, seconds=300)
            if status:
                return status, text
        objects = ("main.o", "functions.o", "reference.o", "modules.o")
        return self.run(fortran, *objects, "-o", "program", "-lm", seconds=600)
