! A function is inlined twice: what the first run returns, the second one reads as its dummy argument. A library function
! takes its length, so that it lies in memory.
module vectors
  implicit none
contains
  pure function cross(a, b) result(c)
    real(8), intent(in) :: a(3), b(3)
    real(8) :: c(3)
    c = [a(2)*b(3) - b(2)*a(3), a(3)*b(1) - b(3)*a(1), a(1)*b(2) - b(1)*a(2)]
  end function

  subroutine elements(state, found)
    real(8), intent(in) :: state(6)
    real(8), intent(out) :: found(6)
    real(8) :: r(3), v(3), h(3)
    r = state(1:3)
    v = state(4:6)
    h = cross(r, v)
    found(4:6) = norm2(h)
    found(1:3) = cross(v, h)
  end subroutine

  real(8) function f(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: found(6)
    call elements(x, found)
    y = sum(found)
  end function
end module

program run_twice
  use vectors, only: f
  use check
  implicit none
  real(8) :: x(6) = [1.5d0, -0.75d0, 2.25d0, 0.5d0, 1.25d0, -1.75d0], dx(6) = 0
  call autodiff(f, x, dx)
  call compare("run twice", f, x, dx)
  call agree("run twice", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
