"""Tests, when a program starts, that its shared libraries are those that it was linked with.

Derivatives are made of the code that a library had then. A library exports a symbol whose name changes with its code.
"""

from __future__ import annotations

from collections.abc import Mapping

from enzyme_cc.rules.runtime_functions import OTHER_LIBRARY

_TEST = "ez.test_libraries"


def tests_of_libraries(libraries: Mapping[str, str]) -> str:
    """Returns the definition, as text, of a function that runs first. `libraries`: file names by exported symbol."""
    names = sorted(libraries.items())
    lines = [f"@{symbol} = extern_weak global i8" for symbol, _ in names]
    lines += [f"@ez.library.{k} = internal constant {_text(name)}" for k, (_, name) in enumerate(names)]
    lines += [
        f'@{_TEST}.first = hidden global ptr @{_TEST}, section ".init_array"',
        f"declare void @{OTHER_LIBRARY.name}(ptr)",
        f"define internal void @{_TEST}() {{",
        "  br label %test.0",
    ]
    for k, (symbol, _) in enumerate(names):
        lines += [
            f"test.{k}:",
            f"  %missing.{k} = icmp eq ptr @{symbol}, null",
            f"  br i1 %missing.{k}, label %other.{k}, label %test.{k + 1}",
            f"other.{k}:",
            f"  call void @{OTHER_LIBRARY.name}(ptr @ez.library.{k})",
            "  unreachable",
        ]
    return "\n".join(["", *lines, f"test.{len(names)}:", "  ret void", "}", ""])


def _text(name: str) -> str:
    data = name.encode("utf-8", "surrogateescape") + b"\0"
    return f'[{len(data)} x i8] c"' + "".join(f"\\{byte:02X}" for byte in data) + '"'
