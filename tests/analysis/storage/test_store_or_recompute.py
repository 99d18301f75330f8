"""What the primal sweep stores, and what the reverse sweep recomputes or reads again, on loops of three lines."""

from __future__ import annotations

from .loops import Storage, loop

# Two elements are read, and one of them is overwritten.
ONE_OF_TWO_OVERWRITTEN = [
    "%v = load double, ptr %own",
    "%at = getelementptr double, ptr %own, i64 1",
    "%w = load double, ptr %at",
    "%sum = fmul double %v, %w",
    "%new = fmul double %sum, %s",
    "%parity = and i64 %i, 1",
    "%to = getelementptr double, ptr %own, i64 %parity",
    "store double %new, ptr %to",
]


def test_arithmetic_is_recomputed_from_a_stored_value() -> None:
    f = Storage(loop("%t = fmul double %s, %s", "%new = call double @llvm.sin.f64(double %t)"))
    assert f.stored("s", "t") == ["s"]


def test_of_two_values_of_one_size_the_wanted_one_is_stored() -> None:
    f = Storage(loop("%t = fmul double %s, %s", "%new = call double @llvm.sin.f64(double %t)"))
    assert f.stored("t") == ["t"]


def test_an_expensive_function_is_not_called_again() -> None:
    f = Storage(loop("%e = call double @llvm.exp.f64(double %s)", "%new = fmul double %e, %s"))
    assert f.stored("s", "e") == ["s", "e"]


def test_a_loop_counter_is_recomputed_from_the_iteration() -> None:
    f = Storage(loop("%new = call double @llvm.sin.f64(double %s)"))
    assert f.inputs("i") == ["0"] and f.stored("i") == []


def test_memory_that_nothing_overwrites_is_read_again() -> None:
    f = Storage(
        loop(
            "%at = getelementptr double, ptr %p, i64 %i",
            "%v = load double, ptr %at",
            "%new = fmul double %v, %s",
        )
    )
    assert f.inputs("v") == ["at"] and f.stored("v") == []


def test_a_load_is_stored_if_the_log_of_the_write_costs_more() -> None:
    """The log holds as many bytes as the loads. The caller's memory is copied too, for its final state."""
    f = Storage(
        loop(
            "%at = getelementptr double, ptr %p, i64 %i",
            "%v = load double, ptr %at",
            "%new = fmul double %v, %s",
            "store double %new, ptr %at",
        )
    )
    assert f.inputs("v") == ["at", "log of store"] and f.stored("v") == ["v"]


def test_one_log_replaces_two_loads() -> None:
    f = Storage(loop(*ONE_OF_TWO_OVERWRITTEN))
    plan = f.plan("v", "w")
    assert f.stored("v", "w") == ["log of store"] and plan.is_logged(f.all("store")[0])


def test_nothing_is_logged_if_the_reverse_sweep_may_run_again() -> None:
    """Undoing a write leaves memory as the next reverse sweep does not expect it."""
    assert Storage(loop(*ONE_OF_TWO_OVERWRITTEN), held=True).stored("v", "w") == ["v", "w"]


def test_a_split_reverse_sweep_stores_where_the_local_array_is() -> None:
    """It is another function, and finds the array of the primal sweep by its stored address only."""
    assert Storage(loop(*ONE_OF_TWO_OVERWRITTEN), split=True).stored("v", "w") == ["own", "log of store"]


def test_a_value_that_was_stored_in_memory_is_read_there() -> None:
    f = Storage(
        loop(
            "%at = getelementptr double, ptr %own, i64 %i",
            "%new = call double @llvm.sin.f64(double %s)",
            "store double %new, ptr %at",
        )
    )
    plan = f.plan("new")
    assert list(plan.stored) == [] and plan.reread == {f.instruction("new"): f.all("store")[0]}


def test_a_loop_that_stores_has_a_record() -> None:
    """The function stores the address of the loop's tape; the loop stores one value for each iteration."""
    f = Storage(loop("%new = call double @llvm.sin.f64(double %s)"))
    plan = f.plan("s")
    (around,) = f.flow.loops
    assert [need.kind.value for need in plan.by_scope[around]] == ["primal"]
    assert [need.kind.value for need in plan.by_scope[None]] == ["record"]
