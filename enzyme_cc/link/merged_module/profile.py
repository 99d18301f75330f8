"""Counters of -fprofile-instr-generate, as LLVM's pass instrprof makes them, which llvmlite does not have.

clang's front end calls `llvm.instrprof.increment(name, hash, counters, index)` where a counter is to be raised. The
variable `__profn_…` that it passes holds the function's name. Before optimisation, the module gets, for each name,

- the counters, in section `__llvm_prf_cnts`;
- a record of them for the runtime library and llvm-profdata, in `__llvm_prf_data`;
- all names, also those of functions that are not used, in `__llvm_prf_names`: the coverage mapping refers to them.

The calls stay while derivatives are made: they have none, and what they count is no memory of the program. In the end
they become additions. A gradient counts where it runs the primal.

The layout of records is that of LLVM 19 and later: llvm/include/llvm/ProfileData/InstrProfData.inc.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import count

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import NAME, ModuleText, quoted, unquoted
from enzyme_cc.link.merged_module.merge import link_in

_NAME_VARIABLE = "__profn_"
_STRING = re.compile(r'constant \[\d+ x i8\] c"(?P<bytes>[^"]*)"')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2})")
_INCREMENT = re.compile(
    rf"^  (?:tail )?call void @llvm\.instrprof\.increment(?:\.step)?\(ptr (?:nonnull )?@(?P<name>{NAME}), "
    r"i64 (?P<hash>-?\d+), i32 (?P<counters>\d+), i32 (?P<index>\d+)(?:, i64 (?P<step>[^)]+))?\)[^\n]*$",
    re.M,
)
_RECORD = "{ i64, i64, i64, i64, ptr, ptr, i32, [3 x i16], i32 }"


def is_counted(names: Iterable[str]) -> bool:
    """True if one of a module's global variables is the name of a function with counters."""
    return any(name.startswith(_NAME_VARIABLE) for name in names)


def records(text: str) -> str:
    """Returns a module with the counters and records of the functions that a module counts, and with their names."""
    module = ModuleText(text)
    names = {e.name: _string(module.of(e)) for e in module.entities.values() if e.name.startswith(_NAME_VARIABLE)}
    shapes = {unquoted(found["name"]): (found["hash"], found["counters"]) for found in _INCREMENT.finditer(text)}
    lines = [line for symbol, shape in shapes.items() for line in _record(symbol, names[symbol], *shape)]
    all_names = b"\x01".join(dict.fromkeys(names.values()))
    stored = _uleb128(len(all_names)) + b"\0" + all_names
    lines.append(f'@__llvm_prf_nm = internal constant [{len(stored)} x i8] c"{_escaped(stored)}"{_in("names", 1)}')
    used = ["@__llvm_prf_nm", *(_data(symbol) for symbol in shapes)]
    elements = ", ".join(f"ptr {symbol}" for symbol in used)
    lines.append(f'@llvm.compiler.used = appending global [{len(used)} x ptr] [{elements}], section "llvm.metadata"')
    return "\n".join(lines) + "\n"


def link_counters(module: llvm.ModuleRef, context: llvm.ContextRef) -> None:
    """Adds counters and records to a module with functions that are counted."""
    if is_counted(variable.name for variable in module.global_variables):
        link_in(module, llvm_passes.parse(records(str(module)), context), "the counters of the profile")


def _record(symbol: str, name: bytes, function_hash: str, counters: str) -> Iterator[str]:
    md5 = int.from_bytes(hashlib.md5(name, usedforsecurity=False).digest()[:8], "little", signed=True)
    own, data = _counters(symbol), _data(symbol)
    offset = f"i64 sub (i64 ptrtoint (ptr {own} to i64), i64 ptrtoint (ptr {data} to i64))"
    rest = f"i64 0, ptr null, ptr null, i32 {counters}, [3 x i16] zeroinitializer, i32 0"
    yield f"{own} = internal global [{counters} x i64] zeroinitializer{_in('cnts', 8)}"
    yield f"{data} = internal global {_RECORD} {{ i64 {md5}, i64 {function_hash}, {offset}, {rest} }}{_in('data', 8)}"


def with_additions(text: str) -> str:
    """Returns the text in which counters are raised by ordinary instructions."""
    if not _INCREMENT.search(text):
        return text
    numbers = count()

    def addition(found: re.Match[str]) -> str:
        n = next(numbers)
        place = f"ptr getelementptr (i8, ptr {_counters(unquoted(found['name']))}, i64 {8 * int(found['index'])})"
        return (
            f"  %ez.count.{n} = load i64, {place}, align 8\n"
            f"  %ez.counted.{n} = add i64 %ez.count.{n}, {found['step'] or 1}\n"
            f"  store i64 %ez.counted.{n}, {place}, align 8"
        )

    return _INCREMENT.sub(addition, text)


def _counters(symbol: str) -> str:
    return "@" + quoted(symbol.replace(_NAME_VARIABLE, "__profc_", 1))


def _data(symbol: str) -> str:
    return "@" + quoted(symbol.replace(_NAME_VARIABLE, "__profd_", 1))


def _in(section: str, alignment: int) -> str:
    return f', section "__llvm_prf_{section}", align {alignment}'


def _string(line: str) -> bytes:
    found = _STRING.search(line)
    assert found is not None, line
    return _ESCAPE.sub(lambda e: bytes([int(e[1], 16)]), found["bytes"].encode("latin-1"))


def _escaped(data: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


def _uleb128(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _uleb128(rest) if rest else bytes([low])
