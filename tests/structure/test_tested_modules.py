"""Each module has a test: a mistake in it is found where it is, and not only by whole programs.

A test of a module imports it, or has its name: handlers of instructions are tested through the sweep that calls them.
The table lists the modules that have no test yet; it may only become shorter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from .test_imports import ROOT, imported, modules

#: package → its modules that no test imports or is named after
UNTESTED: dict[str, str] = {
    "analysis.type_analysis.constraints": "calls carried_bits local transfer",
    "analysis.type_analysis": "copied_memory declared_accesses memory_evidence number_flow value_kinds",
    "analysis.type_analysis.evidence": "facts_at_place same_bytes",
    "analysis.type_analysis.integer_flow": "fed_numbers stored_integers",
    "autodiff.analyses": "settled",
    "autodiff.answer": "answers",
    "autodiff.emit.shadow_access": "left_blocks",
    "autodiff.normalise.bits": "declared_words mixed_lanes moved_parts stored_bits",
    "autodiff.normalise": "closures watch",
    "autodiff.normalise.vectors": "vector_masks",
    "autodiff.optimise": "compared_words constructed_text known_values words_of_numbers",
    "autodiff": "passes preoptimisation",
    "frameworks": "applied_function native_adapter",
    "frameworks.jax_operations": "jax_functions jax_primitives",
    "frameworks.jitted": "jitted_arguments jitted_calls jitted_entries jitted_module jitted_wrapping",
    "frameworks.mindspore_operations": "mindspore_kernel mindspore_operation",
    "frameworks.tensorflow_operations": "tensorflow_functions tensorflow_operation",
    "frameworks.torch_operations": "torch_functions torch_operators",
    "functions.calls": "any_shape c_function conversion function isolated jacobians plans products worker",
    "functions": "compilation compiled debug_info messages progress prototype sources",
    "ir": "target",
    "ir.text": "call_forms control_forms form_parts memory_forms operands parser",
    "ir.verify": "operand_types well_formed",
    "link.merged_module": """
        borrow compile follows inactive_globals plain_calls prevailing reached unit_passes unreachable
        used_attribute
    """,
    "link.merged_module.libraries": "derivative_sources pointed_stand_ins shipped_derivatives string_bodies",
    "link.native": "final_link library_units mpi_library prepare_inputs traced_units undefined_symbols",
    "link.participants": "closure closure_walk components inactive_variables liveness tear_down visibility",
    "link.participants.pointers": "struct_places",
    "link": "pipeline",
    "link.process": "deep_stack failure limits supervise",
    "rules": "control_functions",
    "ziglang": "__main__",
}


def with_tests(tests: Iterable[Path]) -> set[str]:
    """Returns the modules that these tests import, or whose name they have."""
    files, paths = modules(), list(tests)
    named = {path.stem.removeprefix("test_") for path in paths if path.stem.startswith("test_")}
    found = {name for path in paths for name in imported(dotted(path), path, files)}
    return found | {name for name in files if name.rpartition(".")[2] in named}


def dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[parts.index("tests") :])


def all_tests() -> Iterator[Path]:
    return (ROOT / "tests").rglob("*.py")


def with_code() -> set[str]:
    return {name for name, path in modules().items() if path.name != "__init__.py"}


def listed() -> set[str]:
    return {f"enzyme_cc.{package}.{name}" for package, names in UNTESTED.items() for name in names.split()}


def test_every_new_module_has_a_test() -> None:
    assert not with_code() - with_tests(all_tests()) - listed()


def test_the_table_lists_no_module_that_has_a_test_or_is_gone() -> None:
    assert not listed() & with_tests(all_tests())
    assert not listed() - with_code()


def test_every_package_has_a_tested_module() -> None:
    packages = {name.rpartition(".")[0] for name in with_code()}
    found = with_tests(all_tests())
    assert not packages - {name.rpartition(".")[0] for name in found} - found


def test_an_import_of_a_package_is_no_test_of_its_modules(tmp_path: Path) -> None:
    test = tmp_path / "tests" / "test_builder.py"
    test.parent.mkdir()
    test.write_text("from enzyme_cc.ir import graphs\nfrom enzyme_cc.ir.text import printer\nimport enzyme_cc.rules\n")
    named = "enzyme_cc.ir.builder"
    assert with_tests([test]) == {named, "enzyme_cc.ir.graphs", "enzyme_cc.ir.text.printer", "enzyme_cc.rules"}
