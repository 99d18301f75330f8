"""Calls of MPI that move no numbers: names → the number of operands, and those behind which they write integers.

What moves numbers has derivatives in toolchain/derivatives/mpi.c. Any other call of MPI is refused: the ranks of a
program must agree which messages have derivatives.
"""

from __future__ import annotations

import re

_CALLS = """
    Init 2 - | Init_thread 4 3 | Initialized 1 0 | Finalized 1 0 | Query_thread 1 0 | Is_thread_main 1 0
    Abort 2 - | Get_version 2 0 1 | Get_library_version 2 0 1 | Get_processor_name 2 0 1
    Error_string 3 1 2 | Error_class 2 1 | Pcontrol 1 -
    Comm_rank 2 1 | Comm_size 2 1 | Comm_remote_size 2 1 | Comm_test_inter 2 1 | Comm_compare 3 2 | Comm_group 2 1
    Comm_remote_group 2 1 | Comm_dup 2 1 | Comm_create 3 2 | Comm_create_group 4 3 | Comm_split 4 3
    Comm_split_type 5 4 | Comm_free 1 0 | Comm_set_name 2 - | Comm_get_name 3 1 2 | Comm_set_errhandler 2 -
    Errhandler_set 2 - | Intercomm_create 6 5 | Intercomm_merge 3 2
    Group_size 2 1 | Group_rank 2 1 | Group_incl 4 3 | Group_excl 4 3 | Group_union 3 2 | Group_intersection 3 2
    Group_difference 3 2 | Group_range_incl 4 3 | Group_range_excl 4 3 | Group_translate_ranks 5 4
    Group_compare 3 2 | Group_free 1 0
    Dims_create 3 2 | Cart_create 6 5 | Cart_get 5 2 3 4 | Cart_rank 3 2 | Cart_coords 4 3 | Cart_shift 5 3 4
    Cart_sub 3 2 | Cartdim_get 2 1 | Cart_map 5 4 | Topo_test 2 1 | Graph_create 6 5 | Graphdims_get 3 1 2
    Graph_get 5 3 4 | Graph_neighbors_count 3 2 | Graph_neighbors 4 3 | Dist_graph_create 9 8
    Dist_graph_create_adjacent 10 9 | Dist_graph_neighbors_count 4 1 2 3 | Dist_graph_neighbors 7 2 3 5 6
    Probe 4 3 | Test_cancelled 2 1 | Iprobe 5 3 4 | Get_count 3 2 | Get_elements 3 2 | Pack_size 4 3
    Buffer_attach 2 - | Buffer_detach 2 0 1
    Type_size 2 1 | Type_extent 2 1 | Type_lb 2 1 | Type_ub 2 1 | Type_get_extent 3 1 2
    Type_get_true_extent 3 1 2 | Type_contiguous 3 2 | Type_vector 5 4 | Type_hvector 5 4 | Type_create_hvector 5 4
    Type_indexed 5 4 | Type_hindexed 5 4 | Type_create_hindexed 5 4 | Type_create_indexed_block 5 4
    Type_create_hindexed_block 5 4 | Type_struct 5 4 | Type_create_struct 5 4 | Type_create_subarray 7 6
    Type_create_resized 4 3 | Type_dup 2 1 | Type_commit 1 0 | Type_free 1 0 | Type_match_size 3 2
    Op_create 3 2 | Op_free 1 0 | Info_create 1 0 | Info_set 3 - | Info_free 1 0
    Comm_f2c 1 - | Comm_c2f 1 - | Type_f2c 1 - | Type_c2f 1 - | Op_f2c 1 - | Op_c2f 1 - | Group_f2c 1 - | Group_c2f 1 -
    Info_f2c 1 - | Info_c2f 1 -
"""
#: Files: names, the number of operands, and effects on those. What is read has derivative zero, as in C's library.
_FILES = """
    open 5 i4 | close 1 i0 | delete 2 - | set_size 2 - | get_size 2 i1 | set_view 6 - | seek 3 - | get_position 2 i1
    sync 1 - | preallocate 2 - | get_byte_offset 3 i2
    read 5 w1 i4 | read_all 5 w1 i4 | read_at 6 w2 i5 | read_at_all 6 w2 i5 | read_shared 5 w1 i4 | read_ordered 5 w1 i4
    write 5 i4 | write_all 5 i4 | write_at 6 i5 | write_at_all 6 i5 | write_shared 5 i4 | write_ordered 5 i4
"""
#: of derivatives: what a routine of MPI reads and writes, and what it stores of a request or a status
_OWN = {
    "__ez_messages_touch": "r0 w1 r2 w2 local",
    "__ez_inactive_mpi_status": "i0 local",
    "__ez_inactive_mpi_set_request": "i0 local",
    "__ez_inactive_mpi_set_message": "i0 local",
    "__ez_inactive_mpi_set_win": "i0 local",
    "__ez_inactive_mpi_win_create": "r0",
    "__ez_inactive_mpi_win_shared_query": "i2 i3 local",
    "__ez_inactive_mpi_some": "r* i0 local",
}
#: what differentiated code calls for each message, and for memory that ranks read and write directly
MESSAGE, MESSAGE_ROUTINE, SHARED_MEMORY = (
    "__ez_messages_touch",
    "__ez_library_mpi_call",
    "__ez_native_mpi_shared_memory",
)
#: how names end in Fortran: in mpif.h and the module mpi, and in the module mpi_f08
_FORTRAN = ("_", "_f08_")
_HANDLE = re.compile(r"MPIR_F08_|ompi_|mpi_fortran_|mpipriv|mpifcmb|mpif_|mpi_f08_")
_NAME = re.compile(r"P?MPI_[A-Z]\w*|p?mpi_\w+_")


def _rows() -> dict[str, str]:
    """Returns the effects of each call by its name: of C, and of Fortran, where the error comes last."""
    found = {"MPI_Wtime": "", "MPI_Wtick": ""}
    for line in _CALLS.replace("\n", "|").split("|"):
        if line.strip():
            name, count, *written = line.split()
            words = [f"i{k}" for k in written if k != "-"]
            found[f"MPI_{name}"] = " ".join(["r*", *words, "local"])
            for ending in _FORTRAN:
                found[f"mpi_{name.lower()}{ending}"] = " ".join(["r*", *words, f"i{count}", "local"])
    for line in _FILES.replace("\n", "|").split("|"):
        if line.strip():
            name, count, *effects = line.split()
            words = [effect for effect in effects if effect != "-"]
            found[f"MPI_File_{name}"] = " ".join(["r*", *words, "local"])
            for ending in _FORTRAN:
                found[f"mpi_file_{name}{ending}"] = " ".join(["r*", *words, f"i{count}", "local"])
    for ending in _FORTRAN:  # whose calls of these have other operands
        found[f"mpi_init{ending}"], found[f"mpi_init_thread{ending}"] = "i0 local", "r0 i1 i2 local"
        found[f"mpi_wtime{ending}"] = found[f"mpi_wtick{ending}"] = ""
    return found


#: names → effects, in the notation of knowledge.py
MPI = {**_rows(), **_OWN}


def is_mpi(name: str) -> bool:
    """True for names of MPI's calls."""
    return _NAME.fullmatch(name) is not None


def is_handle(name: str) -> bool:
    """True for the variables of Open MPI whose addresses are handles, and those of Fortran's special addresses."""
    return _HANDLE.match(name) is not None
