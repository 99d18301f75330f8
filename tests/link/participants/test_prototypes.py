"""The types of library functions are those of the C library's headers."""

from __future__ import annotations

import re
import shutil
import subprocess

from enzyme_cc.link.participants.pointers.prototypes import _TYPES

_CLANG = next((name for name in ("clang-22", "clang") if shutil.which(name)), "clang-22")
_HEADERS = "math.h stdlib.h string.h strings.h stdio.h malloc.h unistd.h"
#: glibc 2.36 has no such functions, the C++ operators are in no header, and some names are macros
_NOT_DECLARED = re.compile("error: use of undeclared identifier '([^']+)'")


def _run(names: list[str]) -> subprocess.CompletedProcess[str]:
    source = "".join(f"#include <{header}>\n" for header in _HEADERS.split()) + "#undef isnan\n#undef isinf\n"
    source += "".join(f"void *volatile keep_{name} = (void *){name};\n" for name in names)
    command = [_CLANG, "-D_GNU_SOURCE", "-w", "-ferror-limit=0", "-S", "-emit-llvm", "-x", "c", "-", "-o", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True)


def _declared(text: str) -> dict[str, str]:
    found = {}
    for result, name, parameters in re.findall(r"^declare ([^@]*) ?@([\w]+)\((.*?)\) #", text, re.M):
        types = [part.split(" ")[0] for part in parameters.split(", ") if part]
        found[name] = f"{result.split()[-1]} ({', '.join(types)})"
    return found


def test_types_are_those_of_the_headers() -> None:
    names = [name for name in _TYPES if not name.startswith("_Z")]
    missing = set(_NOT_DECLARED.findall(_run(names).stderr))
    declared = _declared(_run([name for name in names if name not in missing]).stdout)
    assert len(declared) > 100
    assert {name: _TYPES[name] for name in declared} == declared
