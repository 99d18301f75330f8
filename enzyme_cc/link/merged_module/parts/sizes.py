"""How large the parts of a module are."""

from __future__ import annotations

from msgspec import Struct


class Sizes(Struct, frozen=True):
    """Lines of LLVM's text before the last optimisation.

    - A module with fewer lines than `whole` is one part.
    - A part has at least `least` lines, and at most `most` if no group of functions has more.
    - LLVM inlines functions up to about `small` lines, and up to `called_once` if they are called once.
    """

    whole: int = 48_000
    least: int = 8_000
    most: int = 24_000
    small: int = 100
    called_once: int = 2_000
