"""Flang's tables of derived types, read as values."""

from __future__ import annotations

from enzyme_cc.autodiff.optimise.derived_types import tables

TABLE = "%_QM__fortran_type_infoTderivedtype"


def test_tables_of_the_program() -> None:
    text = f"@_QMmTpoint = constant {TABLE} {{ i64 0 }}\n@_QM__fortran_builtinsTx = constant {TABLE} {{ i64 0 }}\n"
    assert tables(text) == ["@_QMmTpoint"]
