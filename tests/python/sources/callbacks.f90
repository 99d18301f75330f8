! Procedures that take a dummy procedure: a function, a subroutine with arrays of explicit shape, one of assumed shape.
module callbacks
contains
  real(8) function integral(f, a, b, n)
    interface
      real(8) function f(x)
        real(8), intent(in) :: x
      end function
    end interface
    real(8), intent(in) :: a, b
    integer, intent(in) :: n
    integer :: i
    integral = 0
    do i = 1, n
      integral = integral + f(a + (i - 0.5d0) * (b - a) / n) * (b - a) / n
    end do
  end function

  subroutine euler(rhs, y0, n, steps, y)
    interface
      subroutine rhs(n, t, y, dy)
        integer, intent(in) :: n
        real(8), intent(in) :: t, y(n)
        real(8), intent(out) :: dy(n)
      end subroutine
    end interface
    integer, intent(in) :: n, steps
    real(8), intent(in) :: y0(n)
    real(8), intent(out) :: y(n)
    real(8) :: dy(n)
    integer :: k
    y = y0
    do k = 0, steps - 1
      call rhs(n, 0.1d0 * k, y, dy)
      y = y + 0.1d0 * dy
    end do
  end subroutine

  real(4) function of_matrix(f, a, n)
    interface
      real(4) function f(a, n, weight)
        integer, intent(in) :: n, weight
        real(4), intent(in) :: a(2, n)
      end function
    end interface
    integer, intent(in) :: n
    real(4), intent(in) :: a(2, n)
    of_matrix = 2 * f(a, n, 3)
  end function

  subroutine assumed_shape(rhs, y0, y)
    interface
      subroutine rhs(y, dy)
        real(8), intent(in) :: y(:)
        real(8), intent(out) :: dy(:)
      end subroutine
    end interface
    real(8), intent(in) :: y0(:)
    real(8), intent(out) :: y(:)
    call rhs(y0, y)
  end subroutine
end module
