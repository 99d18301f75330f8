! The calls of Fortran's module mpi_f08, whose errors may be left out.
module distributed
  use enzyme
  use mpi_f08
  implicit none
  integer :: rank, size
  type(MPI_Comm) :: half
contains
  real(8) function loss(x) result(total)
    real(8), intent(in) :: x(3)
    real(8) :: u(0:4), v(3), s, parts(8), t, m
    type(MPI_Request) :: requests(4)
    type(MPI_Status) :: statuses(4), status
    integer :: up, down, step, ierror
    real(8), asynchronous, target :: shown(2)
    type(MPI_Win) :: window
    up = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
    down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    u(1:3) = x
    shown = 0
    do step = 1, 3
      u(0) = 0.1d0
      u(4) = 0.2d0
      call MPI_Irecv(u(0), 1, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, requests(1))
      call MPI_Irecv(u(4), 1, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, requests(2))
      call MPI_Isend(u(1), 1, MPI_DOUBLE_PRECISION, down, 2, MPI_COMM_WORLD, requests(3), ierror)
      call MPI_Isend(u(3), 1, MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, requests(4))
      call MPI_Waitall(4, requests, statuses)
      v = u(1:3) + 0.2d0 * (u(0:2)**2 - 2 * u(1:3) + u(2:4))
      u(1:3) = v
    end do
    s = sum(u(1:3)**2)
    call MPI_Allreduce(MPI_IN_PLACE, s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, half)
    t = u(1) * u(2)
    call MPI_Iallreduce(t, m, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Allgather(t, 1, MPI_DOUBLE_PRECISION, parts, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
    call MPI_Sendrecv(u(1:2), 2, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 3, v, 2, MPI_DOUBLE_PRECISION, &
      mod(rank + size - 1, size), 3, MPI_COMM_WORLD, status)
    call MPI_Bcast(v, 2, MPI_DOUBLE_PRECISION, 0, half)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (size > 1) then
      call MPI_Win_create(shown, 16_C_INTPTR_T, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window)
      call MPI_Win_fence(0, window)
      call MPI_Put(v, 2, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 0_C_INTPTR_T, 2, MPI_DOUBLE_PRECISION, window)
      call MPI_Win_fence(0, window)
      v(2) = v(2) * shown(1) * shown(2)
      call MPI_Win_free(window)
    end if
    total = s * x(1) + sum(parts(1:size)**2) * (rank + 1) + v(1) * v(2) * (1 + status%MPI_TAG) + m**2
  end function
end module

program main
  use distributed
  real(8) :: x(3), v(3), dx(3), plus, minus, want, got, tangent
  integer :: i
  real(8), parameter :: h = 1d-5
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  x = [(0.5d0 + 0.1d0 * i + 0.2d0 * rank, i = 1, 3)]
  v = [(cos(i + 3d0 * rank), i = 1, 3)]
  dx = 0
  call autodiff(loss, x, dx)
  got = summed(sum(dx * v))
  tangent = summed(fwddiff(loss, x, v))
  plus = loss(x + h * v)
  minus = loss(x - h * v)
  want = summed((plus - minus) / (2 * h))
  call MPI_Comm_free(half)
  call MPI_Finalize()
  if (abs(got - want) > 1d-6 * abs(want) .or. abs(tangent - want) > 1d-6 * abs(want)) then
    print *, 'FAIL', rank, got, tangent, want
    stop 1
  end if
contains
  real(8) function summed(a)
    real(8), intent(in) :: a
    call MPI_Allreduce(a, summed, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function
end program
