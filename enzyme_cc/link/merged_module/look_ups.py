"""The runtime's look-ups of shadows: inlined, except in modules with a thousand of them.

There, they would be most of what LLVM optimises: of Box2D's world, made in the differentiated function, 60 %.
"""

from __future__ import annotations

import re

import llvmlite.binding as llvm

#: with so many look-ups in a module, none is inlined
_MANY = 1000

#: the look-ups in unshadowed memory, of numbers (no_shadow_numbers.c) and of pointers (no_shadow.c): called
#: where the quick test of memory says so
_QUICK = ("recent_number", "recently_expected", "quickly_noted")
_LOOK_UP = re.compile(r"call [^@\n]*@__ez_foreign_(?:number|load)\(")
#: these go through words one by one (mixed.c), and LLVM would repeat them for each size
_BY_WORDS = re.compile(r"call [^@\n]*@__ez_(?:told|mixed|keep|clear)\w*\([^\n]*\)(?=[ ,]|$)", re.MULTILINE)


def has_many(text: str) -> bool:
    """Returns whether the module has too many look-ups to inline them."""
    return sum(1 for _ in _LOOK_UP.finditer(text)) >= _MANY


def with_calls(text: str) -> str:
    """Returns the module's text, in which what goes through words is not inlined."""
    return _BY_WORDS.sub(lambda call: f"{call[0]} noinline", text)


def settle(runtime: llvm.ModuleRef, are_many: bool) -> None:
    """Tells LLVM whether to inline the look-ups, before the runtime is linked into a module."""
    for name in _QUICK:
        runtime.get_function(name).add_function_attribute("noinline" if are_many else "alwaysinline")
