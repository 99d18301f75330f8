"""The state that the answers to all requests of one round share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.values import Value
from ..core.round import Round
from ..core.signature import Signature
from ..requests.request import Request
from .held_tapes import Tapes

Emit = Callable[["Answers", Builder, Request], list[Value]]


@dataclass(frozen=True)
class Answers:
    """The round, the tapes that the program holds, and what several requests have in common.

    - `evaluated_again`: functions that a `__enzyme_fwdsplit` evaluates again; their tapes keep what they overwrite.
    - `pairs`: the tables of `__enzyme_virtualreverse`, by signature.
    """

    round: Round
    tapes: Tapes
    evaluated_again: frozenset[str]
    pairs: dict[Signature, GlobalRef] = field(default_factory=dict)
