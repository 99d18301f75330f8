! The calls of Fortran: messages and collective calls of a function of each rank's numbers.
module distributed
  use enzyme
  implicit none
  include 'mpif.h'
  integer :: rank, size, ierror
contains
  real(8) function loss(x) result(total)
    real(8), intent(in) :: x(3)
    real(8) :: u(0:4), v(3), s, parts(8), t
    integer :: requests(4), up, down, step, statuses(MPI_STATUS_SIZE, 4)
    up = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
    down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    u(1:3) = x
    do step = 1, 3
      u(0) = 0.1d0
      u(4) = 0.2d0
      call MPI_Irecv(u(0), 1, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Irecv(u(4), 1, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Isend(u(1), 1, MPI_DOUBLE_PRECISION, down, 2, MPI_COMM_WORLD, requests(3), ierror)
      call MPI_Isend(u(3), 1, MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, requests(4), ierror)
      call MPI_Waitall(4, requests, statuses, ierror)
      v = u(1:3) + 0.2d0 * (u(0:2)**2 - 2 * u(1:3) + u(2:4))
      u(1:3) = v
    end do
    s = sum(u(1:3)**2)
    call MPI_Allreduce(MPI_IN_PLACE, s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    t = u(1) * u(2)
    call MPI_Allgather(t, 1, MPI_DOUBLE_PRECISION, parts, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
    call MPI_Sendrecv(u(1), 2, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 3, v, 2, MPI_DOUBLE_PRECISION, &
      mod(rank + size - 1, size), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    total = s * x(1) + sum(parts(1:size)**2) * (rank + 1) + v(1) * v(2)
  end function
end module

program main
  use distributed
  real(8) :: x(3), v(3), dx(3), plus, minus, want, got, tangent
  integer :: i
  real(8), parameter :: h = 1d-5
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  x = [(0.5d0 + 0.1d0 * i + 0.2d0 * rank, i = 1, 3)]
  v = [(cos(i + 3d0 * rank), i = 1, 3)]
  dx = 0
  call autodiff(loss, x, dx)
  got = summed(sum(dx * v))
  tangent = summed(fwddiff(loss, x, v))
  plus = loss(x + h * v)
  minus = loss(x - h * v)
  want = summed((plus - minus) / (2 * h))
  if (abs(got - want) > 1d-6 * abs(want) .or. abs(tangent - want) > 1d-6 * abs(want)) then
    print *, 'FAIL', rank, got, tangent, want
    call MPI_Finalize(ierror)
    stop 1
  end if
  call MPI_Finalize(ierror)
contains
  real(8) function summed(a)
    real(8), intent(in) :: a
    call MPI_Allreduce(a, summed, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  end function
end program
