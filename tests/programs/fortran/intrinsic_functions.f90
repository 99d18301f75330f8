! Elemental mathematics: powers, remainders, signs, roots, special functions, trigonometry in radians and degrees.
module functions
  implicit none
contains
  function elementary(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    y = sin(x(1)) + cos(x(2)) + tan(x(3)) + asin(x(1) / 2) + acos(x(3) / 2) + atan(x(4)) + atan2(x(1), x(2))
    y = y + sinh(x(1)) + cosh(x(2)) + tanh(x(3)) + asinh(x(1)) + acosh(1 + x(2)) + atanh(x(3) / 3)
    y = y + exp(x(1)) + log(x(2)) + log10(x(4)) + sqrt(x(1)) + x(1)**x(2) + x(3)**3 + x(3)**(-2) + 2d0**x(3)
    y = y + hypot(x(1), x(2)) + abs(x(3)) + sign(x(1), x(3)) + dim(x(2), x(3)) + mod(x(2), x(4)) + modulo(x(3), x(4))
  end function

  function special(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y
    integer :: n
    n = int(x(2) * 3)
    y = erf(x(1)) + erfc(x(2)) + erfc_scaled(x(3)) + gamma(x(1)) + log_gamma(x(2))
    y = y + bessel_j0(x(1)) + bessel_j1(x(2)) + bessel_jn(2, x(4)) + bessel_y0(x(1)) + bessel_y1(x(2)) + bessel_yn(3, x(4))
    y = y + max(x(1), x(2), x(3)) * min(x(2), x(4)) + x(3)**n + aint(x(2)) * x(1) + anint(x(1)) * x(2)
    y = y + fraction(x(1)) + scale(x(2), 3) + set_exponent(x(4), 2) + ceiling(x(1)) * x(3)
    y = y + floor(x(2)) * x(1) + nint(x(1)) * x(2) + exponent(x(1)) * x(4) + merge(x(1), x(2), x(3) > 0)
  end function

  function degrees(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    y = sind(x(1) * 40) + cosd(x(2) * 50) + tand(x(1) * 20) + atand(x(2)) + asind(x(1) / 2) + acosd(x(2) / 2)
  end function
end module

program main
  use check
  use functions
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  dx = 0
  call autodiff(elementary, x, dx)
  call compare("elementary", elementary, x, dx)
  call agree("elementary", fwddiff(elementary, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(special, x, dx)
  call compare("special", special, x, dx)
  call agree("special", fwddiff(special, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(degrees, x, dx)
  call compare("degrees", degrees, x(1:2), dx(1:2))
  call agree("degrees", fwddiff(degrees, (x(1:2)), direction(x(1:2))), x(1:2), dx(1:2))
  call finish()
end program
