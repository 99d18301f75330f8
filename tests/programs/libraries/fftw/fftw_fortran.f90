! FFTW from Fortran: by fftw3.f03, and by the older names that take the plan's address in an integer. Plans that are made
! outside and inside of the function, new arrays and the plan's own.
! flags: -lfftw3 -I/usr/include
module transforms
  use iso_c_binding
  implicit none
  include "fftw3.f03"
  integer, parameter :: n = 4
  type(c_ptr) :: outside
  integer(8) :: legacy_outside

contains

  ! the input of all transforms, and a function of their output
  function spectrum_of(x) result(in)
    real(8), intent(in) :: x(2 * n)
    complex(8) :: in(n)
    integer :: i
    in = [(cmplx(x(i)**2, x(n + i), 8), i = 1, n)]
  end function

  real(8) function weighed(out)
    complex(8), intent(in) :: out(n)
    integer :: i
    weighed = sum(abs(out)**2 * [(i, i = 1, n)]) + aimag(out(2))
  end function

  real(8) function newly(x)
    real(8), intent(in) :: x(2 * n)
    complex(8) :: in(n), out(n)
    in = spectrum_of(x)
    call fftw_execute_dft(outside, in, out)
    newly = weighed(out)
  end function

  real(8) function inside(x)
    real(8), intent(in) :: x(2 * n)
    complex(8) :: in(n), out(n)
    type(c_ptr) :: p
    p = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE)
    in = spectrum_of(x)
    call fftw_execute_dft(p, in, out)
    inside = weighed(out)
    call fftw_destroy_plan(p)
  end function

  real(8) function legacy(x)
    real(8), intent(in) :: x(2 * n)
    complex(8), allocatable :: in(:), out(:)
    integer(8) :: p
    allocate (in(n), out(n))
    call dfftw_plan_dft_1d(p, n, in, out, FFTW_BACKWARD, FFTW_ESTIMATE)
    in = spectrum_of(x)
    call dfftw_execute(p)
    legacy = weighed(out)
    call dfftw_destroy_plan(p)
  end function

  real(8) function legacy_newly(x)
    real(8), intent(in) :: x(2 * n)
    complex(8) :: in(n), out(n)
    in = spectrum_of(x)
    call dfftw_execute_dft(legacy_outside, in, out)
    legacy_newly = weighed(out)
  end function

  ! dimensions are given in reverse order to C's
  real(8) function legacy_plane(x)
    real(8), intent(in) :: x(2 * n)
    real(8) :: in(4, 2)
    complex(8) :: out(3, 2)
    integer(8) :: p
    call dfftw_plan_dft_r2c_2d(p, 4, 2, in, out, FFTW_ESTIMATE)
    in = reshape(x(:8), [4, 2])
    call dfftw_execute_dft_r2c(p, in, out)
    legacy_plane = sum(abs(out)**2) + real(out(2, 2)) * aimag(out(2, 1)) + x(1)
    call dfftw_destroy_plan(p)
  end function
end module

program fftw_fortran
  use transforms
  use check
  implicit none
  real(8) :: x(2 * n), dx(2 * n), point(2 * n)
  complex(8) :: in(n), out(n)
  integer :: i
  point = [(sin(0.7d0 * i) + 0.1d0 * i, i = 1, 2 * n)]
  outside = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, ior(FFTW_ESTIMATE, FFTW_UNALIGNED))
  call dfftw_plan_dft_1d(legacy_outside, n, in, out, FFTW_FORWARD, ior(FFTW_ESTIMATE, FFTW_UNALIGNED))
  x = point
  dx = 0
  call autodiff(newly, x, dx)
  call compare("newly", newly, point, dx)
  call agree("newly", fwddiff(newly, (point), direction(x)), point, dx)
  x = point
  dx = 0
  call autodiff(inside, x, dx)
  call compare("inside", inside, point, dx)
  call agree("inside", fwddiff(inside, (point), direction(x)), point, dx)
  x = point
  dx = 0
  call autodiff(legacy, x, dx)
  call compare("legacy", legacy, point, dx)
  call agree("legacy", fwddiff(legacy, (point), direction(x)), point, dx)
  x = point
  dx = 0
  call autodiff(legacy_newly, x, dx)
  call compare("legacy_newly", legacy_newly, point, dx)
  call agree("legacy_newly", fwddiff(legacy_newly, (point), direction(x)), point, dx)
  x = point
  dx = 0
  call autodiff(legacy_plane, x, dx)
  call compare("legacy_plane", legacy_plane, point, dx)
  call agree("legacy_plane", fwddiff(legacy_plane, (point), direction(x)), point, dx)
  call finish()
end program
