"""What the merged module needs if units of shared libraries take part: it is bound to the libraries when it starts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.inputs.units import Carrier
from enzyme_cc.link.participants.linkage import edit
from enzyme_cc.rules.runtime_functions import OTHER_LIBRARY

# The function that looks, when a program starts, whether its shared libraries are those that it was linked with.
_TEST = "ez.test_libraries"
_BOUND = re.compile(r"\b(?:dso_local|hidden|protected) ")
# A declaration, up to the place of its linkage.
_DECLARED = re.compile(r'^(?:declare |@(?:"[^"\n]*"|[-\w.$]+) = )')


def bound_at_run_time(module: ModuleText, carriers: Iterable[Carrier]) -> str:
    """Returns the text in which what shared libraries define is found when the program starts, wherever it is.

    The library's own bitcode may say that a definition is in the same output. Second names may be missing in another
    library; then the test of libraries tells it (`tests_of_libraries`).
    """
    exported = {name for carrier in carriers for name in carrier.exported}
    second = {name for carrier in carriers for name in (*carrier.names.values(), *carrier.hidden.values())}
    symbols = exported | second

    def change(entity: Entity, text: str) -> str | None:
        if entity.is_definition or entity.name not in symbols:
            return None
        free = _BOUND.sub("", text)
        return (
            free if entity.name not in second else _DECLARED.sub(r"\g<0>extern_weak ", free.replace("external ", "", 1))
        )

    return edit(module, change)


def tests_of_libraries(libraries: Mapping[str, str]) -> str:
    """Returns the definition, as text, of a function that runs first, and ends a program that has another library.

    Derivatives are made of the code that a library has at the link. `libraries`: file names, by the exported symbol
    whose name changes with that code.
    """
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


def with_shared_libraries(text: str, carriers: Sequence[Carrier]) -> str:
    """Returns the text that finds what shared libraries define, and that tests which libraries it is given."""
    found = {carrier.identity: os.path.basename(carrier.path) for carrier in carriers}
    return bound_at_run_time(ModuleText(text), carriers) + tests_of_libraries(found)
