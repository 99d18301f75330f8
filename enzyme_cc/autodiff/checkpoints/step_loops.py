"""Finds loops that call checkpointed steps, and checks that they have the shape that checkpointing needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ...analysis.callees import plain_name, strip_casts
from ...analysis.integers.loops import Induction, TripCount, induction, is_invariant, trip_count
from ...analysis.references import functions_referenced
from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import GlobalRef
from ...ir.graphs import reachable
from ...ir.instructions import FUNCTION_CALLS, WRITES_MEMORY
from ...ir.module import Module
from ...ir.types import FloatType, holds
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ..requests.grammar import GRAMMARS
from ..requests.request import find_requests, function_of
from .carried import carry_in_memory


class StepLoop(Struct, frozen=True):
    """A loop of steps that can be outlined.

    `whole`: the loop is left at the end of an iteration; otherwise the header leaves it. `states`: the number of states
    that are stored at a time.
    """

    function: Function
    loop: Loop
    count: TripCount
    variables: dict[Instruction, Induction]
    whole: bool
    step: str
    states: int


def find_loop(module: Module, steps: Mapping[str, int]) -> StepLoop | None:
    """Returns a loop that a request reaches and that calls a step. Raises EnzymeError (EZ0211) if it is misshapen."""
    for name in _reached(module):
        function = module.body(name)
        for call, step in _calls(module, function, steps):
            flow = ControlFlow(function)
            loop = flow.loop_of.get(call.block) if call.block is not None else None
            if loop is not None:
                return _LoopCheck(module, function, flow, loop, call, step).checked(steps[step])
    return None


def _calls(module: Module, function: Function, steps: Mapping[str, int]) -> Iterator[tuple[Instruction, str]]:
    for i in function.instructions():
        if i.opcode in FUNCTION_CALLS:
            target = strip_casts(i.callee, module)
            if isinstance(target, GlobalRef) and target.name in steps:
                yield i, target.name


def _reached(module: Module) -> list[str]:
    """Functions with bodies that gradients differentiate, except gradients that are differentiated themselves."""
    requests = find_requests(module)
    reached = {call: _reached_from(module, call) for _, call, _ in requests}
    differentiated = {name for names in reached.values() for name in names}
    inner = {name for caller, call, _ in requests if caller.name in differentiated for name in reached[call]}
    outer = (call for _, call, kind in requests if not GRAMMARS[kind].forward and GRAMMARS[kind].differentiates)
    return list(dict.fromkeys(name for call in outer for name in reached[call] if name not in inner))


def _reached_from(module: Module, call: Instruction) -> list[str]:
    def referenced(name: str) -> Iterable[str]:
        return () if module.functions[name].is_declaration else functions_referenced(module, module.body(name))

    found = (function_of(module, argument) for argument in call.arguments[:2])
    starts = [name for name in found if name is not None]
    return [name for name in reachable(starts, referenced) if not module.functions[name].is_declaration]


class _LoopCheck(Struct, frozen=True):
    """The loop around one call of a step."""

    module: Module
    function: Function
    flow: ControlFlow
    loop: Loop
    call: Instruction
    step: str

    def error(self, reason: str, at: Instruction | None = None) -> EnzymeError:
        return misshapen(self.module, self.function, self.step, at or self.call, reason)

    def checked(self, states: int) -> StepLoop:
        returns = [b for b in self.flow.order if b.terminator.opcode == "ret"]
        exits = self.loop.exit_edges
        if self.call.opcode == "invoke":
            raise self.error("an exception may leave the loop, past destructors: declare the step noexcept")
        if len(exits) != 1:
            raise self.error("the loop is left in several places", exits[-1][0].terminator if exits else None)
        carry_in_memory(self.function, self.loop)
        count = trip_count(self.loop, self.flow, self.flow.reaching(returns))
        if count is None:
            raise self.error("how often the loop runs is not known before it runs", exits[0][0].terminator)
        variables = {phi: self._variable(phi) for phi in self.loop.header.phis}
        self._check_values()
        whole = exits[0][0] in self.loop.latches
        if not whole and not self._is_test(exits[0][0]):
            raise self.error("the loop is left in the middle", exits[0][0].terminator)
        return StepLoop(self.function, self.loop, count, variables, whole, self.step, states)

    def _variable(self, phi: Instruction) -> Induction:
        found = induction(phi, self.loop)
        if found is None:
            user = next((u for u in phi.users if u.block in self.loop.blocks and u.opcode != "phi"), phi)
            raise self.error("the loop hands a pointer from one iteration to the next", user)
        return found

    def _is_test(self, block: Block) -> bool:
        """True if the block is the header and only tests whether the loop goes on."""
        return block is self.loop.header and all(i.opcode not in WRITES_MEMORY for i in block.instructions)

    def _check_values(self) -> None:
        for block in self.loop.blocks_in_order:
            for i in block.instructions:
                if i.opcode == "alloca":
                    raise self.error("the loop allocates on the stack", i)
                if any(u.block not in self.loop.blocks and _is_used(u) for u in i.users):
                    raise self.error("a value that the loop computes is used after it", i)
                self._check_operands(i)

    def _check_operands(self, i: Instruction) -> None:
        for operand in i.operands:
            if live_in(operand, self.loop) and _packs_numbers(operand):
                raise self.error("the loop uses a vector or struct that holds numbers", i)


def live_in(value: Value, loop: Loop) -> bool:
    """True for a value that the surrounding function computes before the loop."""
    return isinstance(value, Argument | Instruction) and is_invariant(value, loop)


def _packs_numbers(value: Value) -> bool:
    return holds(value.type, FloatType) and not isinstance(value.type, FloatType)


def _is_used(user: Instruction) -> bool:
    return user.opcode != "phi" or bool(user.users)


def misshapen(module: Module, function: Function, step: str, at: Instruction, reason: str) -> EnzymeError:
    """Returns the diagnostic EZ0211."""
    return EnzymeError.of(
        "EZ0211",
        f"{plain_name(step)} cannot be checkpointed here",
        location=module.source_location(at) or module.function_location(function),
        function=plain_name(function.name),
        reason=reason,
        remedy="call the step in a counted loop, with all that changes in memory; or use <enzyme/checkpoint.h>",
    )
