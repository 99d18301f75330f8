"""Makes what a program needs of Fortran's module mpi_f08, as flang would have made it of each library's sources.

The module that a distribution ships was made by gfortran, and flang cannot read it. Buffers are addresses with Open
MPI, and descriptors with MPICH, where calls with buffers have names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

_HANDLES = "Comm Datatype Op Request Info Win"
_CALLS = """
    Init | Finalize | Comm_rank comm rank< | Comm_size comm size< | Comm_split comm color key made=Comm | Comm_free comm
    Cart_create comm n d* p* reorder made=Comm | Barrier comm
    Isend in count type peer tag comm request | Irecv in count type peer tag comm request
    Send in count type peer tag comm | Recv in count type peer tag comm status
    Sendrecv in count type peer tag out count2 type2=Datatype peer2 tag2 comm status
    Wait request status | Waitall count requests* statuses*
    Bcast in count type root comm | Allreduce in out count type op comm | Reduce in out count type op root comm
    Iallreduce in out count type op comm request
    Win_create base size!A unit info comm win | Win_free win | Win_fence hints win
    Put in count type peer place!A count2 type2=Datatype win | Get out count type peer place!A count2 type2=Datatype win
    Gather in count type out count2 type2=Datatype root comm | Allgather in count type out count2 type2=Datatype comm
"""
_OF = {
    "comm": "Comm",
    "type": "Datatype",
    "op": "Op",
    "request": "Request",
    "requests": "Request",
    "info": "Info",
    "win": "Win",
}
_BUFFERS = ("in", "out", "base")
_STATUS = {
    False: "integer(C_INT) :: MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled\n    integer(C_SIZE_T) :: count",
    True: "integer(C_INT) :: count_lo, count_hi, MPI_SOURCE, MPI_TAG, MPI_ERROR",
}
_NAMES = {
    False: ("mpi_fortran_in_place_", "mpi_fortran_status_ignore_"),
    True: ("MPIR_F08_MPI_IN_PLACE", "MPIR_F08_MPI_STATUS_IGNORE_OBJ"),
}


def module(has_descriptors: bool) -> str:
    """Returns the text of the module."""
    in_place, status = _NAMES[has_descriptors]
    types = "\n".join(f"  type, bind(C) :: MPI_{h}\n    integer :: MPI_VAL\n  end type" for h in _HANDLES.split())
    calls = [entry.split() for entry in _CALLS.replace("\n", "|").split("|") if entry.strip()]
    interfaces = "\n".join(_interface(name, words, has_descriptors) for name, *words in calls)
    return f"""
module mpif_values
  include 'mpif.h'
end module
module mpi_f08
  use, intrinsic :: iso_c_binding
  use mpif_values, only: world => MPI_COMM_WORLD, double => MPI_DOUBLE_PRECISION, sum_ => MPI_SUM, max_ => MPI_MAX, &
    none => MPI_INFO_NULL, MPI_PROC_NULL
  implicit none
{types}
  type, bind(C) :: MPI_Status
    {_STATUS[has_descriptors]}
  end type
  integer(C_INT), bind(C, name="{in_place}") :: MPI_IN_PLACE
  type(MPI_Status), bind(C, name="{status}") :: MPI_STATUS_IGNORE
  type(MPI_Comm), parameter :: MPI_COMM_WORLD = MPI_Comm(world)
  type(MPI_Datatype), parameter :: MPI_DOUBLE_PRECISION = MPI_Datatype(double)
  type(MPI_Info), parameter :: MPI_INFO_NULL = MPI_Info(none)
  type(MPI_Op), parameter :: MPI_SUM = MPI_Op(sum_), MPI_MAX = MPI_Op(max_)
{interfaces}
end module
"""


def _interface(name: str, words: list[str], has_descriptors: bool) -> str:
    has_buffer = any(word in _BUFFERS for word in words)
    own = f"MPI_{name}_f08" + ("ts" if has_buffer and has_descriptors else "")
    names = [word.rstrip("<*").split("=")[0].removesuffix("!A") for word in words]
    lines = [
        f"  interface MPI_{name}",
        f"    subroutine {own}({', '.join([*names, 'ierror'])})",
        "      import",
        *(f"      {line}" for word in words for line in _declared(word, has_descriptors)),
        "      integer, optional, intent(out) :: ierror",
        "    end subroutine",
        "  end interface",
    ]
    return "\n".join(lines)


def _declared(word: str, has_descriptors: bool) -> Iterator[str]:
    name, _, of = word.rstrip("<*").partition("=")
    handle = of or _OF.get(name)
    rank = "(*)" if word.endswith("*") else ""
    if name.endswith("!A"):
        yield f"integer(C_INTPTR_T) :: {name.removesuffix('!A')}"
    elif name in _BUFFERS:
        yield f"type(*), dimension({'..' if has_descriptors else '*'}), asynchronous :: {name}"
        if not has_descriptors:
            yield f"!dir$ ignore_tkr(tkr) {name}"
    elif handle:
        yield f"type(MPI_{handle}) :: {name}{rank}"
    elif name.startswith("status"):
        yield f"type(MPI_Status) :: {name}{rank}"
    else:
        yield f"{'logical' if name in ('p', 'reorder') else 'integer'} :: {name}{rank}"
