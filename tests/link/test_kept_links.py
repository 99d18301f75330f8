"""The cache of links: the same link again is the native linker's alone, any change is seen, and nothing else is."""

from __future__ import annotations

import os

import pytest

from enzyme_cc.link.command.command import parse
from enzyme_cc.link.native.kept_links import KeptLinks

from .conftest import CUBE, SQUARE, Project

VERBOSE = ["--enzyme-verbose"]
IN_CACHE = "this link is in the cache"


def is_again(project: Project, *arguments: str, enzyme: list[str] | None = None) -> bool:
    """Links, and returns whether the link was in the cache."""
    result = project.try_link(*(arguments or ("main.o", "square.o")), enzyme=[*VERBOSE, *(enzyme or [])])
    assert result.status == 0, result.stderr
    assert project.leftovers() == []
    return IN_CACHE in result.stderr


def test_the_same_link_gives_the_same_bytes(cached: Project) -> None:
    assert not is_again(cached)
    first = (cached.path / "program").read_bytes()
    (cached.path / "program").unlink()
    assert is_again(cached)
    assert (cached.path / "program").read_bytes() == first


def test_a_change_of_an_object_is_seen(cached: Project) -> None:
    is_again(cached)
    cached.compile("square.c", CUBE)
    assert not is_again(cached)
    assert cached.output_of() == ["27.000"]
    cached.compile("square.c", SQUARE)
    assert is_again(cached)
    assert cached.output_of() == ["6.000"]


def test_options_are_seen(cached: Project) -> None:
    is_again(cached)
    assert not is_again(cached, enzyme=["--enzyme-strict-math"])
    assert not is_again(cached, "main.o", "square.o", "-no-pie")
    assert not is_again(cached, enzyme=["--enzyme-no-cache"])
    assert not is_again(cached, enzyme=["--enzyme-verify"])


def test_objects_of_parts_are_others_but_the_same_for_any_number_of_jobs(cached: Project) -> None:
    is_again(cached)
    assert not is_again(cached, enzyme=["--enzyme-jobs=1"])
    assert is_again(cached, enzyme=["--enzyme-jobs=2"])
    assert is_again(cached, enzyme=["--enzyme-jobs=0"])


def test_a_library_that_comes_earlier_is_seen(cached: Project) -> None:
    for folder in ("early", "late"):
        (cached.path / folder).mkdir()
    cached.archive("late/libsquare.a", "square.o")
    link = ("main.o", "-Learly", "-Llate", "-lsquare")
    is_again(cached, *link)
    assert is_again(cached, *link)
    cached.archive("early/libsquare.a", cached.compile("square.c", CUBE))
    assert not is_again(cached, *link)
    assert cached.output_of() == ["27.000"]


def test_temporary_objects_of_the_compiler_are_told_by_their_contents(cached: Project) -> None:
    """A compiler that compiles and links gives them another name each time."""
    objects = {name: (cached.path / name).read_bytes() for name in ("main.o", "square.o")}

    def is_found(ending: str, swapped: bool = False) -> bool:
        for name, data in zip(["main.o", "square.o"], list(objects.values())[:: -1 if swapped else 1], strict=True):
            (cached.path / name.replace(".o", f"-{ending}.o")).write_bytes(data)
        found = is_again(cached, f"main-{ending}.o", f"square-{ending}.o", "other.o")
        for path in cached.path.glob(f"*-{ending}.o"):
            path.unlink()
        return found

    cached.compile("other.c", "int other(void) { return 1; }")
    assert not is_found("0a1b2c")
    assert is_found("3d4e5f")
    assert cached.output_of() == ["6.000"]
    assert not is_found("6a7b8c", swapped=True)
    cached.compile("square.c", CUBE)
    objects["square.o"] = (cached.path / "square.o").read_bytes()
    assert not is_found("9d0e1f")
    assert cached.output_of() == ["27.000"]


def test_a_script_is_seen(cached: Project) -> None:
    cached.write("names.map", "{ global: main; local: *; };")
    link = ("main.o", "square.o", "-Wl,--version-script=names.map")
    is_again(cached, *link)
    cached.write("names.map", "{ global: main; square; local: *; };")
    assert not is_again(cached, *link)


OTHER = """
#include <stdlib.h>
double square(double);
int other(int n) { return abs(n) + BODY; }
"""


def is_optimised(project: Project) -> bool:
    """Links with a unit that takes no part, and returns whether the merged module was optimised."""
    result = project.try_link("main.o", "square.o", "other.o", enzyme=VERBOSE)
    assert result.status == 0, result.stderr
    assert IN_CACHE not in result.stderr
    return "enzyme-ld: optimise" in result.stderr


def test_the_object_is_kept_where_other_units_change(cached: Project) -> None:
    cached.compile("other.c", OTHER.replace("BODY", "1"))
    assert is_optimised(cached)
    cached.compile("other.c", OTHER.replace("BODY", "2"))
    assert not is_optimised(cached)
    assert cached.output_of() == ["6.000"]
    program = (cached.path / "program").read_bytes()
    cached.link("main.o", "square.o", "other.o", enzyme=["--enzyme-no-cache"])
    assert (cached.path / "program").read_bytes() == program


def test_the_object_is_made_again_if_another_unit_needs_more_of_it(cached: Project) -> None:
    cached.compile("other.c", OTHER.replace("BODY", "1"))
    assert is_optimised(cached)
    cached.compile("other.c", OTHER.replace("BODY", "(int)square(n)"))
    is_optimised(cached)
    assert cached.output_of() == ["6.000"]


def test_warnings_and_remarks_are_told_again(cached: Project) -> None:
    wanted = ["--enzyme-candidate=nothing_has_this_name", "--enzyme-remarks=remarks.yaml"]
    first = cached.try_link("main.o", "square.o", enzyme=wanted)
    remarks = (cached.path / "remarks.yaml").read_text()
    (cached.path / "remarks.yaml").unlink()
    second = cached.try_link("main.o", "square.o", enzyme=[*wanted, *VERBOSE])
    assert IN_CACHE in second.stderr
    assert "[EZ0111]" in first.stderr
    assert first.stderr in second.stderr
    assert (cached.path / "remarks.yaml").read_text() == remarks


def test_another_output_is_the_same_link(cached: Project) -> None:
    is_again(cached)
    result = cached.try_link("main.o", "square.o", enzyme=VERBOSE, output="another")
    assert IN_CACHE in result.stderr
    assert cached.output_of("another") == ["6.000"]


def test_a_damaged_entry_is_made_again(cached: Project) -> None:
    is_again(cached)
    for record in (cached.path / "cache").rglob("link"):
        record.write_bytes(record.read_bytes()[:20])
    assert not is_again(cached)
    assert is_again(cached)
    assert cached.output_of() == ["6.000"]


def test_a_folder_that_cannot_be_made_is_no_error(cached: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_CC_CACHE", os.devnull)
    assert not is_again(cached)
    assert cached.output_of() == ["6.000"]


@pytest.mark.parametrize("option", ["--enzyme-no-cache", "--enzyme-verify", "--enzyme-save-temps=x", "-r"])
def test_links_that_use_no_cache(cached: Project, option: str) -> None:
    assert KeptLinks.of(parse(["a.o"])) is not None
    assert KeptLinks.of(parse(["a.o", option])) is None
