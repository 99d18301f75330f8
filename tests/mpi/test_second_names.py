"""Second names of MPI's functions in the text of a unit."""

from enzyme_cc.link.merged_module.libraries.second_names import with_usual_names

_TEXT = """\
@table = global ptr @PMPI_Wait

define i32 @f(ptr %0) {
  %2 = call i32 @PMPI_Barrier(i32 1)
  %3 = call i32 @MPI_Barrier(i32 1)
  call void @pmpi_wtime_(ptr %0)
  %4 = call i32 @PMPI_Barriers(i32 1)
  ret i32 %2
}

declare i32 @PMPI_Barrier(i32)

declare i32 @MPI_Barrier(i32)

declare i32 @PMPI_Wait(ptr)

declare void @pmpi_wtime_(ptr)

define internal i32 @PMPI_Barriers(i32 %0) {
  ret i32 %0
}
"""


def test_each_function_has_one_name() -> None:
    text = with_usual_names(_TEXT, {"PMPI_Barriers", "f"})
    assert text.count("@MPI_Barrier(i32 1)") == 2 and text.count("declare i32 @MPI_Barrier(i32)") == 1
    assert "@PMPI_Barrier(" not in text and "@table = global ptr @MPI_Wait\n" in text
    assert "declare i32 @MPI_Wait(ptr)" in text and "call void @mpi_wtime_(ptr %0)" in text


def test_names_of_the_program_stay() -> None:
    text = with_usual_names(_TEXT, {"PMPI_Barriers", "MPI_Barrier", "MPI_Wait"})
    assert "call i32 @PMPI_Barrier(i32 1)" in text and "call i32 @PMPI_Barriers(i32 1)" in text
    assert "ptr @PMPI_Wait" in text and "@mpi_wtime_" in text
