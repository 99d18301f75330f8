"""docs/libraries.md has each routine with a derivative in toolchain/derivatives."""

from .library_page import PAGE, document


def test_page_is_that_of_the_sources() -> None:
    assert PAGE.read_text() == document(), "run python -m tests.docs.library_page"
