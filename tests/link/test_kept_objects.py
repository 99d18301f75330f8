"""Objects are found by what was asked about the rest of the link."""

from enzyme_cc.link.merged_module.kept_objects import Asked


def test_answers_are_compared_with_those_of_another_link() -> None:
    first = Asked(lambda name, is_hidden: name == "kept", lambda name: None)
    assert first.kept("kept", False)
    assert first.defined_in("square") is None
    assert Asked(lambda name, is_hidden: name == "kept", lambda name: None).agrees(first.note)
    assert not Asked(lambda name, is_hidden: False, lambda name: None).agrees(first.note)
    assert not Asked(lambda name, is_hidden: name == "kept", lambda name: "libsquare.so").agrees(first.note)
