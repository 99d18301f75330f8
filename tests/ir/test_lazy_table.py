"""Entities of a module are parsed at their first access, and printed as they were read if there was none."""

from __future__ import annotations

from enzyme_cc.ir.text.lazy_table import LazyTable


def table(parsed: list[str]) -> LazyTable[int]:
    def parse(name: str, text: str) -> int:
        parsed.append(name)
        return int(text)

    found = LazyTable(parse)
    found.add_text("one", "01")
    found.add_text("two", "02")
    return found


def test_a_value_is_parsed_once_and_only_if_it_is_asked_for() -> None:
    parsed: list[str] = []
    found = table(parsed)
    assert (found["two"], found["two"], parsed) == (2, 2, ["two"])
    assert (dict(found.texts()), found.parsed()) == ({"one": "01"}, [2])


def test_the_text_of_what_was_not_parsed_is_kept() -> None:
    found = table([])
    found["two"] = 5
    assert list(found.print(lambda value: f"<{value}>")) == ["01", "<5>"]


def test_what_is_deleted_is_gone_with_its_text() -> None:
    found = table([])
    del found["one"]
    assert "one" not in found
    assert (list(found), len(found), dict(found.texts())) == (["two"], 1, {"two": "02"})
