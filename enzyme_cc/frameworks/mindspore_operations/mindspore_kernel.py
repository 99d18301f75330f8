"""The C functions that MindSpore calls: one for each entry point, compiled into the cache."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from enzyme_cc.cache.entries import current
from enzyme_cc.cache.tools import tools_identity
from enzyme_cc.frameworks.applied_function import AppliedFunction
from enzyme_cc.functions.compilation import SHARED, Toolchain
from enzyme_cc.functions.entry_points import OUTPUT, slots
from enzyme_cc.functions.progress import building
from enzyme_cc.functions.sources import tool

_SYMBOL = "enzyme_cc_mindspore"
_HEAD = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
extern int {entry}(void *const *, const int64_t *);
extern const char *enzyme_cc_message(void);
int {symbol}(int count, void **data, int *ranks, int64_t **shapes, const char **types, void *stream, void *more) {{
  static char nowhere[64]; // arrays without elements have an address, since NULL stands for a missing array
  int64_t sizes[{sizes}];
  void *buffers[{buffers}];
"""
_TAIL = """\
  const int status = {entry}(buffers, sizes);
  if (status)
    fprintf(stderr, "{name}: %s\\n", status == 1 ? enzyme_cc_message() : "no memory");
  return status;
}}
"""


def kernel(applied: AppliedFunction, kind: str) -> str:
    """Returns path:function, as MindSpore wants it. Raises `CompileError`."""
    point = applied.function.entry_point(kind)
    text = "".join(_source(applied, kind, point.symbol))

    def build(folder: str) -> Sequence[str]:
        source = Path(folder, "kernel.c")
        source.write_text(text)
        with building(f"{kind} of {applied.function.__name__} for MindSpore", False) as show:
            command = [tool("enzyme-cc"), "-O1", "-w", "-fPIC", *SHARED, str(source), point.path]
            Toolchain(show).run([*command, "-o", os.path.join(folder, "kernel.so")])
        return (point.path,)

    entry = current("functions").find_or_build([tools_identity(), "MindSpore", point.path, text], build)
    return f"{entry.file('kernel.so')}:{_SYMBOL}"


def _source(applied: AppliedFunction, kind: str, entry: str) -> Iterator[str]:
    interface = applied.interface
    found = slots(interface, kind)
    yield _HEAD.format(entry=entry, symbol=_SYMBOL, sizes=len(interface.sizes) + 1, buffers=len(found) + 1)
    index = {size.name: i for i, size in enumerate(interface.sizes)}
    symbols = {name: f"sizes[{i}]" for name, i in index.items()}
    for name, value in applied.passed:
        yield f"  {symbols[name]} = {value};\n"
    for name, i, axis in interface.solutions:
        rank = len(interface.inputs[i].dimensions)
        at = rank - 1 - axis if interface.order == "F" else axis
        dimension = interface.inputs[i].dimensions[axis]
        zero, one = (f"({dimension.in_c({**symbols, name: f'(int64_t){k}'})})" for k in (0, 1))
        yield f"  {symbols[name]} = (shapes[{i}][{at}] - {zero}) / ({one} - {zero});\n"
    arguments, results = applied.arguments(kind), applied.results(kind)
    places = {(group, p.name): i for i, (group, p) in enumerate(arguments)}
    places |= {(group, p.name): len(arguments) + i for i, (group, p) in enumerate(results)}
    for i, slot in enumerate(found):
        place = places.get((slot.group, slot.argument.name))
        if place is None:
            yield f"  buffers[{i}] = 0;\n"
            continue
        yield f"  buffers[{i}] = data[{place}] ? data[{place}] : nowhere;\n"
        if slot.group == OUTPUT and slot.argument.role == "out":
            factors = [f"(size_t){d.in_c(symbols)}" for d in slot.argument.dimensions]
            yield f"  memset(buffers[{i}], 0, {' * '.join([*factors, str(slot.argument.element.size)])});\n"
    yield _TAIL.format(entry=entry, name=applied.function.__name__)
