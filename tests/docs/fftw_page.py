"""The part of docs/libraries.md on FFTW, from toolchain/derivatives."""

import re
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "toolchain" / "derivatives"

_TEXT = """
## FFTW

The transforms of FFTW 3 in double, single and long double precision (`fftw_`, `fftwf_`, `fftwl_`). They are linear:
nothing is kept, and the adjoint of a transform is the transposed transform. FFTW plans it at the first derivative, with
the program's flags, and it is kept. The reverse sweep takes one such transform. If the output lies
together in memory, it takes one pass over the arrays, and two otherwise.
Programs are in C, C++, or Fortran by `fftw3.f03`, or by the older names with the plan's address in an integer
(`dfftw_plan_dft_1d`, `sfftw_`, `lfftw_`).

    enzyme-cc program.c -o program -lfftw3

Planners: {planners}.

Executions: {executions}.

A plan tells neither its transform nor its arrays. So the link sends the program's calls of planners to functions that
note them (`--wrap`), also the calls in objects without bitcode. Nothing else of the program changes: it has FFTW's own
plans.

- **Plans that the differentiated function makes** need nothing from you. Derivatives make plans for the shadows.
- **Plans that are made outside** and get new arrays (`fftw_execute_dft` and the like): pass the plan as a constant, and
  the arrays as usual.
- **`fftw_execute` of a plan that is made outside** works on the arrays of the plan. These may be global variables, what
  pointers in global variables lead to, or what lies behind an argument, which may be constant: a context that another
  function made. Nothing needs a shadow.

      static fftw_plan plan;
      static fftw_complex *in, *out;         /* fftw_alloc_complex, fftw_plan_dft_1d(n, in, out, …) in main */
      __enzyme_autodiff((void *)f, x, dx);   /* f fills in, executes plan, and reads out */

  If an argument with a plan has a shadow, the shadow of the plan is a plan that the same planner makes for the shadows
  of the arrays: call the function that makes the handle for both. A shadow in which the plan is null or the program's
  own will also do.
- In second derivatives, `fftw_execute` of a plan that is made outside ends the program with a message (EZ0306), unless
  an argument with a shadow leads to the arrays. New-array execution has no such limit.
- A plan that code outside of the link made, such as a shared library, ends the derivative with a message (EZ0305).

Conventions:

- The adjoint of a complex number is dL/dRe + i dL/dIm.
- A transform from half a spectrum (`c2r`) overwrites its input. In differentiated code the input keeps its numbers. So
  do arrays for which a plan is measured.
- The imaginary parts that `c2r` ignores have derivative 0.
- Threads: `fftw_init_threads`, `fftw_plan_with_nthreads` and `fftw_cleanup_threads` carry no derivative. The adjoint
  uses as many threads as are set when it is planned. `fftw_flops`, `fftw_cost`, printing, wisdom and cleaning carry
  none, either.
- `fftw_malloc`, `fftw_alloc_real`, `fftw_alloc_complex` and `fftw_free` are allocators like `malloc` and `free`.
- Quadruple precision (`fftwq_`), MPI, and transforms of more than 24 dimensions are refused.

PocketFFT and KISS FFT come with sources. Compiled with enzyme-cc, they are differentiated like the program's own code:
`tests/codebases/kissfft` is an example.
"""
_SHAPE, _WIDTH = "##SHAPE", "##WIDTH##"


def section() -> str:
    """Returns the text of the section."""
    planners = ", ".join(f"`{name}`" for name in sorted(set(_planners())))
    executions = re.findall(r"^EXECUTE\((\w+),", (FOLDER / "fftw_routines.h").read_text(), re.M)
    return _TEXT.format(planners=planners, executions=", ".join(f"`{name}`" for name in ["execute", *executions]))


def _planners() -> Iterator[str]:
    """Yields the names of planners, without the letters of the precision."""
    text = (FOLDER / "fftw_planners.h").read_text()
    shapes = re.findall(r"^OF_SHAPE\((\w*),", text, re.M)
    widths = re.findall(r"^GURU_OF_WIDTH\((\w*)\)", text, re.M)
    for name in re.findall(r"\b(?:PLANNER|MANY|GURU)\((plan_[\w#]+),", text):
        if _SHAPE in name:
            yield from (name.replace(_SHAPE, shape) for shape in shapes)
        elif _WIDTH in name:
            yield from (name.replace(_WIDTH, width) for width in widths)
        else:
            yield name
