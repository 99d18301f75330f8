! flags: -lopenblas
! The likelihood of a Gaussian process: dpotrf, dtrsm and ddot with the arguments that Fortran passes, lengths included.
program gaussian_process
  use check
  implicit none
  integer, parameter :: n = 12
  real(8) :: theta(3) = [1d0, 0.7d0, 0.2d0], dtheta(3)
  dtheta = 0
  call autodiff(likelihood, theta, dtheta)
  call compare("likelihood", likelihood, theta, dtheta)
  call agree("likelihood", fwddiff(likelihood, theta, direction(theta)), theta, dtheta)
  call finish()
contains
  real(8) function likelihood(t) result(r)
    real(8) :: t(3), x(n), k(n, n), a(n, 1)
    real(8), external :: ddot
    integer :: i, j, info
    x = [(0.3d0*i, i = 1, n)]
    do j = 1, n
      do i = 1, n
        k(i, j) = t(1)**2*exp(-0.5d0*((x(i) - x(j))/t(2))**2)
      end do
      k(j, j) = k(j, j) + t(3)**2
    end do
    call dpotrf('L', n, k, n, info)
    a(:, 1) = sin(x)
    call dtrsm('Left', 'Lower', 'N', 'N', n, 1, 1d0, k, n, a, n)
    r = 0.5d0*ddot(n, a, 1, a, 1)
    do i = 1, n
      r = r + log(k(i, i))
    end do
  end function
end program
