"""The type of derivative rules, and functions that make rules from rows of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, field

from .expression import Expression

Partials = tuple[Expression, ...]
#: plain: one partial for each operand; vectors are handled lane by lane. cast: as plain, but operand and result have
#: different float types. reduce: from a vector to a scalar, see `reduce.partials`. complex: each component of operands
#: and result counts as one number, see `complex.components`.
RuleKind = Literal["plain", "cast", "reduce", "complex"]


class Rule(Struct, frozen=True, eq=False):
    """The partial derivatives of one function or instruction.

    partials: of the result, with respect to each operand; 0 for operands that cannot carry a derivative. Operands
        beyond the last partial (metadata of constrained intrinsics) have none.
    fields: the partials of each field, if the result is a struct; `partials` are then 0.
    outputs: for an operand k, the partials of the number that the function stores through that operand.
    """

    name: str
    partials: Partials
    fields: tuple[Partials, ...] = ()
    outputs: Mapping[int, Partials] = field(default_factory=dict)
    kind: RuleKind = "plain"

    @property
    def is_constant(self) -> bool:
        """True if the function is piecewise constant in every operand: the derivative is zero or undefined."""
        return all(partial.is_zero for partial in self.every_partial)

    @property
    def every_partial(self) -> Iterable[Expression]:
        for row in (self.partials, *self.fields, *self.outputs.values()):
            yield from row


def partials(*texts: str) -> Partials:
    return tuple(map(Expression.parse, texts))


def rows(table: Mapping[str, tuple[str, ...]]) -> dict[str, Rule]:
    """Returns one rule for each row: name → texts of the partials, one for each operand."""
    return {name: Rule(name, partials(*texts)) for name, texts in table.items()}


def constant_rows(names: str, operands: int = 1) -> dict[str, Rule]:
    """Returns rules of piecewise constant functions; `names` is a list in one string."""
    return {name: Rule(name, partials(*["0"] * operands)) for name in names.split()}


def renamed(name: str, rule: Rule) -> Rule:
    return Rule(name, rule.partials, rule.fields, rule.outputs, rule.kind)
