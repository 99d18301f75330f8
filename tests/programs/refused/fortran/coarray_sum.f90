! EZ0302: a collective subroutine, whose library has no bitcode.
! flags: -fcoarray -Wl,--unresolved-symbols=ignore-all
! expect: the differentiated code calls prif::prif_co_sum, which has no bitcode
program main
  use check
  real(8) :: x(2) = [0.7d0, 1.1d0], dx(2)
  dx = 0
  call autodiff(f, x, dx)
contains
  real(8) function f(x) result(y)
    real(8), intent(in) :: x(2)
    y = x(1) * x(2)
    call co_sum(y)
  end function
end program
