"""Both modes have a row for every opcode of the table of instructions: a clone or an adjoint, or a refusal."""

from collections.abc import Callable, Mapping

import pytest

from enzyme_cc.autodiff.analyses.function_analyses import FunctionAnalyses
from enzyme_cc.autodiff.emit.cloning import Cloning
from enzyme_cc.autodiff.reverse import adjoints
from enzyme_cc.autodiff.reverse.adjoints import ADJOINTS
from enzyme_cc.autodiff.reverse.primal_sweep import PrimalSweep
from enzyme_cc.autodiff.tangent.tangent_sweep import TangentSweep
from enzyme_cc.autodiff.tangent.tangent_values import SHADOWED_OPERANDS
from enzyme_cc.ir.instructions import INSTRUCTIONS, MAKES_VALUE
from enzyme_cc.report.diagnostics import EnzymeError
from enzyme_cc.rules.table import INSTRUCTIONS as RULES
from tests.autodiff.sweeps import analysed, clone_primal, clone_tangent

#: exception handling that autodiff/unwinding does not turn into branches, and calls that end a block
NOT_CLONED = set("invoke callbr cleanuppad catchpad cleanupret catchret catchswitch".split())
#: results that carry no derivative, and control flow, which the reverse sweep inverts by itself
NO_ADJOINT = {
    *"mul udiv sdiv urem srem icmp fcmp".split(),
    *"fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr addrspacecast getelementptr".split(),
    *"phi fence cmpxchg va_arg".split(),
    *"ret br switch indirectbr unreachable resume landingpad".split(),
    *NOT_CLONED,
}
#: instructions that make values which carry no tangent
NO_TANGENT = {
    *"mul udiv sdiv urem srem icmp fcmp".split(),
    *"fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr addrspacecast".split(),
}


@pytest.mark.parametrize("sweep", [PrimalSweep, TangentSweep])
def test_each_opcode_is_cloned_or_refused(sweep: type[Cloning]) -> None:
    assert sweep.clones.keys() == INSTRUCTIONS.keys()
    assert _rows(sweep.clones, Cloning.refuse) == NOT_CLONED


def test_each_opcode_has_an_adjoint_or_is_refused() -> None:
    assert ADJOINTS.keys() == INSTRUCTIONS.keys()
    assert _rows(ADJOINTS, adjoints.refuse) == NO_ADJOINT


def test_each_value_has_a_tangent_or_is_refused() -> None:
    by_rule = SHADOWED_OPERANDS.keys() | RULES.keys()
    assert by_rule.isdisjoint(NO_TANGENT)
    assert by_rule | NO_TANGENT | {"phi", "getelementptr"} == MAKES_VALUE


def _rows(table: Mapping[str, object], handler: object) -> set[str]:
    return {opcode for opcode, row in table.items() if row is handler}


SQUARE = """
define double @f(double %x) {
  %y = fmul double 2.0, 3.0
  ret double %y
}
"""


@pytest.mark.parametrize("clone", [clone_primal, clone_tangent])
def test_an_opcode_without_a_row_is_refused(clone: Callable[[FunctionAnalyses], None]) -> None:
    analyses = analysed(SQUARE, "const")
    analyses.function.entry.instructions[0].opcode = "fsquare"
    with pytest.raises(EnzymeError):
        clone(analyses)
