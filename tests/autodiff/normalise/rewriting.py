"""Small functions before and after a rewriting pass."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Function

Rewriting = Callable[[Module, Function], object]


def becomes(rewriting: Rewriting, before: str, after: str, name: str = "@f") -> None:
    """Asserts that the rewriting makes `after`, a body, of that function in the module `before`."""
    module = Module.parse(dedent(before))
    rewriting(module, module.body(name))
    assert body(str(module), name) == lines(after)


def is_unchanged(rewriting: Rewriting, before: str, name: str = "@f") -> None:
    """Asserts that the rewriting leaves that function as it is."""
    becomes(rewriting, before, "\n".join(body(dedent(before), name)), name)


def body(text: str, name: str = "@f") -> list[str]:
    """Returns the lines of a function in a module, which LLVM accepts; else raises LLVMError."""
    llvm_passes.verify(llvm_passes.parse(text))
    found = text.splitlines()
    start = next(k for k, line in enumerate(found) if line.startswith("define ") and f" {name}(" in line)
    return lines("\n".join(found[start + 1 : found.index("}", start)]))


def lines(text: str) -> list[str]:
    """Returns the lines that are not empty, without indentation."""
    return [line.strip() for line in text.splitlines() if line.strip()]
