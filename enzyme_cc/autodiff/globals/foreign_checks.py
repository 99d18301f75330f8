"""Checks when a request begins: memory that carries a derivative must not be reachable by a second name."""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.callees import plain_name
from ...ir.constants import GlobalRef
from ...ir.folding import int_constant
from ...ir.types import I1
from ...ir.values import Value
from .foreign_code import ForeignFunction, Pointed
from .foreign_refusals import ALIAS, NAMED
from .pointing import size_of


def emit_check(body: ForeignFunction) -> None:
    """Refuses pointers in inactive globals that point at memory with a derivative."""
    blocks = [body.block(word) for pool in body.pools for word in pool.first]
    for name, offset in body.each_of(body.round.foreign_pointers.inactive):
        refuse_alias(body, body.load(GlobalRef.of(name), offset), int_constant(1, I1), name, blocks)


def refuse_alias(
    body: ForeignFunction, pointer: Value, matters: Value, name: str, blocks: Iterable[Pointed] = ()
) -> None:
    for pointed in (*body.pointed, *blocks):
        inside, _ = body.inside(pointer, pointed)
        body.refuse(body.b.int_op("and", matters, inside), ALIAS % plain_name(name))


def emit_named(body: ForeignFunction) -> None:
    """Refuses arguments that lie in a global, unless their shadow lies at the same offset in the global's shadow."""
    for name in body.round.foreign_pointers.numbers:
        size, message = int_constant(size_of(body.round, name)), NAMED % ((plain_name(name),) * 2)
        shadows = body.shadows(name) if name in body.round.state.active_globals else []
        for argument in body.arguments:
            inside, distance = body.inside(argument.start, Pointed(GlobalRef.of(name), size, shadows))
            for shadow, given in zip(shadows, argument.shadows, strict=False):
                other = body.b.icmp("ne", given, body.b.offset(shadow, distance, ()))
                body.refuse(body.b.int_op("and", inside, other), message)
            if not shadows:
                body.refuse(inside, message)
