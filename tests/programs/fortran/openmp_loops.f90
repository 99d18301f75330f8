! OpenMP in a differentiated function: one thread does the work of all.
! flags: -fopenmp
module sums
contains
  real(8) function total(x)
    real(8), intent(inout) :: x(10)
    real(8) :: work(10), s
    integer :: i
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, 10
      work(i) = sin(x(i) * i)
      s = s + work(i)**2 / i
    end do
    !$omp parallel
    !$omp do schedule(dynamic)
    do i = 1, 10
      !$omp atomic
      s = s + work(i) * x(11 - i)
    end do
    !$omp end do
    !$omp single
    s = s * x(3)
    !$omp end single
    !$omp end parallel
    total = s
  end function
end module

program openmp_loops
  use check
  use sums
  implicit none
  real(8) :: x(10), dx(10), x0(10)
  integer :: i
  do i = 1, 10
    x0(i) = 0.1d0 * i - 0.4d0
  end do
  x = x0
  dx = 0
  call autodiff(total, x, dx)
  call compare("total", total, x0, dx)
  x = x0
  call agree("total", fwddiff(total, x, direction(x0)), x0, dx)
  call finish()
end program
