"""The functions around an iteration: the loop itself, its registered gradient, and the gradient of one iteration."""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.module import Module, global_name
from ...ir.types import I64, PTR, VOID, FunctionType, alloc_size
from ...rules import runtime_functions as runtime
from .outline import Iteration
from .step_loops import StepLoop

_LOOP = """
define internal void {driver}(ptr %closure, i64 %steps) noinline {{
  %any = icmp sgt i64 %steps, 0
  br i1 %any, label %loop, label %done
loop:
  %t = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void {iteration}(ptr %closure, i64 %t)
  %next = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %next, %steps
  br i1 %more, label %loop, label %done
done:
  ret void
}}

define internal ptr {augmented}(ptr %closure, ptr %shadow, i64 %steps) {{
  %tape = call ptr @__ez_checkpoint_forward(ptr {watched}, ptr {name}, ptr %closure, ptr %shadow, i64 {bytes}, \
i64 {numbers}, i64 %steps, i64 {states})
  ret ptr %tape
}}

define internal void {reverse}(ptr %closure, ptr %shadow, i64 %steps, ptr %tape) {{
  %sums = call ptr @__ez_checkpoint_backward(ptr %tape, ptr {iteration}, ptr {gradient})
{sums}{end}  ret void
}}

define internal ptr {again}(ptr %closure, ptr %shadow, i64 %steps, ptr %tape) {{
  %copy = call ptr @__ez_checkpoint_copy(ptr %tape, ptr %shadow)
  ret ptr %copy
}}

define internal void {gradient}(ptr %closure, ptr %shadow, i64 %t) {{
  call void {request}(ptr {iteration}, ptr %closure, ptr %shadow, i64 %t)
  ret void
}}
"""
_SUM = """\
  %from{k} = getelementptr i8, ptr %sums, i64 {offset}
  %to{k} = getelementptr i8, ptr %shadow, i64 {offset}
  %more{k} = load {type}, ptr %from{k}
  %old{k} = load {type}, ptr %to{k}
  %new{k} = fadd {type} %old{k}, %more{k}
  store {type} %new{k}, ptr %to{k}
"""
_END = "  call void @__ez_checkpoint_end(ptr %tape)\n"
_RUNTIME = (
    runtime.CHECKPOINT_FORWARD,
    runtime.CHECKPOINT_BACKWARD,
    runtime.CHECKPOINT_COPY,
    runtime.CHECKPOINT_END,
)
#: the request in the text: LLVM must not merge its calls
_REQUEST = "@__enzyme_autodiff_iteration"


def drive(module: Module, iteration: Iteration, watched: str, found: StepLoop) -> str:
    """Returns the text of these functions, and enters into the module what they refer to.

    `watched` is the copy of the iteration that reports what it touches. The reverse sweep ends the tape's life, unless
    some request of the module uses tapes several times.
    """
    _declare(module)
    step = f"the checkpointed step {plain_name(found.step)}"
    name = module.fresh_name("__ez_text.step")
    module.add_global(f'{name} = private constant [{len(step) + 1} x i8] c"{step}\\00"')
    stem = plain_name(iteration.driver)
    names = {word: global_name(f"{stem}.{word}") for word in ("augmented", "again", "reverse", "gradient")}
    del module.functions[iteration.driver]
    entries = ", ".join(f"ptr {n}" for n in (iteration.driver, names["augmented"], names["reverse"]))
    register = module.fresh_name(f"__enzyme_register_gradient_{stem}")
    module.add_global(f"{register} = constant [3 x ptr] [{entries}]")
    module.add_global(f"{module.fresh_name('__ez_again')} = constant ptr {names['again']}")  # so that LLVM keeps it
    sums = [_SUM.format(k=k, offset=offset, type=type_) for k, (type_, offset) in enumerate(iteration.numbers)]
    return _LOOP.format(
        driver=iteration.driver,
        iteration=iteration.function.name,
        watched=watched,
        name=name,
        bytes=alloc_size(iteration.closure),
        numbers=iteration.bytes_of_numbers,
        states=found.states,
        request=_REQUEST,
        sums="".join(sums),
        end="" if "@enzyme_nofree" in module.globals else _END,
        **names,
    )


def _declare(module: Module) -> None:
    for function in _RUNTIME:
        function.declare(module)
    module.declare(_REQUEST, FunctionType(VOID, (PTR, PTR, PTR, I64)), "nomerge")
