! Regions of OpenMP on teams of threads in Fortran.
! flags: -fopenmp
module work
contains
  real(8) function stencil(x)
    real(8), intent(inout) :: x(20)
    real(8) :: u(20), v(20)
    integer :: i, t
    u = x
    v = x
    do t = 1, 5
      !$omp parallel do schedule(static, 2)
      do i = 2, 19
        v(i) = u(i) + 0.1d0 * u(i) * (u(i - 1) - 2 * u(i) + u(i + 1))
      end do
      !$omp end parallel do
      u(2:19) = v(2:19)
    end do
    stencil = sum(u**2)
  end function
  real(8) function mixed(x)
    real(8), intent(inout) :: x(20)
    real(8) :: s, p, m, t
    real(8), allocatable :: a(:), b(:, :)
    integer :: i, j
    s = 0; p = 1; m = -1d9
    allocate(a(20), b(5, 4))
    !$omp parallel private(t) shared(a, b, s, p, m)
    !$omp do reduction(+:s) reduction(*:p) reduction(max:m)
    do i = 1, 20
      t = x(i) * x(i)
      a(i) = t * exp(x(i))
      s = s + t
      p = p * (1 + 0.01d0 * x(i))
      m = max(m, x(i))
    end do
    !$omp end do
    !$omp do collapse(2) schedule(dynamic)
    do j = 1, 4
      do i = 1, 5
        b(i, j) = a(i) * a(j + 5 * (j - 1)) * x(i + j)
      end do
    end do
    !$omp end do
    !$omp single
    a = a * x + 1
    !$omp end single
    !$omp single
    s = s * a(3)
    !$omp end single
    !$omp critical
    m = m + 0 * a(1)
    !$omp end critical
    !$omp end parallel
    mixed = s * p + m * sum(b) + sum(a)
  end function
  real(8) function arrays(x)
    real(8), intent(inout) :: x(20)
    real(8) :: h(4), w(20), last
    integer :: i
    h = 0; last = 0
    !$omp parallel do reduction(+:h) lastprivate(last)
    do i = 1, 20
      h(mod(i, 4) + 1) = h(mod(i, 4) + 1) + x(i)**2
      last = x(i) * 2
    end do
    !$omp parallel do firstprivate(last)
    do i = 1, 20
      w(i) = h(mod(i, 4) + 1) * last * x(i)
    end do
    !$omp parallel sections
    !$omp section
    h(1) = w(3) * 2
    !$omp section
    h(2) = sin(w(4))
    !$omp end parallel sections
    arrays = sum(w) + h(1) * h(2)
  end function
  real(8) function concurrent(x)
    real(8), intent(inout) :: x(20)
    real(8) :: w(20)
    integer :: i
    do concurrent (i = 1:20)
      w(i) = x(i) * x(21 - i)
    end do
    concurrent = sum(w**2)
  end function
end module
program f1
  use check
  use omp_lib
  use work
  implicit none
  real(8) :: x(20), dx(20), x0(20)
  integer :: i, k, teams(4) = [1, 2, 3, 8]
  do i = 1, 20
    x0(i) = 0.1d0 * i - 0.4d0
  end do
  do k = 1, 4
  call omp_set_num_threads(teams(k))
  x = x0; dx = 0
  call autodiff(stencil, x, dx)
  call compare("stencil", stencil, x0, dx)
  x = x0
  call agree("stencil", fwddiff(stencil, x, direction(x0)), x0, dx)
  x = x0; dx = 0
  call autodiff(mixed, x, dx)
  call compare("mixed", mixed, x0, dx)
  x = x0
  call agree("mixed", fwddiff(mixed, x, direction(x0)), x0, dx)
  x = x0; dx = 0
  call autodiff(arrays, x, dx)
  call compare("arrays", arrays, x0, dx)
  x = x0
  call agree("arrays", fwddiff(arrays, x, direction(x0)), x0, dx)
  x = x0; dx = 0
  call autodiff(concurrent, x, dx)
  call compare("concurrent", concurrent, x0, dx)
  end do
  call finish()
end program
