! Fortran functions, for tests/python: by reference, column-major, assumed shape, old and new.
module shapes
contains
  subroutine step(u, n, m, c, r)
    integer, intent(in) :: n, m
    real(8), intent(in) :: u(n, m), c
    real(8), intent(out) :: r(n, m)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        r(i, j) = u(i, j)**2 * i + c * j
      end do
    end do
  end subroutine

  real(8) function assumed(x)
    real(8), intent(in) :: x(:, :)
    assumed = sum(x(1, :)**2) + product(x(2, :))
  end function

  complex(8) function sum_of_squares(z, n)
    integer, intent(in) :: n
    complex(8), intent(in) :: z(n)
    sum_of_squares = sum(z * z)
  end function
end module

subroutine cubes(x, n, y)
  integer n
  real*8 x(*), y
  y = 0
  do i = 1, n
    y = y + x(i)**3
  end do
end subroutine
