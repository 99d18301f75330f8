! copyprivate on teams of threads: of numbers and arrays, and where flang makes it of a workshare.
! flags: -fopenmp
module work
contains
  real(8) function copied(x)
    real(8), intent(inout) :: x(20)
    real(8) :: y(20), c, d(3)
    integer :: i
    !$omp parallel private(c, d)
    !$omp single
    c = x(1) * x(2)
    d = x(3:5) * c
    !$omp end single copyprivate(c, d)
    !$omp do
    do i = 1, 20
      y(i) = c * x(i) + d(mod(i, 3) + 1)
    end do
    !$omp end parallel
    copied = sum(y**2)
  end function
  real(8) function shared_work(x)
    real(8), intent(inout) :: x(20)
    real(8) :: a(20), b(20), s
    !$omp parallel
    !$omp workshare
    a = x * x
    b = sin(a) + x(1)
    where (a > 0.1d0) b = b * a
    s = sum(b)
    !$omp end workshare
    !$omp end parallel
    !$omp parallel workshare
    a = a * s
    !$omp end parallel workshare
    shared_work = sum(a * b)
  end function
end module
program broadcasts
  use check
  use omp_lib
  use work
  implicit none
  real(8) :: x(20), dx(20), x0(20)
  integer :: i, k, teams(4) = [1, 2, 3, 8]
  do i = 1, 20
    x0(i) = 0.1d0 * i - 0.43d0
  end do
  do k = 1, 4
    call omp_set_num_threads(teams(k))
    x = x0; dx = 0
    call autodiff(copied, x, dx)
    call compare("copied", copied, x0, dx)
    x = x0
    call agree("copied", fwddiff(copied, x, direction(x0)), x0, dx)
    x = x0; dx = 0
    call autodiff(shared_work, x, dx)
    call compare("shared_work", shared_work, x0, dx)
    x = x0
    call agree("shared_work", fwddiff(shared_work, x, direction(x0)), x0, dx)
  end do
  call finish()
end program
