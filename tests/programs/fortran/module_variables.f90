! Module variables: read, written, kept from one call to the next, an allocatable one, and constants.
module state
  implicit none
  real(8), parameter :: weight(3) = [0.5d0, 1.5d0, -2d0]
  real(8) :: scale = 3d0, grid(3)
  real(8), allocatable :: work(:)
  integer :: calls = 0
contains
  function f(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y
    calls = calls + 1
    grid = x * weight
    scale = x(1) + 2
    if (.not. allocated(work)) allocate(work(3))
    work = grid**2
    call spread_out
    y = sum(grid) + work(2)
  end function

  subroutine spread_out
    integer :: i
    do i = 2, 3
      grid(i) = grid(i) + scale * grid(i - 1)
    end do
    work(2) = work(2) * scale
  end subroutine
end module

program main
  use check
  use state
  real(8) :: x(3) = [1.2d0, -0.7d0, 2.1d0], dx(3) = 0
  call autodiff(f, x, dx)
  call same("calls", real(calls, 8), 1d0)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
