"""What a derivative rule is, and how rows of text become rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .expression import Expression

Partials = tuple[Expression, ...]
#: plain: operand by operand (vectors lane by lane). cast: as plain, but operand and result differ in float type.
#: reduce: vector to scalar, see `reduce.partials`. complex: operands and result count component by component, see
#: `components`.
RuleKind = Literal["plain", "cast", "reduce", "complex"]


@dataclass(frozen=True, eq=False)
class Rule:
    """The partial derivatives of one function or instruction.

    partials: of the result with respect to each operand; 0 for operands that cannot carry a derivative. Operands past
        the end (metadata of constrained intrinsics) have none.
    fields: where the result is a struct, the partials of each of its fields instead.
    outputs: of the float that is stored through operand k, with respect to each operand.
    """

    name: str
    partials: Partials
    fields: tuple[Partials, ...] = ()
    outputs: Mapping[int, Partials] = field(default_factory=dict)
    kind: RuleKind = "plain"

    @property
    def is_constant(self) -> bool:
        """Piecewise constant in every operand: the derivative is zero, or undefined."""
        return all(partial.is_zero for partial in self.every_partial)

    @property
    def every_partial(self) -> Iterable[Expression]:
        for row in (self.partials, *self.fields, *self.outputs.values()):
            yield from row


def partials(*texts: str) -> Partials:
    return tuple(map(Expression.parse, texts))


def rows(table: Mapping[str, tuple[str, ...]]) -> dict[str, Rule]:
    """One rule per row: name → text of the partial for each operand."""
    return {name: Rule(name, partials(*texts)) for name, texts in table.items()}


def constant_rows(names: str, operands: int = 1) -> dict[str, Rule]:
    """Rules of piecewise constant functions; `names` is a list in one string."""
    return {name: Rule(name, partials(*["0"] * operands)) for name in names.split()}


def renamed(name: str, rule: Rule) -> Rule:
    return Rule(name, rule.partials, rule.fields, rule.outputs, rule.kind)
