"""A thin, general layer over llvmlite: read and print modules, run LLVM's pipelines or single passes, make objects.

Results are the same on all machines: they depend on the module and its attributes only.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache

import llvmlite.binding as llvm

#: - Tail duplication before register allocation mixes up phis of a block that refer to each other
#:   (llvm-project #194832).
#: - A test whether rows overlap that LLVM moves out of the loop over rows also asks whether this loop counts up: in
#:   reverse sweeps it counts down, and the vectorised loop would never run.
#: - Where null is valid, addresses may wrap around, unless they are declared `inbounds`: those of Fortran are not. So
#:   LLVM tests each address of a loop before it runs vectorised; 16 are a stencil of five points, without a shadow.
#: - In a block of thousands of instructions, LLVM gives up its search for the store that a load reads, and for the
#:   store that overwrites another. What stays in memory costs a log of overwritten bytes in reverse mode. Into other
#:   blocks, it looks as far as by default: in a loop over a thousand small blocks, more takes three times as long.
OPTIONS = (
    "-disable-early-taildup",
    "-hoist-runtime-checks=false",
    "-vectorize-scev-check-threshold=64",
    "-memdep-block-scan-limit=1000",
    "-dse-memoryssa-scanlimit=1000",
    "-dse-memoryssa-walklimit=1000",
    "-dse-memoryssa-otherbb-cost=55",
    "-dse-memoryssa-defs-per-block-limit=20000",
)
#: clang's -fenable-matrix: O2 makes loops and vectors of operations on matrices
MATRICES = "-enable-matrix"

_RUNNABLE_TRIPLE = f"{platform.machine()}-unknown-linux-gnu"


class LLVMError(RuntimeError):
    """LLVM refused a module; the message is LLVM's."""


@cache
def initialise() -> None:
    """Makes all targets available. Called by everything here; may be called again."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    for option in OPTIONS:
        llvm.set_option("", option)


def has_matrices(text: str) -> bool:
    """Returns whether a module's text has operations on matrices."""
    return "@llvm.matrix." in text


@cache
def lower_matrices() -> None:
    """Makes O2 and O3 lower operations on matrices, in this process from now on."""
    initialise()
    llvm.set_option("", MATRICES)


def version() -> tuple[int, int, int]:
    """Returns the version of LLVM that reads and optimises here."""
    major, minor, patch = llvm.llvm_version_info
    return major, minor, patch


def parse(text: str, context: llvm.ContextRef | None = None) -> llvm.ModuleRef:
    """Returns the module of LLVM's text form. Raises `LLVMError`."""
    initialise()
    try:
        return llvm.parse_assembly(text, context)
    except RuntimeError as error:
        raise LLVMError(str(error)) from None


def parse_bitcode(data: bytes, context: llvm.ContextRef | None = None) -> llvm.ModuleRef:
    """Returns the module of bitcode, of this version of LLVM or an older one. Raises `LLVMError`.

    LLVM may end the process where bitcode is damaged.
    """
    initialise()
    try:
        return llvm.parse_bitcode(data, context)
    except (RuntimeError, UnicodeDecodeError) as error:
        raise LLVMError(str(error)) from None


def verify(module: llvm.ModuleRef) -> None:
    """Raises `LLVMError` if the module is not valid."""
    try:
        module.verify()
    except RuntimeError as error:
        raise LLVMError(str(error)) from None


def target_machine(
    triple: str = "", *, pic: bool = True, optimisation: int = 3, cpu: str = "", features: str = ""
) -> llvm.TargetMachine:
    """Returns a target machine of the small code model. Functions' own target attributes prevail over `cpu`.

    Raises `LLVMError` for a target that is not available.
    """
    initialise()
    try:
        target = llvm.Target.from_triple(triple or _RUNNABLE_TRIPLE)
        reloc = "pic" if pic else "static"
        return target.create_target_machine(cpu, features, opt=optimisation, reloc=reloc, codemodel="default")
    except RuntimeError as error:
        raise LLVMError(str(error)) from None


def keep_null(module: llvm.ModuleRef) -> None:
    """Makes accesses through null end the program: LLVM may not take them for impossible, and delete what leads there.

    All functions: those that differ in this are not inlined into one another.
    """
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("null_pointer_is_valid")


def optimise(
    module: llvm.ModuleRef,
    level: int = 2,
    *,
    vectorise: bool = False,
    unroll: bool = False,
    machine: llvm.TargetMachine | None = None,
) -> None:
    """Runs LLVM's default pipeline of that level in place, with or without vectorising and unrolling loops.

    Straight-line code is never vectorised: LLVM 22's code generator may lose half of such a vector.
    """
    machine = machine or target_machine(module.triple)
    with llvm.create_pipeline_tuning_options(speed_level=level) as tuning:
        tuning.loop_vectorization = vectorise
        tuning.slp_vectorization = False
        tuning.loop_interleaving = vectorise
        tuning.loop_unrolling = unroll
        with llvm.create_pass_builder(machine, tuning) as builder, builder.getModulePassManager() as passes:
            passes.run(module, builder)


def run_passes(module: llvm.ModuleRef, *names: str, machine: llvm.TargetMachine | None = None) -> None:
    """Runs single passes in place, in the order given. `PASSES` has their names. Raises `KeyError` for another."""
    machine = machine or target_machine(module.triple)
    with (
        llvm.create_pipeline_tuning_options(speed_level=2) as tuning,
        llvm.create_pass_builder(machine, tuning) as builder,
        llvm.create_new_module_pass_manager() as passes,
    ):
        for name in names:
            getattr(passes, PASSES[name])()
        passes.run(module, builder)


def run_function_passes(module: llvm.ModuleRef, functions: Iterable[str], *names: str) -> None:
    """Runs single passes of functions in place, in the order given, on these functions of the module alone."""
    with (
        llvm.create_pipeline_tuning_options(speed_level=2) as tuning,
        llvm.create_pass_builder(target_machine(module.triple), tuning) as builder,
        llvm.create_new_function_pass_manager() as passes,
    ):
        for name in names:
            getattr(passes, PASSES[name])()
        for function in functions:
            passes.run(module.get_function(function), builder)


# The passes by the names that LLVM's `opt` gives them.
PASSES: dict[str, str] = {
    "adce": "add_aggressive_dce_pass",
    "aggressive-instcombine": "add_aggressive_instcombine_pass",
    "always-inline": "add_always_inliner_pass",
    "argpromotion": "add_argument_promotion_pass",
    "break-crit-edges": "add_break_critical_edges_pass",
    "constmerge": "add_constant_merge_pass",
    "dce": "add_dead_code_elimination_pass",
    "dse": "add_dead_store_elimination_pass",
    "function-attrs": "add_post_order_function_attributes_pass",
    "globaldce": "add_global_dead_code_eliminate_pass",
    "globalopt": "add_global_opt_pass",
    "instcombine": "add_instruction_combine_pass",
    "instnamer": "add_instruction_namer_pass",
    "ipsccp": "add_ipsccp_pass",
    "jump-threading": "add_jump_threading_pass",
    "lcssa": "add_lcssa_pass",
    "loop-deletion": "add_loop_deletion_pass",
    "loop-reduce": "add_loop_strength_reduce_pass",
    "loop-rotate": "add_loop_rotate_pass",
    "loop-simplify": "add_loop_simplify_pass",
    "loop-unroll": "add_loop_unroll_pass",
    "lower-atomic": "add_lower_atomic_pass",
    "lower-invoke": "add_lower_invoke_pass",
    "lower-switch": "add_lower_switch_pass",
    "memcpyopt": "add_mem_copy_opt_pass",
    "mergefunc": "add_merge_functions_pass",
    "newgvn": "add_new_gvn_pass",
    "reassociate": "add_reassociate_pass",
    "reg2mem": "add_register_to_memory_pass",
    "sccp": "add_sccp_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sink": "add_sinking_pass",
    "sroa": "add_sroa_pass",
    "strip-dead-debug-info": "add_strip_dead_debug_info_pass",
    "strip-dead-prototypes": "add_strip_dead_prototype_pass",
    "tailcallelim": "add_tail_call_elimination_pass",
    "unify-function-exits": "add_unify_function_exit_nodes_pass",
}


def emit_object(module: llvm.ModuleRef, *, pic: bool = True, optimisation: int = 3) -> bytes:
    """Returns a native object of the module. Raises `LLVMError`."""
    machine = target_machine(module.triple, pic=pic, optimisation=optimisation)
    try:
        return bytes(machine.emit_object(module))
    except RuntimeError as error:
        raise LLVMError(str(error)) from None
