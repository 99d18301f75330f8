! Products of vectors of different types: each factor is read as what it is.
module functions
  implicit none
contains
  real(8) function of_real(x) result(y)
    real(8), intent(in) :: x(6)
    integer(1) :: k1(3) = [3_1, -2_1, 7_1]
    integer(8) :: k8(3) = [5_8, 6_8, -7_8]
    real(4) :: s(3)
    s = [1.5, -0.5, 2.25]
    y = dot_product(x(1:3), [1, 2, 3]) * dot_product(k8, x(4:6)) + dot_product(s, x(1:3)) * dot_product(x(2:6:2), k1)
  end function

  real(8) function of_single(x) result(y)
    real(8), intent(in) :: x(6)
    real(4) :: s(3)
    s = real(x(1:3), 4)
    y = dot_product(s, [2, 3, 4]) + dot_product(x(4:6), s)
  end function

  real(8) function of_complex(x) result(y)
    real(8), intent(in) :: x(6)
    complex(8) :: z(3), p, q, r
    complex(4) :: c(3)
    z = cmplx(x(1:3), x(4:6), 8)
    c = [(0.5, 1.0), (2.0, -1.5), (0.25, 3.0)]
    p = dot_product(z, x(2:4))
    q = dot_product(x(3:5), z)
    r = dot_product(z, [1, -2, 4]) + dot_product(c, z)
    y = real(p) * aimag(q) + aimag(p) * real(r) + aimag(r)
  end function

  real(8) function of_arguments(x) result(y)
    real(8), intent(in) :: x(6)
    y = product_of(x(1:3), x(2:6:2))
  end function

  recursive real(8) function product_of(a, b) result(y)
    real(8), intent(in) :: a(:), b(:)
    y = dot_product(a, b)
    if (size(a) > 1) y = y + product_of(a(2:), b(2:))**2
  end function
end module

program dot_products
  use enzyme
  use check
  use functions
  implicit none
  real(8) :: x(6) = [0.3d0, 0.5d0, 0.7d0, 0.2d0, 0.9d0, 0.4d0], dx(6)
  dx = 0
  call autodiff(of_real, x, dx)
  call compare("of_real", of_real, x, dx)
  call agree("of_real", fwddiff(of_real, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(of_complex, x, dx)
  call compare("of_complex", of_complex, x, dx)
  call agree("of_complex", fwddiff(of_complex, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(of_arguments, x, dx)
  call compare("of_arguments", of_arguments, x, dx)
  call agree("of_arguments", fwddiff(of_arguments, (x), direction(x)), x, dx)
  ! x is rounded to single precision there: the derivative is known
  dx = 0
  call autodiff(of_single, x, dx)
  if (any(abs(dx - [2d0 + x(4), 3d0 + x(5), 4d0 + x(6), x(1:3)]) > 1d-6)) error stop "of_single"
end program
