"""The documentation as a site: its navigation names each page, links hold, examples of recipes run, recipes parse."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import jinja2
import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<name>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)
_FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
PREFIX = Path(sys.executable).parents[1]


def site() -> dict[str, object]:
    found = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    assert isinstance(found, dict)
    return found


def named(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        yield from (page for value in nav.values() for page in named(value))
    elif isinstance(nav, list):
        yield from (page for value in nav for page in named(value))


def test_navigation_names_each_page_once() -> None:
    assert sorted(named(site()["nav"])) == [page.name for page in PAGES]


def test_site_needs_no_network() -> None:
    theme = site()["theme"]
    assert isinstance(theme, dict) and theme["font"] is False
    assert "http" not in (ROOT / "mkdocs.yml").read_text().replace("https://", "") and site()["plugins"] == ["search"]


def anchors(page: Path) -> set[str]:
    """Returns the anchors of headings, as GitHub and mkdocs make them of plain titles."""
    titles = re.findall(r"^#+ (.+)$", _FENCED.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_hold(page: Path) -> None:
    wrong = []
    for link in _LINK.findall(_FENCED.sub("", page.read_text())):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        is_page = target.suffix == ".md" and target.exists()
        if "://" not in link and (not target.exists() or (anchor and is_page and anchor not in anchors(target))):
            wrong.append(link)
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("page", ["cookbook.md", "fortran-from-zero.md"])
def test_examples_run(page: str, tmp_path: Path) -> None:
    """Files are written, blocks of `sh` run, and print what the next block of text says."""
    environment = {**os.environ, "VIRTUAL_ENV": str(PREFIX), "PATH": f"{PREFIX / 'bin'}:{os.environ['PATH']}"}
    printed = ""
    for block in _BLOCK.finditer((ROOT / "docs" / page).read_text()):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"])
        elif block["language"] == "sh":
            run = partial(subprocess.run, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
            runs = [run(command) for command in block["text"].strip().split("\n")]
            assert all(done.returncode == 0 for done in runs), runs
            printed = runs[-1].stdout
        elif block["language"] == "text":
            assert printed == block["text"]


def dependencies() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {re.split(r"[<>=]", row)[0] for row in project["dependencies"]}


def version() -> str:
    found = re.search(r'__version__ = "(.*)"', (ROOT / "enzyme_cc" / "__init__.py").read_text())
    assert found is not None
    return found[1]


def test_recipe_of_conda_parses_and_has_all_dependencies() -> None:
    text = (ROOT / "packaging" / "conda" / "meta.yaml").read_text()
    recipe = yaml.safe_load(
        jinja2.Template(text).render(PYTHON="python", compiler=lambda language: f"{language}-compiler")
    )
    assert recipe["package"] == {"name": "enzyme-cc", "version": version()}
    assert dependencies() <= {row.split()[0] for row in recipe["requirements"]["run"]}


def test_recipe_of_spack_parses_and_has_all_dependencies() -> None:
    tree = ast.parse((ROOT / "packaging" / "spack" / "package.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    plain = [call for call in calls if isinstance(call.args[0], ast.Constant)]
    said = {(ast.unparse(call.func), ast.literal_eval(call.args[0])) for call in plain}
    assert ("version", version()) in said
    assert {f"py-{name}" for name in dependencies()} <= {re.split("[@ ]", value)[0] for _, value in said}
