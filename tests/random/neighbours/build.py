"""Builds neighbours into programs, runs each, and says what came of it.

All are built into one program. Those that the link names in a refusal are built again, each alone: what one of them does
may be refused for the sake of another one.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..program import ENZYME_CC, HERE, Verdict
from .neighbour import Kind, Neighbour

_COMPILERS = {"c": ("enzyme-cc", ".c"), "cxx": ("enzyme-c++", ".cpp"), "fortran": ("enzyme-fc", ".f90")}
_ID = re.compile(r"\bEZ\d{4}\b")
_SECONDS = 300


def outcomes(folder: Path, kind: Kind, chosen: Sequence[Neighbour], level: str) -> list[Verdict]:
    """Returns one verdict for each: right, wrong, refused, stopped or crashed."""
    folder.mkdir(parents=True, exist_ok=True)
    found = dict(_tried(folder, kind, dict(enumerate(chosen)), level))
    return [found[k] for k in range(len(chosen))]


def _tried(folder: Path, kind: Kind, left: dict[int, Neighbour], level: str) -> Iterator[tuple[int, Verdict]]:
    alone: dict[int, Neighbour] = {}
    while left:
        said = _built(folder, kind, left, level)
        if not said:
            yield from ((k, _run(folder, k, neighbour)) for k, neighbour in left.items())
            break
        if len(left) == 1:
            yield from ((k, _refusal(neighbour, said)) for k, neighbour in left.items())
            break
        named = {int(k) for k in re.findall(r"case_(\d+)", said)} & left.keys()
        apart = named or set(list(left)[: len(left) // 2])
        (alone if named else {}).update((k, left[k]) for k in apart)
        if not named:
            yield from _tried(folder, kind, {k: left[k] for k in apart}, level)
        left = {k: neighbour for k, neighbour in left.items() if k not in apart}
    for k, neighbour in alone.items():
        yield from _tried(folder, kind, {k: neighbour}, level)


def _refusal(neighbour: Neighbour, said: str) -> Verdict:
    if ": error: " in said and not _ID.search(said):
        raise ValueError(f"{neighbour.name} is no program:\n{said[:3000]}")
    is_clear = (found := _ID.search(said)) is not None and not found[0].startswith("EZ09")
    return Verdict(neighbour.name, "refused" if is_clear else "crashed", said[-1500:])


def _run(folder: Path, number: int, neighbour: Neighbour) -> Verdict:
    try:
        done = subprocess.run(["./program", str(number)], cwd=folder, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return Verdict(neighbour.name, "crashed", "it does not end")
    said = done.stderr.decode(errors="replace")
    if "WRONG" in said or "RIGHT" not in said:
        kind = "wrong" if "WRONG" in said else "stopped" if _ID.search(said) else "crashed"
        return Verdict(neighbour.name, kind, f"status {done.returncode}: {said[-600:]}")
    return Verdict(neighbour.name, "right" if done.returncode == 0 else "crashed", said[-600:])


def _built(folder: Path, kind: Kind, chosen: dict[int, Neighbour], level: str) -> str:
    """Makes the program; returns what was said if that failed."""
    objects = []
    for name, text in _texts(kind, chosen).items():
        (folder / name).write_text(text)
        compiler = "clang-22" if name.startswith("native") else _compiler(name)
        said = _said(folder, compiler, level, "-w", f"-I{HERE / 'neighbours'}", *_flags(kind, name), "-c", name)
        if said:
            return said
        objects.append(f"{Path(name).stem}.o")
    (folder / "program").unlink(missing_ok=True)
    linker = ENZYME_CC.with_name(_COMPILERS[kind.language][0])
    return _said(folder, linker, level, *objects, "-o", "program", "-lm")


def _compiler(name: str) -> Path:
    return next(ENZYME_CC.with_name(c) for c, suffix in _COMPILERS.values() if name.endswith(suffix))


def _flags(kind: Kind, name: str) -> Sequence[str]:
    return kind.flags if name.endswith(_COMPILERS[kind.language][1]) else ()


def _texts(kind: Kind, chosen: dict[int, Neighbour]) -> dict[str, str]:
    """Returns the text of each source. The functions of Fortran are a module, and the program around them is in C."""
    named = {k: neighbour.named(k) for k, neighbour in chosen.items()}
    texts = "".join(text for text, _ in named.values())
    calls = "".join(f"  case {k}: {call} break;\n" for k, (_, call) in named.items())
    main = f"int main(int count, char **words) {{\n  switch (atoi(words[count - 1])) {{\n{calls}  }}\n  return 0;\n}}\n"
    if kind.language == "fortran":
        return {
            "functions.f90": f"{kind.head}\ncontains\n{texts}end module\n",
            "main.c": _FORTRAN_HEAD + _externs(chosen) + main,
        }
    suffix = _COMPILERS[kind.language][1]
    library, native = (re.findall(rf"/\*{word}:(.*?)\*/", texts, re.S) for word in ("library", "native"))
    found = {f"main{suffix}": kind.head + texts + main}
    if library:
        found |= {"library.c": "\n".join([kind.others, *library]), "native.c": "\n".join([kind.others, *native])}
    return found


def _externs(chosen: dict[int, Neighbour]) -> str:
    return "".join(f"extern void case_{k}(double *, double *);\n" for k in chosen)


_FORTRAN_HEAD = """\
#include "head.h"
extern void __enzyme_autodiff_f(void *, ...), __enzyme_fwddiff_f(void *, ...);
static void call(void (*f)(double *, double *), double x, double *r) { f(&x, r); }
#define TRY_FORTRAN(f)                                                                                                 \\
  do {                                                                                                                 \\
    double x = 1.5, d = 0, r = 0, seed = 1, one = 1, forward = 0, up, down;                                            \\
    call(f, 1.5001, &up), call(f, 1.4999, &down);                                                                      \\
    __enzyme_autodiff_f((void *)f, &x, &d, &r, &seed);                                                                 \\
    __enzyme_fwddiff_f((void *)f, &x, &one, &r, &forward);                                                             \\
    judge(d, forward, (up - down) / 2e-4, 1e-5);                                                                       \\
  } while (0)
"""


def _said(folder: Path, *command: str | Path) -> str:
    """Returns what a command said if it failed."""
    try:
        done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return "the compiler or the link does not end"
    return (done.stdout + done.stderr).decode(errors="replace") + "it failed" if done.returncode else ""
