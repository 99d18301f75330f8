#include "check_each.h"
module functions
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_fortran_env
  implicit none
contains
  ! covers: cmplx, conjg, aimag, real, %re, %im
  real(8) function complex_parts(x) result(y)
    real(8), intent(in) :: x(4)
    complex(8) :: z, w(2)
    z = cmplx(x(1), x(2), 8)
    w = [conjg(z) * z**2, cmplx(x(3), kind=8)]
    w%im = w%im + x(4) * w%re
    z%re = z%re * x(3)
    y = sum(real(w)) + sum(aimag(w)**2) + z%re * z%im + dble(z) + dimag(z)
  end function

  real(8) function complex_functions(x) result(y)
    real(8), intent(in) :: x(4)
    complex(8) :: z, w
    z = cmplx(x(1), x(2), 8)
    w = cmplx(x(3), x(4), 8)
    w = sqrt(z) + exp(w) + log(z) + sin(w) + cos(z) + tan(w) + asin(z / 2) + acos(w / 2) + atan(z / 3)
    w = w + sinh(z) + cosh(w / 4) + tanh(z) + asinh(z) + acosh(z) + atanh(w / 30) + z**w + z**2.5d0 + z**(-3) + z / w
    y = abs(w) + real(w) * aimag(w)
  end function

  real(8) function bessel_arrays(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: b(3)
    b = bessel_jn(1, 3, x(1))
    y = sum(b * x(1:3)) + sum(bessel_yn(0, 2, x(2))**2)
  end function

  real(8) function of_pi(x) result(y)
    real(8), intent(in) :: x(4)
    y = sinpi(x(1)) + cospi(x(2)) + tanpi(x(3) / 3) + asinpi(x(1) / 2) + acospi(x(2) / 2) + atanpi(x(4)) + atan2pi(x(1), x(2))
    y = y + atan(x(1), x(2)) + atan2d(x(1), x(2))
  end function

  real(8) function ieee_functions(x) result(y)
    real(8), intent(in) :: x(4)
    type(ieee_round_type) :: mode
    logical :: flag
    y = ieee_copy_sign(x(1), x(3)) + ieee_scalb(x(2), 3) * x(1) + ieee_rem(x(2), x(4)) + ieee_next_after(x(1), 2d0) * x(2)
    y = y + ieee_max_num(x(1), x(2)) * ieee_min_num(x(3), x(4)) + ieee_fma(x(1), x(2), x(3)) + ieee_rint(x(1)) * x(2)
    y = y + ieee_logb(x(2)) * x(1) + ieee_real(x(1), 8)
    if (ieee_is_finite(x(1)) .and. .not. ieee_is_nan(x(2)) .and. ieee_is_normal(x(3)) .and. ieee_is_negative(x(3))) y = y + x(4)
    if (ieee_class(x(1)) == ieee_positive_normal) y = y * 2
    if (ieee_unordered(x(1), x(2))) y = 0
    call ieee_get_rounding_mode(mode)
    call ieee_set_flag(ieee_overflow, .false.)
    call ieee_get_flag(ieee_overflow, flag)
    if (.not. flag) y = y + x(1)**2
    y = y + ieee_int(x(1), ieee_nearest) * x(2)
    if (ieee_quiet_lt(x(3), x(1)) .and. ieee_signaling_gt(x(2), x(3)) .and. .not. ieee_signbit(x(1))) y = y + x(2)**2
    y = y + ieee_max(x(1), x(2)) + ieee_min_mag(x(3), x(4)) + ieee_max_num_mag(x(1), x(2))
  end function

  real(8) function ieee_value_use(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: top
    top = ieee_value(x(1), ieee_negative_inf)
    top = max(top, x(1)*x(2))
    if (ieee_support_nan(x(1))) y = top * x(3) + x(4)
  end function

  real(8) function ieee_modes(x) result(y)
    real(8), intent(in) :: x(4)
    logical :: halt
    type(ieee_status_type) :: status
    call ieee_get_status(status)
    call ieee_get_halting_mode(ieee_invalid, halt)
    call ieee_set_halting_mode(ieee_invalid, .false.)
    y = exp(x(1)) * x(2)
    call ieee_set_halting_mode(ieee_invalid, halt)
    call ieee_set_status(status)
    y = y + x(3) * x(4)
  end function

  real(8) function bits_and_kinds(x) result(y)
    real(8), intent(in) :: x(4)
    real(real32) :: s
    integer(int64) :: i
    s = real(x(1), real32)
    i = nint(x(2) * 10, int64)
    i = ieor(ishft(i, 2), iand(i, 5_8)) + popcnt(i) + leadz(i) + ibits(i, 0, 3) + shiftl(i, 1) + merge_bits(i, 3_8, 2_8)
    y = real(s, 8) * 0 + dprod(real(1.5), real(2)) * x(1) + i * x(2) + float(2) * x(3) + dble(x(4))
    y = y + epsilon(x(1)) + tiny(y) + digits(y) * x(1) + maxexponent(y) * 1d-3 * x(2) + precision(y) * x(3) + radix(y) * x(4) + huge(1) * 1d-9 * x(1)
  end function

  real(8) function model_numbers(x) result(y)
    real(8), intent(in) :: x(4)
    y = fraction(x(1)) + scale(x(2), 3) + set_exponent(x(4), 2) + nearest(x(1), 1d0) * x(2) + spacing(x(1)) + rrspacing(x(2)) * 1d-16
  end function

  real(8) function extremes(x) result(y)
    real(8), intent(in) :: x(4)
    y = max(x(1), x(2), x(3), x(4)) * min(x(1), x(2), x(3)) + dim(x(1), x(3)) + sign(x(2), x(3)) + out_of(x(1))
  contains
    real(8) function out_of(a)
      real(8), intent(in) :: a
      out_of = 0
      if (.not. out_of_range(a, 1_int8)) out_of = a**2
    end function
  end function
end module

program main
  use check
  use functions
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4)
  CHECK(complex_parts)
  CHECK(complex_functions)
  CHECK(bessel_arrays)
  CHECK(of_pi)
  CHECK(ieee_functions)
  CHECK(ieee_value_use)
  CHECK(ieee_modes)
  CHECK(bits_and_kinds)
  CHECK(model_numbers)
  CHECK(extremes)
  call finish()
end program
