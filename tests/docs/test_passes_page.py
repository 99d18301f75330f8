"""docs/passes.md is that of the tables."""

from .passes_page import PAGE, text


def test_page_is_that_of_the_tables() -> None:
    assert PAGE.read_text() == text(), "run python -m tests.docs.passes_page"
