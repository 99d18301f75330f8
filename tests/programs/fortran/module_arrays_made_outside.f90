! Module variables that are allocated before f is differentiated, and again between its gradients: work space of one and
! of two dimensions, and a table that f only reads.
module kept
  implicit none
  real(8), allocatable :: work(:), square(:, :), table(:)
contains
  subroutine prepare(n)
    integer, intent(in) :: n
    integer :: i
    if (allocated(work)) deallocate(work, square, table)
    allocate(work(n), square(n, n), table(n))
    table = [(0.3d0 * i, i = 1, n)]
  end subroutine

  function f(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    integer :: i, j
    do i = 1, size(work)
      work(i) = sin(x(1) * i) + x(2) * table(i)
    end do
    do j = 1, size(work)
      do i = 1, size(work)
        square(i, j) = work(i) * cos(work(j)) + x(3)
      end do
    end do
    y = sum(square * square) + dot_product(work, table)
  end function
end module

program main
  use check
  use kept
  real(8) :: x(3) = [0.4d0, -0.7d0, 1.1d0], dx(3)
  integer :: n
  do n = 2, 5
    call prepare(n)
    dx = 0
    call autodiff(f, x, dx)
    call compare("f", f, x, dx)
    call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  end do
  call finish()
end program
