"""Loops written by hand as LLVM IR, with the analyses that decide what their reverse sweep stores."""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_cc.analysis.activity.activity import ArgumentActivity, GlobalState, ResultActivity
from enzyme_cc.analysis.activity.activity_analysis import ProgramFacts, analyse_activity
from enzyme_cc.analysis.activity.carriers import Carriers
from enzyme_cc.analysis.activity.word_uses import WordUses
from enzyme_cc.analysis.callees import Callees
from enzyme_cc.analysis.memory.facts import MemoryFacts
from enzyme_cc.analysis.storage.needs import Need, NeedKind, Recipes
from enzyme_cc.analysis.storage.reversal import Reversal
from enzyme_cc.analysis.storage.store_log import StoreLog
from enzyme_cc.analysis.storage.store_or_recompute import Plan, make_plan
from enzyme_cc.ir.cfg import Loop
from enzyme_cc.ir.values import Block, Instruction, Local

from ..support import Analysed

_LOOP = """
declare double @llvm.sin.f64(double)
declare double @llvm.exp.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(double %x, ptr %p, ptr noalias %q, i64 %n) {{
entry:
  %own = alloca [8 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %new, %loop ]
{body}
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %new
}}
"""


def loop(*body: str) -> str:
    """Returns a module whose function @f runs the lines n times; they compute %new from %s, which is %x at first."""
    return _LOOP.format(body="\n".join(body))


@dataclass
class Storage:
    """The analyses of @f, whose number is active, and whose pointers have shadows.

    `split`: the reverse sweep is a function of its own. `held`: it may run more than once.
    """

    text: str
    arguments: str = "out dup dup const"
    split: bool = False
    held: bool = False

    def __post_init__(self) -> None:
        analysed = Analysed(self.text)
        self.function, self.flow = analysed.function("f"), analysed.flow("f")
        self.callees = Callees(analysed.module)
        self.facts = MemoryFacts(analysed.module, self.function, self.flow, analysed.types)
        self.activity, _ = analyse_activity(
            self.function,
            self.flow,
            [ArgumentActivity(word) for word in self.arguments.split()],
            ResultActivity.ACTIVE,
            ProgramFacts(self.callees, Carriers(analysed.types, WordUses(self.callees)), {}),
            GlobalState(),
        )
        self.reversal = Reversal(self.function, self.flow, self.activity.has_reverse_work)
        self.log = StoreLog(
            self.flow,
            self.facts,
            self.callees,
            self.reversal,
            frozenset(),
            self.activity.active_calls,
            self.split,
            self.held,
        )
        self.recipes = Recipes(
            function=self.function,
            flow=self.flow,
            activity=self.activity,
            reversal=self.reversal,
            intact=lambda load: self.facts.overwritten_after(load) is None,
            log=self.log,
            split=self.split,
            repeatable=lambda call: False,
        )

    def value(self, name: str) -> Local:
        """Returns the argument or instruction of that name."""
        return next(v for v in [*self.function.arguments, *self.function.instructions()] if v.name == name)

    def instruction(self, name: str) -> Instruction:
        found = self.value(name)
        assert isinstance(found, Instruction)
        return found

    def all(self, opcode: str) -> list[Instruction]:
        return [i for i in self.function.instructions() if i.opcode == opcode]

    def inputs(self, name: str) -> list[str] | None:
        """Returns what the value is recomputed from, as words; None if it can only be stored."""
        found = self.recipes.inputs(Need(NeedKind.PRIMAL, self.value(name)))
        return None if found is None else [word(need) for need in found]

    def plan(self, *names: str) -> Plan:
        """Returns what is stored if the adjoint of each user of these values asks for them."""
        wanted = {}
        for value in map(self.value, names):
            wanted[Need(NeedKind.PRIMAL, value)] = [self.log.behind(user) for user in value.users]
        return make_plan(self.recipes, wanted)

    def stored(self, *names: str) -> list[str]:
        """Returns the values and logs that are stored if these values are wanted, as words; records are left out."""
        return [word(need) for need in self.plan(*names).stored if need.kind is not NeedKind.RECORD]


def word(need: Need) -> str:
    """Returns a need of a value by the name of the value; any other need with its kind."""
    of = need.of.header if isinstance(need.of, Loop) else need.of
    if isinstance(of, Instruction) and not of.name:
        return f"{need.kind.value} of {of.opcode}"
    name = of.name if isinstance(of, Local | Block) else str(of)
    return name if need.kind is NeedKind.PRIMAL else f"{need.kind.value} of {name}"
