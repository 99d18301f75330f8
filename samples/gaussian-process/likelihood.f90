! The negative log marginal likelihood by LAPACK: K = L L^T, log det K from the diagonal of L, L^-1 y by dtrsm.
real(c_double) function negative_log_likelihood(n, x, y, parameters) bind(c) result(value)
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n), y(n), parameters(3)
  real(c_double), allocatable :: k(:, :), z(:)
  real(c_double) :: length, scale, noise
  integer :: i, j, info
  external :: dpotrf, dtrsm

  length = exp(parameters(1))
  scale = exp(2 * parameters(2))
  noise = exp(2 * parameters(3))
  allocate (k(n, n))
  z = y
  do j = 1, n
    do i = j, n
      k(i, j) = scale * exp(-((x(i) - x(j)) / length)**2 / 2)
    end do
    k(j, j) = k(j, j) + noise
  end do
  call dpotrf('L', n, k, n, info)
  call dtrsm('L', 'L', 'N', 'N', n, 1, 1d0, k, n, z, n)
  value = n * log(2 * 3.14159265358979d0) + sum(z**2)
  do i = 1, n
    value = value + 2 * log(k(i, i))
  end do
  value = value / 2
  if (info /= 0) value = ieee_value(value, ieee_positive_inf)
end function
