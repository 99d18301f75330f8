"""What keeps the tree easy to enter: folders and functions stay small, and a name has one meaning.

The number of branches of a function is held by ruff (C901).
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from .test_imports import ROOT
from .trees import tree

MAX_FILES, MAX_LINES = 20, 60
#: arguments by position; others are named, or are one value
MAX_POSITIONAL = 8
#: written in C, where arguments have positions only
POSITIONAL = {"FastCall"}
#: __init__.py and __main__.py are Python's names, conftest.py is pytest's
REPEATED = {"__init__.py", "__main__.py", "conftest.py"}
TREES = ["enzyme_cc", "tests"]


def sources(*trees: str) -> list[Path]:
    return [path for tree in trees for path in sorted((ROOT / tree).rglob("*.py"))]


def shared(names: Iterable[tuple[str, Path]]) -> set[str]:
    """Returns each name that more than one file has, with these files, as lines of text."""
    files = defaultdict(list)
    for name, path in names:
        files[name].append(path.relative_to(ROOT).as_posix())
    return {f"{name} is in {', '.join(paths)}" for name, paths in files.items() if len(paths) > 1}


def shared_modules() -> set[str]:
    named = ([(path.name, path) for path in sources(tree) if path.name not in REPEATED] for tree in TREES)
    return set().union(*map(shared, named))


def shared_types() -> set[str]:
    """Returns the public classes and type aliases of one name; a conftest.py is local to its folder."""
    return set().union(*(shared(public_types(tree)) for tree in TREES))


def public_types(folder: str) -> list[tuple[str, Path]]:
    files = [path for path in sources(folder) if path.name != "conftest.py"]
    return [(name, path) for path in files for name in type_names(tree(path)) if not name.startswith("_")]


def type_names(module: ast.Module) -> list[str]:
    """Returns the classes of a file, and the values at its top level that have the name of a type: CapitalLetters."""
    names = []
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return [name for name in names if name.lstrip("_")[:1].isupper() and not name.isupper()]


def test_no_folder_has_many_files() -> None:
    files = Counter(path.parent.relative_to(ROOT).as_posix() for path in sources(*TREES))
    assert not {folder: count for folder, count in files.items() if count > MAX_FILES}


def test_no_function_is_long() -> None:
    functions = (
        (path.relative_to(ROOT).as_posix(), node.name, node.end_lineno - node.lineno + 1)
        for path in sources(*TREES)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    )
    assert not [function for function in functions if function[2] > MAX_LINES]


def positional(module: ast.Module) -> list[tuple[str, int]]:
    """Returns the values that a file makes of more arguments by position than a reader can tell apart."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    made = [(node.func.id, len(node.args)) for node in calls if isinstance(node.func, ast.Name)]
    return [(name, count) for name, count in made if count > MAX_POSITIONAL and name not in POSITIONAL]


def test_no_value_is_made_of_many_arguments_by_position() -> None:
    found = {path.relative_to(ROOT).as_posix(): positional(tree(path)) for path in sources(*TREES)}
    assert not {path: calls for path, calls in found.items() if calls}


def test_named_arguments_are_not_counted() -> None:
    assert positional(ast.parse("f(1, 2, 3, 4, 5, 6, 7, 8, 9)")) == [("f", 9)]
    assert positional(ast.parse("f(1, 2, 3, 4, 5, 6, 7, 8, ninth=9)")) == []


def test_a_module_name_is_used_once() -> None:
    assert not shared_modules()


def test_a_public_type_name_is_used_once() -> None:
    assert not shared_types()


def test_aliases_count_as_types() -> None:
    text = "A = B = int\nShape: TypeAlias = tuple[int, ...]\nSIZE = 1\nname = 2\nclass Box: ..."
    assert type_names(ast.parse(text)) == ["Shape", "Box"]
