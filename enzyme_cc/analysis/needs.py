"""What the reverse sweep needs of the forward sweep, and from which source each such value comes.

A need names one value of the forward sweep, as it was in the iteration that the reverse sweep is inverting. A need is
*free* (an argument, a constant, a static alloca), *computed* again from other needs (a recipe; a load is one, where
nothing overwrites the memory), or *stored* by the forward sweep. The stored set is a minimum cut of the graph of
recipes, weighted by bytes times estimated executions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..ir.cfg import ControlFlow, Loop
from ..ir.types import I8, I32, I64, PTR, Type, alloc_size
from ..ir.values import Argument, Block, Constant, Function, Instruction, Value
from .activity import Activity
from .callees import CalleeKind
from .loops import Induction, induction
from .mincut import minimum_vertex_cut
from .reversal import Reversal


class Need(NamedTuple):
    """kind and what it is of:

    primal, shadow: a value; source: a block (index into Reversal.sources); last: a loop (its last iteration number);
    record: a loop (where its tape is); tape: a call (the callee's tape); size: a reallocation (bytes moved);
    bytes: a copy (what the shadow of its source held);
    exit: None (index of the return block); mask: a memory operation.
    """

    kind: str
    of: Value | Loop | None


def need_type(need: Need) -> Type:
    if need.kind in ("primal", "shadow"):
        assert isinstance(need.of, Value)
        return need.of.type
    if need.kind == "source" and isinstance(need.of, Block) and len(need.of.users) > 100:
        return I32
    return {"source": I8, "last": I64, "record": PTR, "tape": PTR, "size": I64, "bytes": PTR, "exit": I8}[need.kind]


#: instructions whose result depends on their operands alone, and that cost little
_RECOMPUTABLE = frozenset(
    """add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv fneg icmp fcmp select
    trunc zext sext fptrunc fpext fptosi fptoui sitofp uitofp bitcast ptrtoint inttoptr addrspacecast getelementptr
    extractvalue insertvalue extractelement insertelement shufflevector""".split()
)
#: intrinsics that cost about as much as an addition
_CHEAP_CALLS = (
    "fabs",
    "fmuladd",
    "fma",
    "copysign",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "smax",
    "smin",
    "umax",
    "umin",
    "abs",
    "minnum",
    "maxnum",
    "minimum",
    "maximum",
    "is.fpclass",
    "fshl",
    "fshr",
    "ctpop",
    "ctlz",
    "cttz",
    "bswap",
    "usub.sat",
    "uadd.sat",
    "ssub.sat",
    "sadd.sat",
    "minimumnum",
    "maximumnum",
    "with.overflow",
)
_CHEAP_FUNCTIONS = frozenset(
    f"@{name}{suffix}" for name in ("sqrt", "fabs", "floor", "ceil") for suffix in ("", "f", "l")
)
_SHADOW_COPIES = frozenset(
    "select bitcast ptrtoint inttoptr addrspacecast extractvalue extractelement shufflevector freeze".split()
)


class Recipes:
    """How each need can be computed from others. `intact(load)`: its memory is still the same in reverse."""

    def __init__(
        self,
        function: Function,
        flow: ControlFlow,
        activity: Activity,
        reversal: Reversal,
        intact: Callable[[Instruction], bool],
        split: bool,
    ) -> None:
        self.function = function
        self.flow = flow
        self.activity = activity
        self.reversal = reversal
        self.intact = intact
        self.split = split
        self._inductions: dict[Instruction, Induction | None] = {}

    def scope(self, need: Need) -> Loop | None:
        """The innermost loop in each of whose iterations the need has one value."""
        if need.kind in ("last", "record"):
            assert isinstance(need.of, Loop)
            return need.of.parent
        if isinstance(need.of, Block):
            return self.flow.loop_of[need.of]
        if isinstance(need.of, Instruction) and need.of.block is not None:
            return self.flow.loop_of[need.of.block]
        return None

    def induction(self, phi: Instruction) -> Induction | None:
        if phi not in self._inductions:
            assert phi.block is not None
            loop = self.flow.loop_of[phi.block]
            found = induction(phi, loop) if loop is not None and loop.header is phi.block else None
            self._inductions[phi] = found
        return self._inductions[phi]

    def is_free(self, need: Need) -> bool:
        value = need.of
        if need.kind not in ("primal", "shadow"):
            return False
        if isinstance(value, Constant | Argument):
            return True
        return isinstance(value, Instruction) and not self.split and self.is_static_alloca(value)

    def is_static_alloca(self, value: Instruction) -> bool:
        return (
            value.opcode == "alloca"
            and value.block is self.function.entry
            and all(isinstance(o, Constant) for o in value.operands)
        )

    def inputs(self, need: Need) -> list[Need] | None:
        """What the need is computed from; None where it can only be stored."""
        if need.kind == "primal":
            assert isinstance(need.of, Instruction)
            return self._primal_inputs(need.of)
        if need.kind == "shadow":
            assert isinstance(need.of, Instruction)
            return self._shadow_inputs(need.of)
        if need.kind == "source":
            assert isinstance(need.of, Block)
            choice = self.reversal.choice(need.of)
            return None if choice is None else [Need("primal", choice.condition)]
        if need.kind == "last":
            assert isinstance(need.of, Loop)
            count = self.reversal.trip_counts.get(need.of)
            return None if count is None else [Need("primal", count.start), Need("primal", count.bound)]
        return None

    def _primal_inputs(self, v: Instruction) -> list[Need] | None:
        if v.opcode in _RECOMPUTABLE or self._is_cheap_call(v):
            return [Need("primal", o) for o in value_operands(v)]
        if v.opcode == "load" and not v.flags and self.intact(v):
            return [Need("primal", v.operands[0])]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need("primal", variable.start)]
        return None

    def _is_cheap_call(self, v: Instruction) -> bool:
        if v.opcode != "call":
            return False
        callee = self.activity.callees.of(v)
        name = callee.name
        if callee.kind is CalleeKind.RULE and name in _CHEAP_FUNCTIONS:
            return True
        return name.startswith("@llvm.") and any(name[6:].startswith(c) or c in name for c in _CHEAP_CALLS)

    def _shadow_inputs(self, v: Instruction) -> list[Need] | None:
        if not self.activity.shadowed(v):
            return [Need("primal", v)]  # used as its own shadow
        if v.opcode == "getelementptr":
            return [Need("shadow", v.operands[0]), *(Need("primal", o) for o in v.operands[1:])]
        if v.opcode == "load" and not v.flags and self.intact(v):
            return [Need("shadow", v.operands[0])]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need("shadow", variable.start)]
        if v.opcode in _SHADOW_COPIES:
            return [Need("shadow" if self.activity.carriers.can_point(o) else "primal", o) for o in value_operands(v)]
        return None


def value_operands(v: Instruction) -> Sequence[Value]:
    """Operands without blocks and callee."""
    return v.arguments if v.opcode == "call" else v.operands


@dataclass
class Plan:
    """The outcome: the needs that the forward sweep stores, by scope (None: the function), and those computed again."""

    stored: dict[Need, None] = field(default_factory=dict)
    computed: dict[Need, None] = field(default_factory=dict)
    by_scope: dict[Loop | None, list[Need]] = field(default_factory=dict)

    def is_stored(self, need: Need) -> bool:
        return need in self.stored

    def add(self, need: Need, scope: Loop | None) -> None:
        if need not in self.stored:
            self.stored[need] = None
            self.by_scope.setdefault(scope, []).append(need)


def make_plan(recipes: Recipes, wanted: Iterable[Need]) -> Plan:
    """Chooses what to store. Loops that store anything get a record, whose address the scope around them stores."""
    graph: dict[Need, list[Need] | None] = {}
    cost: dict[Need, int] = {}
    wanted = [n for n in dict.fromkeys(wanted) if not recipes.is_free(n)]
    work = list(reversed(wanted))
    while work:
        need = work.pop()
        if need in graph:
            continue
        given = recipes.inputs(need)
        graph[need] = None if given is None else [n for n in given if not recipes.is_free(n)]
        cost[need] = _cost(need, recipes)
        work.extend(reversed(graph[need] or ()))
    cut = minimum_vertex_cut(graph, cost, wanted)
    plan = Plan()
    for need in graph:
        if need in cut:
            plan.add(need, recipes.scope(need))
    work = list(wanted)
    while work:
        need = work.pop()
        if need not in cut and need not in plan.computed:
            plan.computed[need] = None
            work.extend(graph[need] or ())
    for loop in reversed(recipes.reversal.loops):
        if plan.by_scope.get(loop):
            plan.add(Need("record", loop), loop.parent)
    return plan


def _cost(need: Need, recipes: Recipes) -> int:
    scope = recipes.scope(need)
    depth = scope.depth if scope is not None else 0
    size = 1 if need.kind == "source" else alloc_size(need_type(need))
    return max(1, size) << 4 * min(depth, 10)
