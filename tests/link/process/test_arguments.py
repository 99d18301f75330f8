"""What the part of enzyme-ld behind the launcher does before it links."""

from __future__ import annotations

import pytest

from enzyme_cc.link.__main__ import main
from enzyme_cc.report import EXIT_STATUS


def test_a_link_without_a_native_linker_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-o", "a.out", "a.o"]) == EXIT_STATUS
    assert "no --enzyme-native-linker=… is given [EZ0110]" in capsys.readouterr().err


def test_an_option_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--enzyme-native-linker=true", "--enzyme-unknown"]) == EXIT_STATUS
    assert "--enzyme-unknown" in capsys.readouterr().err
