! Explicit steps of heat in a plate whose conductivity differs from cell to cell. Its border keeps its temperature.
subroutine heat_steps(n, steps, ratio, conductivity, temperature, next) bind(c)
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  integer(c_int), value :: n, steps
  real(c_double), value :: ratio ! of a step to the square of a cell's width
  real(c_double), intent(in) :: conductivity(n, n)
  real(c_double), intent(inout) :: temperature(n, n), next(n, n)
  integer :: i, j, s
  do s = 1, steps
    do j = 2, n - 1
      do i = 2, n - 1
        next(i, j) = temperature(i, j) + ratio / 2 * ( &
          (conductivity(i, j) + conductivity(i - 1, j)) * (temperature(i - 1, j) - temperature(i, j)) + &
          (conductivity(i, j) + conductivity(i + 1, j)) * (temperature(i + 1, j) - temperature(i, j)) + &
          (conductivity(i, j) + conductivity(i, j - 1)) * (temperature(i, j - 1) - temperature(i, j)) + &
          (conductivity(i, j) + conductivity(i, j + 1)) * (temperature(i, j + 1) - temperature(i, j)))
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        temperature(i, j) = next(i, j)
      end do
    end do
  end do
end subroutine
