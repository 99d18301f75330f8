"""Dimensions of arrays: expressions of integers and integer parameters, such as `n`, `3` and `n*(n+1)//2`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

#: the operations of an expression in the order of their codes in `postfix`
CONSTANT, SYMBOL, ADD, SUBTRACT, MULTIPLY, DIVIDE = range(6)
_OPERATORS: dict[type[ast.operator], tuple[int, str]] = {
    ast.Add: (ADD, "+"),
    ast.Sub: (SUBTRACT, "-"),
    ast.Mult: (MULTIPLY, "*"),
    ast.FloorDiv: (DIVIDE, "/"),
    ast.Div: (DIVIDE, "/"),
}


class ExtentError(ValueError):
    """The text is no dimension."""


class Extent(NamedTuple):
    """The extent of one axis, as text. `/` and `//` both divide and round down."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Extent:
        """Returns a dimension. Raises `ExtentError`."""
        dimension = cls(text.strip())
        dimension.postfix(dict.fromkeys(dimension.names, 0))
        return dimension

    @property
    def names(self) -> frozenset[str]:
        """The integer parameters in the expression."""
        return frozenset(node.id for node in ast.walk(_tree(self.text)) if isinstance(node, ast.Name))

    def value(self, sizes: Mapping[str, int]) -> int:
        """Returns the extent where the integer parameters have these values."""
        stack: list[int] = []
        order = list(sizes)
        for operation, operand in self.postfix({name: i for i, name in enumerate(order)}):
            if operation == CONSTANT:
                stack.append(operand)
            elif operation == SYMBOL:
                stack.append(sizes[order[operand]])
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(_apply(operation, left, right))
        return stack[0]

    def postfix(self, symbols: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
        """Returns the expression for a stack machine: pairs of an operation and its operand.

        The operand of SYMBOL is the number of the parameter in `symbols`.
        """
        return tuple(self._postfix(_tree(self.text), symbols))

    def _postfix(self, node: ast.expr, symbols: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield CONSTANT, node.value
        elif isinstance(node, ast.Name):
            yield SYMBOL, symbols[node.id]
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            yield from self._postfix(node.left, symbols)
            yield from self._postfix(node.right, symbols)
            yield _OPERATORS[type(node.op)][0], 0
        else:
            raise ExtentError(f"{self.text!r} is no dimension: it may have integers, names, + - * / and brackets")

    def in_c(self, symbols: Mapping[str, str]) -> str:
        """Returns the expression as C. `symbols` gives the C expression of each parameter."""
        return _in_c(_tree(self.text), symbols)

    def solved(self, name: str, extent: int, sizes: Mapping[str, int]) -> int | None:
        """Returns the value of the parameter `name` that gives this extent; None if no integer does.

        The expression must be linear in the parameter; all other parameters are in `sizes`.
        """
        at_zero = self.value({**sizes, name: 0})
        slope = self.value({**sizes, name: 1}) - at_zero
        if slope == 0 or (extent - at_zero) % slope:
            return None
        solution = (extent - at_zero) // slope
        return solution if self.value({**sizes, name: solution}) == extent else None


@cache
def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ExtentError(f"{text!r} is no dimension") from None


def _apply(operation: int, left: int, right: int) -> int:
    if operation == ADD:
        return left + right
    if operation == SUBTRACT:
        return left - right
    if operation == MULTIPLY:
        return left * right
    return left // right if right else 0


def _in_c(node: ast.expr, symbols: Mapping[str, str]) -> str:
    if isinstance(node, ast.BinOp):
        return f"({_in_c(node.left, symbols)} {_OPERATORS[type(node.op)][1]} {_in_c(node.right, symbols)})"
    return symbols[node.id] if isinstance(node, ast.Name) else f"(int64_t){ast.unparse(node)}"
