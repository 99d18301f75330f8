! The module mpi, made of mpif.h: the gradient of a sum that all ranks get.
program replicated
  use mpi
  use enzyme
  implicit none
  integer :: error, size
  real(8) :: x(1), dx(1)
  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  x = 0.5d0
  dx = 0
  call autodiff(loss, x, dx)
  call MPI_Finalize(error)
  if (abs(dx(1) - size * 2 * x(1)) > 1d-12) then
    print *, 'FAIL', dx
    stop 1
  end if
contains
  real(8) function loss(x) result(total)
    real(8), intent(in) :: x(1)
    real(8) :: own
    integer :: error
    own = x(1) * x(1)
    call MPI_Allreduce(own, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end function
end program
