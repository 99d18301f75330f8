"""The order of what derivatives are passed and return; unpacking is the inverse of packing."""

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.autodiff.core.calling_convention import Parameters, Results

CONST, DUP, OUT = ArgumentActivity.CONST, ArgumentActivity.DUP, ArgumentActivity.OUT
ARGUMENTS = Parameters.paired([DUP, CONST, OUT], "xny".__getitem__, lambda k: [f"{'xny'[k]}'", f"{'xny'[k]}''"])


def test_only_duplicated_arguments_are_followed_by_their_shadows() -> None:
    assert ARGUMENTS.in_order() == ["x", "x'", "x''", "n", "y"]


def test_arguments_and_shadows_are_asked_for_in_the_order_they_are_passed() -> None:
    asked: list[str] = []
    Parameters.paired([DUP, DUP], lambda k: asked.append(f"{k}"), lambda k: [asked.append(f"{k}'")])
    assert asked == ["0", "0'", "1", "1'"]


def test_the_arena_comes_first_seeds_and_the_tape_come_last() -> None:
    passed = Parameters(["x"], {}, seeds=["s", "t"], arena="arena", tape="tape")
    assert passed.in_order() == ["arena", "x", "s", "t", "tape"]


def test_parameters_are_unpacked_as_they_were_packed() -> None:
    passed = Parameters(ARGUMENTS.arguments, ARGUMENTS.shadows, ["s", "t"], "arena", "tape")
    assert passed.unpack(passed.in_order()) == passed
    assert passed.unpack(range(9)).shadows == {0: [2, 3]}


def test_results_are_the_tape_the_primal_its_shadows_and_adjoints() -> None:
    returned = Results("tape", "r", ["r'", "r''"], {1: ["n'", "n''"], 2: ["y'", "y''"]})
    assert returned.in_order() == ["tape", "r", "r'", "r''", "n'", "n''", "y'", "y''"]
    assert returned.unpack(returned.in_order()) == returned


def test_a_result_that_a_form_does_not_return_has_no_place() -> None:
    places = Results(adjoints={2: ["y'", "y''"]}).unpack(range(2))
    assert (places.tape, places.primal, places.adjoints) == (None, None, {2: [0, 1]})
