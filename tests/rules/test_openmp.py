"""What OpenMP's calls are in regions that run on teams."""

from __future__ import annotations

import pytest

from enzyme_cc.rules.library_functions import known
from enzyme_cc.rules.parallel.openmp import DUALS, is_called_itself, library_name, on_team
from enzyme_cc.rules.runtime_functions import RUNTIME_FUNCTIONS


@pytest.mark.parametrize("name", ["__kmpc_for_static_init_4", "omp_get_thread_num", "sin", "__kmpc_single"])
def test_is_called_as_it_is(name: str) -> None:
    assert on_team(name) == name


def test_has_another_name_on_teams() -> None:
    assert library_name(on_team("__kmpc_barrier") or "") == "__kmpc_barrier" != on_team("__kmpc_barrier")
    assert is_called_itself("omp_get_max_threads") and not is_called_itself("__kmpc_reduce")


@pytest.mark.parametrize(
    "name", ["__kmpc_taskred_init", "pthread_create", "mtx_trylock", "omp_set_nest_lock", "__kmpc_flush"]
)
def test_keeps_a_region_in_a_team_of_one(name: str) -> None:
    assert on_team(name) is None


@pytest.mark.parametrize("name", DUALS)
def test_what_orders_threads_has_a_dual_in_the_runtime(name: str) -> None:
    dual, row = DUALS[name], known(name)
    assert {dual.taped, dual.reverse} <= RUNTIME_FUNCTIONS.keys()
    assert row is not None and row.orders
    assert len(RUNTIME_FUNCTIONS[dual.reverse].type.params) == len(dual.operands) + dual.has_ticket
