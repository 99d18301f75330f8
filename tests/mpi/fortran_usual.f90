! What programs of Fortran usually do with MPI; the loss is the sum of all.
module distributed
  use enzyme
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer :: rank, nranks
contains
  real(8) function loss(x)
    real(8), intent(in) :: x(16)
    loss = grid(x) + reduced(x) + subarray(x) + waitall(x) + icoll(x) + gather(x) + persistent(x)
    if (nranks > 1) loss = loss + shared(x) ! Open MPI may have no windows on one rank
  end function

  real(8) function grid(x) result(total) ! rows and columns of a Cartesian grid, by a vector type
    real(8), intent(in) :: x(16)
    real(8) :: u(0:5,0:5), w(4,4)
    integer :: cart, dims(2), coords(2), left, right, down, up, row, ierr, step, i, j
    logical :: periods(2)
    dims = 0; periods = [.true., .false.]
    call MPI_Dims_create(nranks, 2, dims, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., cart, ierr)
    call MPI_Cart_coords(cart, rank, 2, coords, ierr)
    call MPI_Cart_shift(cart, 0, 1, left, right, ierr)
    call MPI_Cart_shift(cart, 1, 1, down, up, ierr)
    call MPI_Type_vector(4, 1, 6, MPI_DOUBLE_PRECISION, row, ierr)
    call MPI_Type_commit(row, ierr)
    u = 0.1d0
    u(1:4,1:4) = reshape(x, [4,4])
    do step = 1, 3
      call MPI_Sendrecv(u(1,4), 4, MPI_DOUBLE_PRECISION, up, 1, u(1,0), 4, MPI_DOUBLE_PRECISION, down, 1, cart, &
        MPI_STATUS_IGNORE, ierr)
      call MPI_Sendrecv(u(1,1), 4, MPI_DOUBLE_PRECISION, down, 2, u(1,5), 4, MPI_DOUBLE_PRECISION, up, 2, cart, &
        MPI_STATUS_IGNORE, ierr)
      call MPI_Sendrecv(u(4,1), 1, row, right, 3, u(0,1), 1, row, left, 3, cart, MPI_STATUS_IGNORE, ierr)
      call MPI_Sendrecv(u(1,1), 1, row, left, 4, u(5,1), 1, row, right, 4, cart, MPI_STATUS_IGNORE, ierr)
      do j = 1, 4
        do i = 1, 4
          w(i,j) = u(i,j) + 0.1d0 * u(i,j) * (u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) - 4 * u(i,j))
        end do
      end do
      u(1:4,1:4) = w
    end do
    total = sum(u(1:4,1:4)**2) * (1 + coords(1))
    call MPI_Type_free(row, ierr)
    call MPI_Comm_free(cart, ierr)
  end function

  real(8) function reduced(x) result(total) ! a loss that all ranks sum up, and its like
    real(8), intent(in) :: x(4)
    real(8) :: part, both(2), mean(2), m
    integer :: ierr
    part = sum(x**2) * (rank + 1)
    call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    both = [x(1) * x(2), x(3)**2]
    call MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    mean = both / nranks
    call MPI_Allreduce(maxval(x), m, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    if (ierr /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    total = sqrt(total / nranks) * mean(1) + mean(2) * m
  end function

  real(8) function subarray(x) result(total) ! parts of arrays of two shapes
    real(8), intent(in) :: x(16)
    real(8) :: u(6,6), inner(4,4)
    integer :: part, other, ierr, next, last, status(MPI_STATUS_SIZE), n
    next = mod(rank + 1, nranks); last = mod(rank + nranks - 1, nranks)
    u = 0.2d0
    u(2:5,2:5) = reshape(x, [4,4])
    call MPI_Type_create_subarray(2, [6,6], [4,2], [1,1], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, part, ierr)
    call MPI_Type_create_subarray(2, [4,4], [2,4], [2,0], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, other, ierr)
    call MPI_Type_commit(part, ierr)
    call MPI_Type_commit(other, ierr)
    inner = 0.3d0 * u(2:5,2:5)
    call MPI_Sendrecv(u, 1, part, next, 7, inner, 1, other, last, 7, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, other, n, ierr)
    total = sum(inner**2 * u(1:4,1:4)) + inner(3,2) * inner(4,1) * n + status(MPI_TAG)
    call MPI_Type_free(part, ierr)
    call MPI_Type_free(other, ierr)
  end function

  real(8) function waitall(x) result(total) ! messages of allocatable arrays; no statuses
    real(8), intent(in) :: x(6)
    real(8), allocatable :: send(:,:), recv(:,:)
    integer :: requests(4), ierr, k, next, last
    next = merge(rank + 1, MPI_PROC_NULL, rank + 1 < nranks); last = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    allocate(send(3, 2), recv(3, 2))
    total = 0
    send(:, 1) = x(1:3); send(:, 2) = x(4:6)**2
    do k = 1, 3
      recv = 0.25d0
      call MPI_Irecv(recv(:, 1), 3, MPI_DOUBLE_PRECISION, last, 10 + k, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Irecv(recv(:, 2), 3, MPI_DOUBLE_PRECISION, next, 20 + k, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Isend(send(:, 1), 3, MPI_DOUBLE_PRECISION, next, 10 + k, MPI_COMM_WORLD, requests(3), ierr)
      call MPI_Isend(send(:, 2), 3, MPI_DOUBLE_PRECISION, last, 20 + k, MPI_COMM_WORLD, requests(4), ierr)
      call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
      send = 0.6d0 * send + 0.3d0 * recv * send
      total = total + sum(recv(:, 1) * recv(:, 2))
    end do
    total = total + sum(send)
    deallocate(send, recv)
  end function

  real(8) function icoll(x) result(total) ! collective calls with requests
    real(8), intent(in) :: x(4)
    real(8) :: s(4), g(4), a, b, all(64)
    integer :: r(3), ierr
    s = x * [1d0, 2d0, 3d0, 4d0]
    a = x(1) * x(4)
    g = merge(x, 0d0, rank == 0)
    call MPI_Iallreduce(a, b, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Ibcast(g, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, r(2), ierr)
    call MPI_Iallgather(s, 4, MPI_DOUBLE_PRECISION, all, 4, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, r(3), ierr)
    total = sum(x**3)
    call MPI_Wait(r(2), MPI_STATUS_IGNORE, ierr)
    total = total + dot_product(g, x)
    call MPI_Waitall(3, r, MPI_STATUSES_IGNORE, ierr)
    total = total * b + sum(all(1:4 * nranks)**2)
  end function

  real(8) function gather(x) result(total) ! the root gathers, changes and scatters
    real(8), intent(in) :: x(5)
    real(8) :: own(5)
    real(8), allocatable :: all(:,:)
    integer, allocatable :: counts(:), places(:)
    integer :: ierr, i, n
    allocate(all(5, merge(nranks, 0, rank == 0)))
    call MPI_Gather(x, 5, MPI_DOUBLE_PRECISION, all, 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) then
      do i = 2, nranks
        all(:, i) = all(:, i) * all(:, i - 1)
      end do
    end if
    call MPI_Scatter(all, 5, MPI_DOUBLE_PRECISION, own, 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    allocate(counts(nranks), places(nranks))
    counts = [(mod(i, 3) + 1, i = 1, nranks)]
    places(1) = 0
    do i = 2, nranks
      places(i) = places(i - 1) + counts(i - 1)
    end do
    n = counts(rank + 1)
    deallocate(all); allocate(all(sum(counts), 1))
    all = 0
    call MPI_Gatherv(own, n, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    call MPI_Bcast(all, size(all), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    total = sum(all**2) * x(1) + own(2) * own(5)
  end function

  real(8) function shared(x) result(total) ! memory that ranks share
    real(8), intent(in) :: x(3)
    type(c_ptr) :: base, other
    real(8), pointer :: own(:), next(:)
    real(8) :: got(2)
    integer(MPI_ADDRESS_KIND) :: bytes
    integer :: window, unit, ierr, k
    bytes = 24
    call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, ierr)
    call MPI_Win_shared_query(window, mod(rank + 1, nranks), bytes, unit, other, ierr)
    call c_f_pointer(base, own, [3])
    call c_f_pointer(other, next, [3])
    call MPI_Win_fence(0, window, ierr)
    own = x
    total = 0
    do k = 1, 3
      call MPI_Win_fence(0, window, ierr)
      got = next(1:2) * next(2:3)
      total = total + sum(got) * x(1)
      call MPI_Win_fence(0, window, ierr)
      own(1:2) = 0.5d0 * own(1:2) + got * own(3)
    end do
    call MPI_Win_free(window, ierr)
  end function

  real(8) function persistent(x) result(total) ! persistent requests of complex numbers
    real(8), intent(in) :: x(4)
    complex(8) :: z(2), w(2)
    real(8) :: x1
    integer :: r(2), ierr, k, next, last, status(MPI_STATUS_SIZE, 2)
    next = mod(rank + 1, nranks); last = mod(rank + nranks - 1, nranks)
    z = cmplx(x(1:2), x(3:4), 8)
    call MPI_Send_init(z, 2, MPI_DOUBLE_COMPLEX, next, 1, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Recv_init(w, 2, MPI_DOUBLE_COMPLEX, last, 1, MPI_COMM_WORLD, r(2), ierr)
    total = 0
    do k = 1, 2
      call MPI_Startall(2, r, ierr)
      call MPI_Waitall(2, r, status, ierr)
      z = z * (0.5d0, 0.2d0) + w * w
      total = total + real(z(1) * conjg(w(2)))
    end do
    call MPI_Request_free(r(1), ierr)
    call MPI_Request_free(r(2), ierr)
    call MPI_Reduce(total, x1, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    if (rank == 0) total = total + x1 * x1
  end function

end module

program main
  use distributed
  real(8) :: x(16), v(16), dx(16), plus, minus, want, got, tangent
  integer :: i, ierr
  real(8), parameter :: h = 1d-5
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  x = [(0.5d0 + 0.1d0 * i + 0.2d0 * rank, i = 1, 16)]
  v = [(cos(i + 3d0 * rank), i = 1, 16)]
  dx = 0
  call autodiff(loss, x, dx)
  got = summed(sum(dx * v))
  tangent = summed(fwddiff(loss, x, v))
  plus = loss(x + h * v)
  minus = loss(x - h * v)
  want = summed((plus - minus) / (2 * h))
  call MPI_Finalize(ierr)
  if (abs(got - want) > 1d-6 * abs(want) .or. abs(tangent - want) > 1d-6 * abs(want)) then
    print *, 'FAIL', rank, got, tangent, want
    stop 1
  end if
contains
  real(8) function summed(a)
    real(8), intent(in) :: a
    call MPI_Allreduce(a, summed, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end function
end program
