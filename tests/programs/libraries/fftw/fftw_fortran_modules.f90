! Plans and their arrays in module variables, made by a subroutine before: arrays of fixed size, allocatable ones,
! pointers to memory of FFTW, components.
! flags: -lfftw3 -I/usr/include
module spectra
  use iso_c_binding
  implicit none
  include "fftw3.f03"
  integer, parameter :: n = 4
  integer(8) :: old_plan, old_back
  integer(8) :: old_alloc, old_ptr
  type(c_ptr) :: plan, mem_in, mem_out, real_plan, plan_a
  complex(8) :: fixed_in(n), fixed_out(n)
  complex(c_double_complex), pointer :: pin(:), pout(:)
  complex(8), allocatable :: ain(:), aout(:)
  real(8), allocatable, target :: rin(:), rout(:)
  type holder
    type(c_ptr) :: p
    complex(8), allocatable :: a(:), b(:)
  end type
  type(holder) :: held
contains
  subroutine setup
    call dfftw_plan_dft_1d(old_plan, n, fixed_in, fixed_out, FFTW_FORWARD, FFTW_ESTIMATE)
    call dfftw_plan_dft_1d(old_back, n, fixed_out, fixed_in, FFTW_BACKWARD, FFTW_ESTIMATE)
    mem_in = fftw_alloc_complex(int(n, c_size_t)); mem_out = fftw_alloc_complex(int(n, c_size_t))
    call c_f_pointer(mem_in, pin, [n]); call c_f_pointer(mem_out, pout, [n])
    plan = fftw_plan_dft_1d(n, pin, pout, FFTW_BACKWARD, FFTW_MEASURE)
    allocate (ain(n), aout(n), rin(n), rout(n))
    plan_a = fftw_plan_dft_1d(n, ain, aout, FFTW_FORWARD, FFTW_ESTIMATE)
    real_plan = fftw_plan_r2r_1d(n, rin, rout, FFTW_REDFT10, FFTW_ESTIMATE)
    call dfftw_plan_dft_1d(old_alloc, n, ain, aout, FFTW_FORWARD, FFTW_ESTIMATE)
    call dfftw_plan_dft_1d(old_ptr, n, pin, pout, FFTW_FORWARD, FFTW_ESTIMATE)
    allocate (held%a(n), held%b(n))
    held%p = fftw_plan_dft_1d(n, held%a, held%b, FFTW_FORWARD, FFTW_ESTIMATE)
  end subroutine
  real(8) function weighed(out)
    complex(8), intent(in) :: out(n)
    integer :: i
    weighed = sum(abs(out)**2 * [(i, i = 1, n)]) + aimag(out(2))
  end function
  real(8) function by_fixed(x)
    real(8), intent(in) :: x(n)
    integer :: i
    do i = 1, n
      fixed_in(i) = cmplx(x(i)**2, x(n + 1 - i), 8)
    end do
    call dfftw_execute(old_plan)
    fixed_out = fixed_out * conjg(fixed_out) * x(1)
    call dfftw_execute(old_back)
    by_fixed = weighed(fixed_in)
  end function
  real(8) function by_pointer(x)
    real(8), intent(in) :: x(n)
    integer :: i
    do i = 1, n
      pin(i) = cmplx(x(i)**2, x(n + 1 - i), 8)
    end do
    call fftw_execute_dft(plan, pin, pout)
    by_pointer = weighed(pout)
  end function
  real(8) function by_dft(x)
    real(8), intent(in) :: x(n)
    pin = cmplx(x**2, x(n:1:-1), 8)
    call fftw_execute_dft(plan, pin, pout)
    by_dft = weighed(pout)
  end function
  real(8) function by_alloc(x)
    real(8), intent(in) :: x(n)
    ain = cmplx(x**2, x(n:1:-1), 8)
    call fftw_execute_dft(plan_a, ain, aout)
    by_alloc = weighed(aout)
  end function
  real(8) function by_old(x)
    real(8), intent(in) :: x(n)
    ain = cmplx(x**2, x(n:1:-1), 8)
    call dfftw_execute(old_alloc)
    pin = aout * conjg(ain)
    call dfftw_execute(old_ptr)
    by_old = weighed(pout)
  end function
  real(8) function by_real(x)
    real(8), intent(in) :: x(n)
    rin = x**2
    call fftw_execute_r2r(real_plan, rin, rout)
    by_real = sum(rout**2 * x)
  end function
  real(8) function by_type(x)
    real(8), intent(in) :: x(n)
    held%a = cmplx(x**2, x(n:1:-1), 8)
    call fftw_execute_dft(held%p, held%a, held%b)
    by_type = weighed(held%b)
  end function
end module
program main
  use check
  use spectra
  implicit none
  real(8) :: x(n) = [0.3d0, -1.2d0, 0.7d0, 1.1d0], dx(n)
  call setup
  dx = 0; call autodiff(by_fixed, x, dx); call compare("fixed", by_fixed, x, dx)
  call agree("fixed", fwddiff(by_fixed, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_pointer, x, dx); call compare("pointer", by_pointer, x, dx)
  call agree("pointer", fwddiff(by_pointer, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_dft, x, dx); call compare("dft", by_dft, x, dx)
  call agree("dft", fwddiff(by_dft, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_alloc, x, dx); call compare("alloc", by_alloc, x, dx)
  call agree("alloc", fwddiff(by_alloc, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_real, x, dx); call compare("real", by_real, x, dx)
  call agree("real", fwddiff(by_real, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_type, x, dx); call compare("type", by_type, x, dx)
  call agree("type", fwddiff(by_type, (x), direction(x)), x, dx)
  dx = 0; call autodiff(by_old, x, dx); call compare("old", by_old, x, dx)
  call agree("old", fwddiff(by_old, (x), direction(x)), x, dx)
  call finish()
end program
