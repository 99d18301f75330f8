! SAVE: a local that keeps a number from call to call, and one that is set once.
module accumulator
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    integer :: i
    y = add(x(1), .true.)
    do i = 1, 3
      y = add(x(2) * y, .false.)
    end do
  end function

  function add(v, restart) result(total)
    real(8), intent(in) :: v
    logical, intent(in) :: restart
    real(8) :: total
    real(8), save :: sum = 0d0
    real(8), save :: factor
    logical, save :: first = .true.
    if (first) factor = 1.25d0
    first = .false.
    if (restart) sum = 0d0
    sum = sum + factor * v**2
    total = sum
  end function
end module

program main
  use check
  use accumulator
  real(8) :: x(2) = [0.6d0, 0.9d0], dx(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
