"""Gives atomic accesses of pointers the type of a pointer: clang makes them accesses of integers.

`std::atomic<T>` loads, stores and exchanges through variables on the stack, which have the type. What is written to a
pointer variable, or read from it, is a pointer. LLVM would keep the integers, and analyses would not know what lies
there. What an atomic load writes to an integer variable is an integer: clang declares no types of atomic accesses.
"""

from __future__ import annotations

import re

from enzyme_cc.analysis.type_analysis.declared.tbaa import INTEGER
from enzyme_cc.ir.text.metadata_numbers import first_free
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText
from enzyme_cc.link.participants import linkage

_VALUE = rf"%{NAME}"
_ATOMIC = re.compile(r" (?:load|store) atomic (?:volatile )?i\d+\b| cmpxchg | atomicrmw (?:volatile )?xchg ")
_LOADS = re.compile(rf"^(?P<load>  (?P<word>{_VALUE}) = load atomic (?:volatile )?(?P<type>i\d+),[^\n]*)", re.MULTILINE)
_WRITTEN = re.compile(rf"^  store (?P<type>i\d+) (?P<word>{_VALUE}), ptr (?P<variable>{_VALUE}),", re.MULTILINE)
_INTEGER_VARIABLE = re.compile(rf"^  ({_VALUE}) = alloca (i\d+),", re.MULTILINE)
_VARIABLE = re.compile(rf"^  ({_VALUE}) = alloca ptr,", re.MULTILINE)
_GIVEN = re.compile(rf"^  (?P<word>{_VALUE}) = load i64, ptr (?P<variable>{_VALUE}),", re.MULTILINE)
_TAKEN = re.compile(rf"^  store i64 (?P<word>{_VALUE}), ptr (?P<variable>{_VALUE}),", re.MULTILINE)
_LOAD = re.compile(rf"^  (?P<word>{_VALUE}) = load atomic (?:volatile )?i64,", re.MULTILINE)
_STORE = re.compile(rf"^  store atomic (?:volatile )?i64 (?P<word>{_VALUE}),", re.MULTILINE)
_SWAP = re.compile(
    rf"^  (?P<result>{_VALUE}) = atomicrmw (?:volatile )?xchg ptr {_VALUE}, i64 (?P<word>{_VALUE}) ", re.MULTILINE
)
_EXCHANGE = re.compile(
    rf"^  (?P<result>{_VALUE}) = cmpxchg (?:weak )?(?:volatile )?ptr {_VALUE}, i64 (?P<expected>{_VALUE}),"
    rf" i64 (?P<word>{_VALUE}) ",
    re.MULTILINE,
)
_PART = re.compile(rf"^  (?P<word>{_VALUE}) = extractvalue {{ i64, i1 }} (?P<pair>{_VALUE}), 0", re.MULTILINE)
_EITHER = re.compile(rf"extractvalue {{ i64, i1 }} (?P<pair>{_VALUE}),")


def with_atomic_pointers(text: str) -> str:
    """Returns a unit's text in which atomic accesses of pointers are those of pointers, and integers are declared."""
    if not _ATOMIC.search(text):
        return text
    number = first_free(text)

    def change(entity: Entity, body: str) -> str | None:
        if not (entity.is_function and entity.is_definition and _ATOMIC.search(body)):
            return None
        return _with_pointers(_with_integers(body, f", {INTEGER} !{number}"))

    return f"{linkage.edit(ModuleText(text), change)}\n!{number} = !{{}}\n"


def _with_integers(body: str, mark: str) -> str:
    types = dict(_INTEGER_VARIABLE.findall(body))
    integers = {m["word"] for m in _WRITTEN.finditer(body) if types.get(m["variable"]) == m["type"]}
    return _LOADS.sub(lambda m: m["load"] + mark if m["word"] in integers else m["load"], body)


def _with_pointers(body: str) -> str:
    variables = set(_VARIABLE.findall(body))
    words = {m["word"] for kind in (_GIVEN, _TAKEN) for m in kind.finditer(body) if m["variable"] in variables}
    exchanges = [m for m in _EXCHANGE.finditer(body) if m["word"] in words]
    pairs = {m["result"] for m in exchanges}
    words |= {m["expected"] for m in exchanges} | {m["result"] for m in _SWAP.finditer(body) if m["word"] in words}
    words |= {m["word"] for m in _PART.finditer(body) if m["pair"] in pairs}
    atomic = {m["word"] for kind in (_LOAD, _STORE, _SWAP) for m in kind.finditer(body)}
    atomic |= {m["result"] for m in _SWAP.finditer(body)} | {m["word"] for m in _PART.finditer(body)}
    atomic |= {m[name] for m in exchanges for name in ("expected", "word")}
    pointers = words & atomic

    def pointer(found: re.Match[str]) -> str:
        return found[0].replace("i64", "ptr") if found["word"] in pointers else found[0]

    for kind in (_GIVEN, _TAKEN, _LOAD, _STORE, _SWAP, _EXCHANGE, _PART):
        body = kind.sub(pointer, body)
    return _EITHER.sub(lambda m: m[0].replace("i64", "ptr") if m["pair"] in pairs else m[0], body)
