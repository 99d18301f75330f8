"""LLVM IR of a Python function, as Numba makes it, before vectorisation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import llvmlite.binding as llvm
import numba
from msgspec import Struct
from numba.core import types
from numba.core.codegen import CPUCodegen
from numba.core.dispatcher import Dispatcher

from enzyme_cc.functions.errors import CompileError

_SYMBOL = "jitted_function"
#: what stays visible, for `enzyme/numba.h` defines it another way
_REPLACED = ("NRT_incref", "NRT_decref")
#: what it defines besides
_DEFINED = frozenset(
    "NRT_MemInfo_alloc NRT_MemInfo_alloc_safe NRT_MemInfo_alloc_aligned NRT_MemInfo_alloc_safe_aligned"
    " NRT_MemInfo_new_varsize NRT_MemInfo_new_varsize_dtor NRT_MemInfo_varsize_alloc"
    " NRT_MemInfo_varsize_realloc NRT_MemInfo_varsize_free NRT_Allocate NRT_Free NRT_MemInfo_call_dtor"
    " numba_gil_ensure numba_gil_release numba_fatal_error Py_FatalError numba_ldexp numba_ldexpf numba_frexp"
    " numba_frexpf numba_gamma numba_gammaf numba_attempt_nocopy_reshape numba_xxdot numba_xxnrm2 numba_xxgemm"
    " numba_xxgemv numba_xxgetrf numba_xgesv".split()
)
#: the functions that would make the arguments of an exception: it is raised by calling the function itself again
_EXCEPTION_OBJECTS = re.compile(r"(?<=store )ptr @__excinfo_unwrap_args\w+")
#: functions of the interpreter and of Numba's runtime
_FOREIGN = re.compile(r"^declare .*@((?:_?Py|NRT_|_?numba_)\w*)\(", re.MULTILINE)
#: linear algebra of complex numbers: the first argument is its kind, c or z
_COMPLEX_ALGEBRA = re.compile(r"@(numba_xx?\w+)\(i8 (?:\w+ )*(?:99|122)\b")


class Lowered(Struct, frozen=True):
    """A jitted function for one list of argument types: its LLVM IR, and its name there."""

    name: str
    symbol: str
    text: str
    arguments: tuple[types.Type, ...]
    result: types.Type


def lower(dispatcher: Dispatcher, arguments: tuple[types.Type, ...], debug: bool = False) -> Lowered:
    """Compiles the Python function again, without vectorisation and unrolling: these come after differentiation.

    Raises Numba's errors, and `CompileError` where the function needs the interpreter.
    """
    options: dict[str, Any] = {**dispatcher.targetoptions, "debug": debug, "parallel": False}
    options.pop("nopython", None)
    copy = numba.njit(**options)(dispatcher.py_func)
    _, parameters = copy._compiler.fold_argument_types(arguments, {})  # those of *args are one tuple
    with _plain_loops(copy.targetctx.codegen()):
        copy.compile(parameters)
    compiled = copy.overloads[parameters]
    text = _only(str(compiled.library._final_module), compiled.fndesc.llvm_func_name)
    needed = set(_FOREIGN.findall(text)) - _DEFINED | set(_COMPLEX_ALGEBRA.findall(text))
    if needed and not debug:
        lower(dispatcher, arguments, debug=True)  # raises with lines
    if needed:
        raise _needs_interpreter(dispatcher, text, sorted(needed))
    symbol = f"enzyme_cc_jitted_{blake2b(text.encode(), digest_size=16).hexdigest()}"
    text = re.sub(rf"@{_SYMBOL}\b", f"@{symbol}", text)
    return Lowered(dispatcher.py_func.__name__, symbol, text, arguments, compiled.fndesc.restype)


def _needs_interpreter(dispatcher: Dispatcher, text: str, needed: Sequence[str]) -> CompileError:
    code = dispatcher.py_func.__code__
    called = re.compile(rf"call .*@({'|'.join(needed)})\(.*!dbg (!\d+)")
    lines = {
        int(place[1])
        for call in called.finditer(text)
        if (place := re.search(rf"^{call[2]} = .*DILocation\(line: (\d+)", text, re.MULTILINE)) is not None
    }
    line = min((line for line in lines if line > code.co_firstlineno), default=code.co_firstlineno)
    return CompileError(
        f"{code.co_filename}:{line}: error: {code.co_name} needs the Python interpreter, or a part of Numba's runtime"
        f" that has no derivative\n  in function: {code.co_name}\n  reason: it calls {', '.join(needed)}, as printing,"
        " objects, dictionaries, sets and linear algebra of complex numbers do\n"
        "  remedy: leave these out of the function that is differentiated"
    )


@contextmanager
def _plain_loops(codegen: CPUCodegen) -> Iterator[None]:
    """Optimises without the passes that make derivatives slow. A function may need another one's derivative: nested."""
    before = codegen.__dict__.get("_pass_builder")

    def builder(opt: Any = None, **others: Any) -> llvm.PassBuilder:
        level = numba.core.config.OPT if opt is None else opt
        tuning = llvm.create_pipeline_tuning_options(int(level))
        tuning.loop_vectorization = tuning.slp_vectorization = False
        tuning.loop_unrolling = tuning.loop_interleaving = False
        return llvm.create_pass_builder(codegen._tm, tuning)

    codegen._pass_builder = builder
    try:
        yield
    finally:
        if before is None:
            del codegen._pass_builder
        else:
            codegen._pass_builder = before


def _only(text: str, name: str) -> str:
    """Returns the module with what the function needs, under names that do not depend on the process."""
    module = llvm.parse_assembly(_EXCEPTION_OBJECTS.sub("ptr null", text))
    for function in module.functions:
        if not function.is_declaration and function.name != name and function.name not in _REPLACED:
            function.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options()
    machine = llvm.Target.from_triple(module.triple).create_target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, tuning))
    numbers: dict[str, str] = {name: _SYMBOL}
    symbols = re.compile(r"(?<=[@\"])(_ZN[\w.$]+)")
    return symbols.sub(lambda found: numbers.setdefault(found[1], f"jitted.{len(numbers)}"), str(module))
