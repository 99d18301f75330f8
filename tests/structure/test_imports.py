"""Imports run one way: no file imports from a room above its own, and no files import each other in a circle.

Every import counts, those under TYPE_CHECKING and inside functions too: an annotation needs the same knowledge as a
call. The rooms are the packages of enzyme_cc, the floors their order from top to bottom.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .trees import tree

ROOT = Path(__file__).parents[2]

# Each row may import from the rows below it only: rooms of one row do not know each other.
FLOORS = [
    ["commands"],
    ["jax", "mindspore", "numba", "tensorflow", "torch"],  # the public modules of frameworks
    ["frameworks"],
    [""],  # the public names
    ["functions/calls"],
    ["functions"],
    ["ziglang"],
    ["link/__main__"],
    ["link/pipeline"],
    ["link/merged_module", "link/native"],
    ["link/participants"],
    ["link/inputs"],
    ["link/process"],
    ["link/command"],
    ["autodiff"],
    ["autodiff/differentiate"],
    ["autodiff/call_profile", "autodiff/preparation"],
    ["autodiff/passes"],
    ["autodiff/engine", "autodiff/function_passes", "autodiff/preoptimisation"],
    ["autodiff/answer", "autodiff/reverse", "autodiff/tangent"],
    ["autodiff/custom", "autodiff/checkpoints", "autodiff/unwinding", "autodiff/variants"],
    ["autodiff/emit"],
    ["autodiff/globals"],
    ["autodiff/requests"],
    ["autodiff/analyses", "autodiff/normalise"],
    ["autodiff/core", "autodiff/optimise"],
    ["analysis/storage"],
    ["analysis/memory"],
    ["analysis/activity"],
    ["analysis/type_analysis/analysis"],
    ["analysis/type_analysis/number_flow"],
    ["analysis/type_analysis/copied_memory", "analysis/type_analysis/value_kinds"],
    ["analysis/type_analysis/contents"],
    ["analysis/type_analysis/declared_accesses", "analysis/type_analysis/memory_evidence"],
    ["analysis/type_analysis/points_to"],
    ["analysis/type_analysis/integer_flow"],
    ["analysis/type_analysis/constraints", "analysis/type_analysis/evidence"],
    ["analysis/type_analysis/graph"],
    ["analysis/type_analysis/declared"],
    ["analysis/type_analysis/kinds"],
    ["analysis/shared_memory"],
    ["analysis/references", "analysis/region_calls", "analysis/spin_loops"],
    ["analysis/integers", "analysis/callees", "analysis/certain_blocks", "analysis/bisections"],
    ["analysis/constant_formats", "analysis/pointed_functions", "analysis/values"],
    ["rules"],
    ["ir"],
    ["cache", "report"],
    ["analysis", "analysis/type_analysis", "link"],  # packages without code of their own
]
FLOOR = {room: number for number, rooms in enumerate(reversed(FLOORS)) for room in rooms}


def modules() -> dict[str, Path]:
    """Returns the file of each module of enzyme_cc, by its dotted name; a package is its __init__.py."""
    files = {}
    for path in sorted((ROOT / "enzyme_cc").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def room(module: str) -> str:
    """Returns the row entry a module belongs to: the longest one that its path begins with."""
    parts = module.split(".")[1:]
    candidates = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in candidates if name in FLOOR), "/".join(parts))


def imported(module: str, path: Path, files: dict[str, Path]) -> Iterator[str]:
    """Yields the modules of enzyme_cc that a file imports, wherever in the file it does so."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            if base in files:
                yield from (f"{base}.{a.name}" if f"{base}.{a.name}" in files else base for a in node.names)


def graph() -> dict[str, set[str]]:
    """Returns which modules each module imports."""
    files = modules()
    return {module: set(imported(module, path, files)) - {module} for module, path in files.items()}


def is_allowed(importer: str, target: str) -> bool:
    """True if the target is in the importer's own room or on a lower floor."""
    return room(importer) == room(target) or FLOOR[room(importer)] > FLOOR[room(target)]


def going_up(arrows: dict[str, set[str]]) -> set[str]:
    """Returns the imports that do not go down, as lines of text."""
    pairs = ((importer, target) for importer, targets in arrows.items() for target in targets)
    return {f"{importer} imports {target}" for importer, target in pairs if not is_allowed(importer, target)}


def on_circles(arrows: dict[str, set[str]]) -> set[str]:
    """Returns the modules that import themselves through others, as lines of text."""
    return {f"{module} is on a circle" for module in arrows if module in reached(module, arrows)}


def reached(module: str, arrows: dict[str, set[str]]) -> set[str]:
    """Returns the modules that one imports directly or through others."""
    seen: set[str] = set()
    work = list(arrows[module])
    while work:
        target = work.pop()
        if target not in seen:
            seen.add(target)
            work.extend(arrows[target])
    return seen


def test_every_module_has_a_floor() -> None:
    assert {room(module) for module in modules()} <= set(FLOOR)


def test_imports_go_down() -> None:
    assert not going_up(graph())


def test_no_files_import_each_other_in_a_circle() -> None:
    assert not on_circles(graph())


@pytest.mark.parametrize(
    "text",
    [
        "import enzyme_cc.ir.types",
        "from enzyme_cc.ir import types",
        "from enzyme_cc.ir.types import Type",
        "from .ir import types",
        "if TYPE_CHECKING:\n    from .ir.types import Type",
        "def f():\n    from enzyme_cc.ir.types import Type",
    ],
)
def test_every_form_of_import_is_seen(text: str, tmp_path: Path) -> None:
    source = tmp_path / "version.py"
    source.write_text(text)
    assert list(imported("enzyme_cc.version", source, modules())) == ["enzyme_cc.ir.types"]


def test_a_circle_is_seen() -> None:
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"b"}}
    assert on_circles(arrows) == {"b is on a circle", "c is on a circle"}
