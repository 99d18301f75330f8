! Assumed shape, explicit shape, assumed size: sections passed in place and as copies, results that come back through them.
module shapes
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, m(2, 3), v(6)
    m = reshape(x, [2, 3])
    call scale_all(m(:, 2:3), x(1))
    call scale_all(m(1:1, 1:3:2), x(6))
    v = x
    call explicit(3, v(1:6:2))
    call assumed_size(v(2:6:2), 3)
    call explicit(6, v)
    y = sum(m * m) + total(v(6:1:-1)) + total(v(2:5))
  end function

  subroutine scale_all(a, by)
    real(8), intent(inout) :: a(:, :)
    real(8), intent(in) :: by
    integer :: i, j
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = a(i, j) * by
      end do
    end do
  end subroutine

  subroutine explicit(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a(2:n) = a(2:n) + a(1:n - 1)**2
  end subroutine

  subroutine assumed_size(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(*)
    integer :: i
    do i = 2, n
      a(i) = a(i) * a(i - 1)
    end do
  end subroutine

  function total(a) result(t)
    real(8), intent(in) :: a(0:)
    real(8) :: t
    integer :: i
    t = 0
    do i = lbound(a, 1), ubound(a, 1)
      t = t * 0.5d0 + a(i)
    end do
  end function
end module

program main
  use check
  use shapes
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.4d0, 0.9d0, 1.3d0, 0.2d0], dx(6) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
