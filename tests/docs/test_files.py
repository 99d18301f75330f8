"""docs/files.md has each file of the program; each of these, and each file of the tests, says what it is."""

from .files import PAGE, TREES, document, sections


def test_page_is_that_of_the_tree() -> None:
    assert PAGE.read_text() == document(), "run python -m tests.docs.files"


def test_every_file_says_what_it_is() -> None:
    assert not [line for line in sections(*TREES, "tests").splitlines() if line.endswith(": ")]
