"""A round whose one request begins and ends around foreign memory: made of IR text, ready to emit code."""

from __future__ import annotations

from msgspec.structs import replace

from enzyme_cc.autodiff.core.options import Options
from enzyme_cc.autodiff.core.round import Round
from enzyme_cc.autodiff.engine import explore
from enzyme_cc.autodiff.globals.foreign_functions import Task, name_of
from enzyme_cc.autodiff.globals.pointing import foreign_pointers
from enzyme_cc.autodiff.preparation import open_round, prepare, reach
from enzyme_cc.autodiff.requests.reader import read_request
from enzyme_cc.autodiff.requests.request import Request, find_requests

from ..normalise.rewriting import body
from ..rounds import TBAA


def requested(text: str, *, differentiated_again: bool = False) -> tuple[Round, Request]:
    """The round and the request of a program that makes one request for @f."""
    options = Options(verify=True)
    opened = open_round(text + TBAA, options, lambda name: None)
    request = read_request(opened.output, find_requests(opened.output)[0], opened.registered.custom, opened.provenance)
    explored = explore(prepare(opened, reach(opened, [request.function], [])), [request.signature])
    external = foreign_pointers(explored, [request.function])
    options = replace(options, differentiated_again=differentiated_again, runtime_activity=external.is_met)
    return explored.completed(options, external), request


def task(text: str, which: Task, arguments: int = 0, *, differentiated_again: bool = False) -> list[str]:
    """The code of the function for a task: lines that LLVM accepts."""
    round, request = requested(text, differentiated_again=differentiated_again)
    name = name_of(round, which, arguments, request)
    return body(str(round.output), name)
