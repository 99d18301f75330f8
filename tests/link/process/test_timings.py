"""What `--enzyme-timings` tells of a link."""

from __future__ import annotations

import json

import pytest

from enzyme_cc.link.command.command import parse
from enzyme_cc.link.process.timings import Timings
from enzyme_cc.report import EnzymeError

from ..conftest import MAIN, SQUARE, Project


def test_stages_are_told_as_text_and_as_json(project: Project) -> None:
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    told = project.try_link(*units, enzyme=["--enzyme-timings=json"]).stderr
    found = json.loads(told)
    assert found["functions"] == 1
    assert not found["cached"]
    assert {"closure", "differentiate", "emit"} <= {stage["name"] for stage in found["stages"]}
    assert all(stage["megabytes"] > 1 for stage in found["stages"])
    assert "derivatives: 1" in project.try_link(*units, enzyme=["--enzyme-timings"]).stderr


def test_a_stage_that_fails_is_told() -> None:
    timings = Timings()
    with pytest.raises(ValueError, match="wrong"), timings.stage("closure"):
        raise ValueError("wrong")
    assert [stage.name for stage in timings.stages] == ["closure"]
    assert timings.table().splitlines()[1].startswith("closure")


def test_a_form_that_is_not_known_is_refused() -> None:
    with pytest.raises(EnzymeError, match="names no form"):
        parse(["--enzyme-timings=xml"])
