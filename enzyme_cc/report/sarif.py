"""Diagnostics as a log of SARIF 2.1.0 (OASIS 2020): what editors and the web sites of repositories show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from enzyme_cc.report.catalogue import CATALOGUE
from enzyme_cc.report.diagnostics import PROGRAM, Diagnostic
from enzyme_cc.report.remarks import position

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(diagnostics: Sequence[Diagnostic], severity: str) -> str:
    """Returns a log of one run, on one line."""
    ids = sorted({diagnostic.id for diagnostic in diagnostics})
    driver = {"name": PROGRAM, "rules": [_rule(id) for id in ids]}
    results = [_result(diagnostic, severity) for diagnostic in diagnostics]
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(id: str) -> dict[str, Any]:
    entry = CATALOGUE[id]
    return {
        "id": id,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explanation},
        "help": {"text": f"{entry.remedy[:1].upper()}{entry.remedy[1:]}."},
    }


def _result(diagnostic: Diagnostic, severity: str) -> dict[str, Any]:
    name = diagnostic.spelt
    more = {
        "reason": diagnostic.reason,
        "remedy": diagnostic.remedy or CATALOGUE[diagnostic.id].remedy,
        "calls": [name(call) for call in diagnostic.calls],
    }
    result: dict[str, Any] = {
        "ruleId": diagnostic.id,
        "level": severity,
        "message": {"text": name(" ".join(diagnostic.message.split()))},
        "properties": {key: name(value) if isinstance(value, str) else value for key, value in more.items() if value},
    }
    place = _place(diagnostic.location)
    if diagnostic.function is not None:
        place["logicalLocations"] = [{"name": name(diagnostic.function), "kind": "function"}]
    if place:
        result["locations"] = [place]
    if diagnostic.request is not None:
        result["relatedLocations"] = [{**_place(diagnostic.request), "message": {"text": "the request"}}]
    return result


def _place(location: str | None) -> dict[str, Any]:
    if location is None:
        return {}
    file, line, column = position(location)
    physical: dict[str, Any] = {"artifactLocation": {"uri": file}}
    if line:
        physical["region"] = {"startLine": line} | ({"startColumn": column} if column else {})
    return {"physicalLocation": physical}
