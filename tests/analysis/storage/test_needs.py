"""The recipe of each kind of need: what it is computed from, and how large it is if it is stored."""

from __future__ import annotations

from enzyme_cc.analysis.storage.needs import Need, NeedKind, need_type

from .loops import Storage, loop, word

LOADS = loop(
    "%at = getelementptr ptr, ptr %p, i64 %i",
    "%r = load ptr, ptr %at",
    "%v = load double, ptr %r",
    "%new = frem double %v, %s",
)


def test_arguments_constants_and_static_allocas_are_free() -> None:
    f = Storage(LOADS)
    assert f.recipes.is_free(Need(NeedKind.PRIMAL, f.value("n")))
    assert f.recipes.is_free(Need(NeedKind.SHADOW, f.value("p")))
    assert f.recipes.is_free(Need(NeedKind.PRIMAL, f.value("own")))
    assert not f.recipes.is_free(Need(NeedKind.PRIMAL, f.value("i")))


def test_a_split_reverse_sweep_does_not_have_the_allocas_of_the_primal_sweep() -> None:
    f = Storage(LOADS, split=True)
    assert not f.recipes.is_free(Need(NeedKind.PRIMAL, f.value("own")))


def test_arithmetic_is_computed_from_its_operands() -> None:
    assert Storage(LOADS).inputs("at") == ["p", "i"]


def test_a_remainder_of_numbers_is_not_recomputed() -> None:
    assert Storage(LOADS).inputs("new") is None


def test_the_shadow_of_a_loaded_pointer_is_loaded_from_the_shadow() -> None:
    f = Storage(LOADS)
    given = f.recipes.inputs(Need(NeedKind.SHADOW, f.value("r")))
    assert given is not None and list(map(word, given)) == ["shadow of at"]


def test_the_last_iteration_is_computed_from_the_bounds() -> None:
    f = Storage(LOADS)
    given = f.recipes.inputs(Need(NeedKind.LAST, f.flow.loops[0]))
    assert given is not None and list(map(word, given)) == ["0", "n"]


def test_records_and_tapes_can_only_be_stored() -> None:
    f = Storage(LOADS)
    assert f.recipes.inputs(Need(NeedKind.RECORD, f.flow.loops[0])) is None
    assert f.recipes.inputs(Need(NeedKind.EXIT, None)) is None


def test_a_record_belongs_to_the_scope_around_its_loop() -> None:
    f = Storage(LOADS)
    (around,) = f.flow.loops
    assert f.recipes.scope(Need(NeedKind.RECORD, around)) is None
    assert f.recipes.scope(Need(NeedKind.PRIMAL, f.value("v"))) is around


def test_each_kind_has_a_type() -> None:
    f = Storage(loop("%new = fneg double %s", "store double %new, ptr %q"))
    of = {
        NeedKind.PRIMAL: f.value("new"),
        NeedKind.SHADOW: f.value("q"),
        NeedKind.LOG: f.all("store")[0],
    }
    types = {kind: str(need_type(Need(kind, of.get(kind)))) for kind in NeedKind}
    assert types[NeedKind.PRIMAL] == types[NeedKind.LOG] == "double"
    assert types[NeedKind.SHADOW] == types[NeedKind.TAPE] == types[NeedKind.BYTES] == "ptr"
    assert types[NeedKind.LAST] == types[NeedKind.SIZE] == "i64"
    assert types[NeedKind.SOURCE] == "i8"
    assert types[NeedKind.EXIT] == "i32"  # a dispatcher may have more than 256 returns
