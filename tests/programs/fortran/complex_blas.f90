! Complex BLAS and LAPACK from Fortran: functions with a complex result, products, a solution, eigenvectors.
! flags: -lopenblas
module complex_blas
  implicit none
  integer, parameter :: n = 3
  complex(8), external :: zdotu, zdotc
  complex(4), external :: cdotc
  real(8), external :: dznrm2
contains
  real(8) function f(x)
    real(8), intent(in) :: x(3)
    complex(8) :: a(n, n), b(n, n), c(n, n), z, work(32)
    real(8) :: w(n), more(3 * n)
    integer :: i, j, pivots(n), info
    do j = 1, n
      do i = 1, n
        a(i, j) = cmplx(x(i) * x(j) + merge(2, 0, i == j), x(i) - x(j) * j, 8)
        b(i, j) = cmplx(x(i), i * x(j), 8)
      end do
    end do
    call zgemm("C", "N", n, n, n, (0.02d0, 0.01d0), a, n, b, n, (0d0, 0d0), c, n)
    call zgesv(n, n, a, n, pivots, c, n, info)
    call zherk("U", "N", n, n, x(1), c, n, 1d0, b, n)
    call ztrmm("L", "U", "T", "N", n, n, (1d0, 0d0), b, n, c, n)
    z = zdotc(n, c, 1, c(1, 2), 1) * zdotu(n, c, -1, b, n)
    call zheev("V", "L", n, b, n, w, work, 32, more, info)
    f = real(z) + 2 * aimag(z) + dznrm2(n * n, c, 1) + sum(w**2) + real(b(1, 2) * b(3, 2)) + aimag(b(1, 1) * b(2, 1))
  end function

  ! 2 |x|^2, in single precision
  real(8) function g(x)
    real(8), intent(in) :: x(3)
    complex(4) :: u(n)
    u = cmplx(x, x(n:1:-1), 4)
    g = real(cdotc(n, u, 1, u, 1))
  end function
end module

program main
  use check
  use complex_blas
  implicit none
  real(8) :: x(3), dx(3)
  x = [0.7d0, -0.4d0, 0.9d0]
  dx = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(g, x, dx)
  call same("single precision", sum(dx * x), 4 * sum(x**2), 1d-6)
  call finish()
end program
