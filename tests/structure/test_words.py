"""Words for states of memory: each has one name, and its earlier names do not come back (docs/architecture.md)."""

import ast
import re
from collections.abc import Iterator

from .test_imports import ROOT
from .test_shape import sources
from .trees import tree

#: parts of names that had a meaning which has another word now, and the word
OLD = {
    r"(has|passes|is)_own_shadows?|own_shadows(_of)?": "unshadowed, or sure for a shadow that is other memory",
    r"is_constant_memory|lies_in_constant_memory": "unshadowed",
    r"external_(memory|pointers|shadows|refusals|code)|External(Pointers|Function|Code)|OUTSIDE_\w+": "foreign",
    r"is_told\w*|are_told|\w+_told(_\w+)?|TOLD_\w+": "tagged",
    r"is_noted|note_store|note_bulk|note_made|notes_pointers|keeps_numbers|shadow_noted|copy_notes": "recorded",
    r"is_open": "open with its subject",
    r"FunctionKind": "CalleeKind",
    r"FunctionKey": "Definition",
    r"AddressTaken": "PointedFunctions",
}
#: attributes whose names have no subject, and the names with one
WITHOUT_SUBJECT = {"native": "native_functions or native_type"}
#: the same for files and symbols of the runtime
OLD_IN_RUNTIME = {"outside": "foreign", "told": "tagged", "noted": "recorded"}
PACKAGES = ("enzyme_cc/analysis", "enzyme_cc/autodiff", "enzyme_cc/link", "enzyme_cc/rules")


def names(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields each name that a file defines, reads or imports, and its line."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.alias(name=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)):
                yield node.value.lineno, name


def word_for(name: str) -> str | None:
    """Returns the word to use in place of a name; None if the name may stay."""
    return next((word for old, word in OLD.items() if re.fullmatch(f"_?(?:{old})", name)), None)


def test_no_old_word_comes_back() -> None:
    paths = sources(*PACKAGES)
    found = {(path.relative_to(ROOT).as_posix(), *at) for path in paths for at in names(tree(path))}
    assert not [f"{path}:{line} {name}: {word_for(name)}" for path, line, name in sorted(found) if word_for(name)]


def test_no_file_has_an_old_word() -> None:
    assert not [path for path in sources(*PACKAGES) if word_for(path.stem)]


def test_attributes_have_a_subject() -> None:
    trees = [(path, tree(path)) for path in sources(*PACKAGES)]
    attributes = (
        (path, node) for path, module in trees for node in ast.walk(module) if isinstance(node, ast.Attribute)
    )
    found = [(path, node) for path, node in attributes if node.attr in WITHOUT_SUBJECT and is_own(node)]
    assert not [f"{path}:{node.lineno} {node.attr}: {WITHOUT_SUBJECT[node.attr]}" for path, node in found]


def is_own(node: ast.Attribute) -> bool:
    """True for an attribute that is no function of another library, such as os.open."""
    return not (isinstance(node.value, ast.Name) and node.value.id in {"os", "gzip"})


def test_the_runtime_has_no_old_word() -> None:
    files = sorted((ROOT / "toolchain/runtime").glob("*.c"))
    words = {word for file in files for word in re.split(r"\W+", file.read_text()) if word.startswith("__ez_")}
    parts = {part for name in (*words, *(file.stem for file in files)) for part in name.split("_")}
    assert not {part: OLD_IN_RUNTIME[part] for part in sorted(parts & OLD_IN_RUNTIME.keys())}


def test_names_of_all_kinds_are_seen() -> None:
    text = "from a import is_open\ndef note_store(is_told): ...\nx.keeps_numbers = f(own_shadows=1)\n"
    seen = {name for _, name in names(ast.parse(text)) if word_for(name)}
    assert seen == {"is_open", "note_store", "is_told", "keeps_numbers", "own_shadows"}
