"""Operands of instructions: values and blocks, by the names that a function's text gives them.

A value used before its definition is a placeholder until then; a block named by a terminator is made at once.
"""

from __future__ import annotations

from ..types import Type
from ..values import Block, Function, Local, Value
from .context import Context
from .lexer import Unexpected


class Operands:
    """The names of one function that is being parsed: those that are defined, and those that are awaited.

    Parse functions are given a token list and an index, and return a value and the index after it.
    """

    __slots__ = (
        "awaited_blocks", "awaited_values", "constants", "context", "function", "locals", "next_number", "types",
    )  # fmt: skip

    def __init__(self, context: Context, function: Function) -> None:
        self.context = context
        self.types = context.types
        self.constants = context.constants
        self.function = function
        self.locals: dict[str, Local] = {}
        self.awaited_values: dict[str, Local] = {}
        self.awaited_blocks: dict[str, Block] = {}
        self.next_number = 0

    def define(self, key: str, local: Local) -> None:
        """Enters a value by its printed name (with %); "" and all digits mean a number."""
        if not key or key[1:].isdigit():
            key = self.number(key)
        else:
            local.name = key[1:]
        if key in self.locals:
            raise Unexpected(f"{key} is defined twice", 0)
        self.locals[key] = local
        if self.awaited_values:
            placeholder = self.awaited_values.pop(key, None)
            if placeholder is not None:
                if placeholder.type != local.type:
                    raise Unexpected(f"{key} is of type {local.type}, but was used as {placeholder.type}", 0)
                placeholder.replace_uses(local)

    def number(self, key: str) -> str:
        number = int(key[1:]) if key else self.next_number
        if number < self.next_number:
            raise Unexpected(f"expected the number %{self.next_number} or a higher one, found {key}", 0)
        self.next_number = number + 1
        return f"%{number}"

    def type(self, tokens: list[str], i: int) -> tuple[Type, int]:
        found = self.types.get(tokens[i])
        if found is not None:
            return found, i + 1
        return self.context.type(tokens, i)

    def operand(self, type_: Type, tokens: list[str], i: int) -> tuple[Value, int]:
        """Returns the value at index i, of a type already parsed."""
        token = tokens[i]
        if token[0] != "%":
            constant = self.constants.get((id(type_), token))
            return (constant, i + 1) if constant is not None else self.context.constant(type_, tokens, i)
        value = self.locals.get(token) or self.awaited_values.get(token)
        if value is None:
            value = self.awaited_values[token] = Local(type_)
        elif value.type is not type_ and value.type != type_:
            raise Unexpected(f"{token} is of type {value.type}, not {type_}", i)
        return value, i + 1

    def typed_operand(self, tokens: list[str], i: int) -> tuple[Value, int]:
        type_ = self.types.get(tokens[i])
        if type_ is not None:
            return self.operand(type_, tokens, i + 1)
        type_, i = self.context.type(tokens, i)
        return self.operand(type_, tokens, i)

    def destination(self, tokens: list[str], i: int) -> tuple[Block, int]:
        """`label %x`."""
        if tokens[i] != "label":
            raise Unexpected(f"expected 'label', found '{tokens[i]}'", i)
        return self.target(tokens, i + 1)

    def target(self, tokens: list[str], i: int) -> tuple[Block, int]:
        """Returns a block by its name alone, as in phi."""
        token = tokens[i]
        found = self.locals.get(token) or self.awaited_blocks.get(token)
        if isinstance(found, Block):
            return found, i + 1
        if found is not None or token[:1] != "%":
            raise Unexpected(f"{token} is not a block", i)
        made = self.awaited_blocks[token] = Block("", self.function)
        return made, i + 1

    def named(self, name: str) -> Local:
        found = self.locals.get(f"%{name}")
        if found is None:
            raise Unexpected(f"a debug record names the undefined value %{name}", 0)
        return found
