"""The names of local functions and variables as the source has them, for people."""

import re

#: The link adds this and a number to local names that the new object and native code share.
ENDING = ".ez"
_ENDINGS = re.compile(re.escape(ENDING) + r"\d+(?!\w)")


def as_in_source(text: str) -> str:
    """Returns the text without the endings that the link added to names."""
    return _ENDINGS.sub("", text)
