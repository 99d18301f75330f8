! Whole arrays and sections: strided, reversed, overlapping, vector subscripts, where, forall, do concurrent, merge,
! array constructors with implied do.
module arrays
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, a(6), b(6), m(3, 2)
    integer :: i, j, p(6)
    p = [6, 2, 4, 1, 3, 5]
    a = x
    a(2:6) = a(1:5) + a(2:6)
    a(1:5) = a(2:6) * 2
    a(6:1:-1) = a
    a(1:6:2) = a(2:6:2) * x(1)
    b = a(p)
    b(p(1:3)) = b(p(4:6)) * x(2)
    where (b > 1)
      b = b**2
    elsewhere (b < -1)
      b = -b
    elsewhere
      b = 3 * b
    end where
    forall (i = 1:3, j = 1:2, i /= j) m(i, j) = b(i) * a(j)
    forall (i = 1:2) m(i, i) = x(i)
    do concurrent (i = 1:6)
      a(i) = a(i) + b(i) * x(i)
    end do
    b = merge(a, b, a > b)
    a = [(x(i) * i, i = 1, 3), b(1:3)]
    y = sum(a) + sum(m) + sum(b, mask=b > 0) + sum(m(2, :) * m(3, :))
  end function
end module

program main
  use check
  use arrays
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.45d0, 0.8d0, 1.3d0, 0.2d0], dx(6) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
