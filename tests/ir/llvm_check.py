"""What the tests of the IR model share: a round trip checked against LLVM itself."""

from __future__ import annotations

import re

import llvmlite.binding as llvm

from enzyme_cc.ir.module import Module


def parsed(text: str) -> Module:
    """The module with every function body and global parsed."""
    module = Module.parse(text)
    for name in module.functions:
        module.body(name)
    for name in module.globals:
        module.globals[name]
    return module


def as_llvm_prints(text: str) -> str:
    """The text read, verified and printed by LLVM, without comments. Raises RuntimeError where LLVM refuses it."""
    module = llvm.parse_assembly(text, llvm.create_context())
    module.verify()
    return without_comments(str(module))


def without_comments(text: str) -> str:
    text = re.sub(r" *; preds = .*| *; No predecessors!", "", text)
    return "\n".join(line for line in text.splitlines() if line and not line.startswith(";"))
