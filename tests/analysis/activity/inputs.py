"""IR text written by hand, with the activity of its function @f."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from enzyme_cc.analysis.activity.activity import Activity, ArgumentActivity, GlobalState, ResultActivity
from enzyme_cc.analysis.activity.activity_analysis import ProgramFacts, analyse_activity
from enzyme_cc.analysis.activity.carriers import Carriers
from enzyme_cc.analysis.activity.word_uses import WordUses
from enzyme_cc.analysis.callees import Callees, DeclaredFunctions
from enzyme_cc.ir.values import Function, Instruction, Value

from ..support import Analysed


@dataclass
class Input:
    """A module whose function @f is analysed: `arguments` are the activities of its parameters, as words.

    `inactive` and `custom` name functions that the program declares so. `globals_of`: the globals each function uses.
    """

    text: str
    arguments: str
    result: ResultActivity = ResultActivity.NONE
    inactive: frozenset[str] = frozenset()
    custom: frozenset[str] = frozenset()
    globals_of: dict[str, frozenset[str]] = field(default_factory=dict)
    state: GlobalState = field(default_factory=GlobalState)

    def __post_init__(self) -> None:
        analysed = Analysed(self.text)
        self.function: Function = analysed.function("f")
        callees = Callees(analysed.module, DeclaredFunctions(self.inactive, self.custom))
        self.carriers = Carriers(analysed.types, WordUses(callees))
        self.activity: Activity
        self.activity, self.found = analyse_activity(
            self.function,
            analysed.flow("f"),
            [ArgumentActivity(word) for word in self.arguments.split()],
            self.result,
            ProgramFacts(callees, self.carriers, self.globals_of),
            self.state,
        )

    @property
    def active(self) -> set[str]:
        return names(v for v in self.activity.varied if self.activity.active(v))

    def value(self, name: str) -> Value:
        return next(v for v in [*self.function.arguments, *self.function.instructions()] if v.name == name)

    def instruction(self, opcode: str) -> Instruction:
        return next(i for i in self.function.instructions() if i.opcode == opcode)


def names(values: Iterable[Value]) -> set[str]:
    return {getattr(v, "name", "") for v in values} - {""}
