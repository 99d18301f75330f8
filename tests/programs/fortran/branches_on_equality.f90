! Branches for one value of x that use x: their derivative is that of the side that the program takes. flang's own
! optimisation puts the value in the place of x.
module branches
  implicit none

contains

  real(8) function chosen(x)
    real(8), intent(in) :: x(2)
    if (x(1) == 2) then
      chosen = 3 * x(1)
    else
      chosen = x(1) ** 3
    end if
  end function

  real(8) function asserted(x)
    real(8), intent(in) :: x(2)
    if (x(1) /= 2) error stop "x is not 2"
    asserted = x(1) * x(1) * x(2)
  end function

  real(8) function bounded(x)
    real(8), intent(in) :: x(2)
    if (x(1) >= 2 .and. x(1) <= 2) then
      bounded = sin(x(1))
    else
      bounded = x(2)
    end if
  end function

  pure logical function near(a, b)
    real(8), intent(in) :: a, b
    near = a == b
  end function

  real(8) function called(x)
    real(8), intent(in) :: x(2)
    called = merge(3 * x(1), x(2), near(x(1), 2d0))
  end function

  real(8) function repeated(x)
    real(8), intent(in) :: x(2)
    real(8) :: y
    y = x(1)
    do while (y /= 2)
      y = y / 2
    end do
    repeated = y ** 3
  end function

  real(8) function masked(x)
    real(8), intent(in) :: x(2)
    real(8) :: a(3)
    a = [x(1), x(1) * x(1), x(2)]
    where (a == 2)
      a = 3 * a
    end where
    masked = a(1)
  end function

  real(8) function single(x)
    real(8), intent(in) :: x(2)
    real(4) :: y
    y = real(x(1), 4)
    single = y * y
    if (y == 2) single = 3 * y
  end function
end module

program branches_on_equality
  use check
  use branches
  implicit none
  real(8) :: x(2) = [2, 1], v(2) = [1, 0], dx(2, 7) = 0
  call autodiff(chosen, x, dx(:, 1))
  call both("chosen", dx(1, 1), fwddiff(chosen, x, v), 3d0)
  call autodiff(asserted, x, dx(:, 2))
  call both("asserted", dx(1, 2), fwddiff(asserted, x, v), 4d0)
  call autodiff(bounded, x, dx(:, 3))
  call both("bounded", dx(1, 3), fwddiff(bounded, x, v), cos(2d0))
  call autodiff(called, x, dx(:, 4))
  call both("called", dx(1, 4), fwddiff(called, x, v), 3d0)
  call autodiff(repeated, x, dx(:, 5))
  call both("repeated", dx(1, 5), fwddiff(repeated, x, v), 12d0)
  call autodiff(masked, x, dx(:, 6))
  call both("masked", dx(1, 6), fwddiff(masked, x, v), 3d0)
  call autodiff(single, x, dx(:, 7))
  call both("single", dx(1, 7), fwddiff(single, x, v), 3d0)
  call finish()

contains

  subroutine both(name, reverse, forward, want)
    character(*), intent(in) :: name
    real(8), intent(in) :: reverse, forward, want
    call same(name // ", reverse", reverse, want, 1d-12)
    call same(name // ", forward", forward, want, 1d-12)
  end subroutine
end program
