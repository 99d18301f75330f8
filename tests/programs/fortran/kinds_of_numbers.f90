! real(4), complex(4), complex(8), mixed kinds, logicals and integers in between; against the same function of real(8).
module kinds
  implicit none
contains
  function single(x) result(y)
    real(4), intent(in) :: x(3)
    real(4) :: y, a(3)
    a = x * 2
    y = sum(a) * norm2(x) + dot_product(a, x) + x(1)**3 + sqrt(abs(x(2))) + maxval(a)
    y = y + real(dble(x(1)) * dble(x(2)), 4)
  end function

  function double(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y, a(3)
    a = x * 2
    y = sum(a) * norm2(x) + dot_product(a, x) + x(1)**3 + sqrt(abs(x(2))) + maxval(a)
    y = y + x(1) * x(2)
  end function

  function complexes(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    complex(8) :: z, w, v(2)
    z = cmplx(x(1), x(2), 8)
    w = (x(3), 1d0) * z + conjg(z) / cmplx(x(4), 2d0, 8)
    v = [z**2, exp(w)]
    v = v * w
    y = abs(sum(v)) + real(sqrt(z)) + aimag(log(w)) + real(z**w) + abs(dot_product(v, v)) + real(product(v))
    w%re = x(1) * w%im
    y = y + real(w * z)
  end function

  function complexes4(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    complex(4) :: z
    z = cmplx(x(1), x(2), 4)
    z = z * z + 1.0 / z
    y = real(z) * aimag(z)
  end function
end module

program main
  use check
  use kinds
  interface
    subroutine autodiff_single(f, x, dx) bind(c, name="__enzyme_autodiff_single")
      real(4), external :: f
      real(4) :: x(*), dx(*)
    end subroutine
  end interface
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  real(4) :: s(3), ds(3)
  complex(8) :: z, derivative
  integer :: i
  s = real(x(1:3), 4)
  ds = 0
  call autodiff_single(single, s, ds)
  do i = 1, 3
    call same("single", real(ds(i), 8), difference(double, x(1:3), i), 1d-5)
  end do
  dx = 0
  call autodiff(double, x, dx)
  call compare("double", double, x(1:3), dx(1:3))
  call agree("double", fwddiff(double, (x(1:3)), direction(x(1:3))), x(1:3), dx(1:3))
  dx = 0
  call autodiff(complexes, x, dx)
  call compare("complexes", complexes, x, dx)
  call agree("complexes", fwddiff(complexes, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(complexes4, x, dx)
  z = cmplx(x(1), x(2), 8)
  derivative = (z * z + 1 / z) * (2 * z - 1 / z**2)   ! of g(z)**2/2, whose imaginary part is real * imaginary
  call same("complexes4 1", dx(1), aimag(derivative), 1d-5)
  call same("complexes4 2", dx(2), real(derivative), 1d-5)
  call finish()
end program
