"""Pointers in memory as the source writes them, by debug information: `p->next->data`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ....ir.indices import address_terms
from ....ir.values import Function, Instruction, Value
from .debug_types import DebugTypes

_VARIABLE = re.compile(r"#dbg_value\(ptr \0, (!\d+), !DIExpression\(\)")
_LONG = 12


class _Written(NamedTuple):
    """An expression of the source, and its declared type: a name of metadata."""

    text: str
    type: str


class SourcePaths:
    """Writes what loads read. Names are those of the function's variables and of the members of their types."""

    def __init__(self, types: DebugTypes) -> None:
        self._types = types
        self._variables: dict[Function, dict[Value, _Written]] = {}

    def of(self, load: Instruction) -> str | None:
        """Returns the expression that a load reads; None if debug information does not tell."""
        found = self._read(load, 0)
        return found.text if found is not None else None

    def _read(self, load: Instruction, depth: int) -> _Written | None:
        base, constant, is_indexed = load.operands[0], 0, False
        while isinstance(base, Instruction) and base.opcode == "getelementptr":
            more, variable = address_terms(base.source_type, base.operands[1:])
            base, constant, is_indexed = base.operands[0], constant + more, is_indexed or bool(variable)
        pointer = self._value(base, load, depth)
        pointee = self._types.pointee(pointer.type) if pointer is not None else ""
        size = self._types.size(pointee)
        if pointer is None or not size:
            return None
        index, offset = divmod(constant, size)
        part = self._types.part(pointee, offset)
        if part is None:
            return None
        inside, type_ = part
        if is_indexed or index:
            return _Written(f"{pointer.text}[{'...' if is_indexed else index}]{inside}", type_)
        is_member = inside.startswith(".")
        return _Written(f"{pointer.text}->{inside[1:]}" if is_member else f"*{pointer.text}{inside}", type_)

    def _value(self, value: Value, load: Instruction, depth: int) -> _Written | None:
        assert load.block is not None and load.block.function is not None
        if isinstance(value, Instruction) and value.opcode == "load" and depth < _LONG:
            found = self._read(value, depth + 1)
            if found is not None:
                return found
        return self._variables_of(load.block.function).get(value)

    def _variables_of(self, function: Function) -> dict[Value, _Written]:
        if function not in self._variables:
            found = self._variables[function] = {}
            for record in (record for i in function.instructions() for record in i.debug_records):
                match = _VARIABLE.match("\0".join(record.pieces)) if record.values else None
                if match is not None:
                    found.setdefault(record.values[0], _Written(*self._types.variable(match[1])))
        return self._variables[function]
