! Heat in a plate whose conductivity differs from cell to cell, on threads of OpenMP.
module plate
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: misfit

contains

  ! One explicit step; the edge keeps its temperature.
  subroutine step(n, conductivity, temperature, next)
    integer, intent(in) :: n
    real(real64), intent(in) :: conductivity(n, n), temperature(n, n)
    real(real64), intent(out) :: next(n, n)
    real(real64) :: flow
    integer :: i, j
    !$omp parallel do private(i, flow)
    do j = 1, n
      do i = 1, n
        if (i == 1 .or. i == n .or. j == 1 .or. j == n) then
          next(i, j) = temperature(i, j)
        else
          flow = (conductivity(i, j) + conductivity(i + 1, j)) * (temperature(i + 1, j) - temperature(i, j)) &
               - (conductivity(i, j) + conductivity(i - 1, j)) * (temperature(i, j) - temperature(i - 1, j)) &
               + (conductivity(i, j) + conductivity(i, j + 1)) * (temperature(i, j + 1) - temperature(i, j)) &
               - (conductivity(i, j) + conductivity(i, j - 1)) * (temperature(i, j) - temperature(i, j - 1))
          next(i, j) = temperature(i, j) + 0.1_real64 * flow * (1 + 0.01_real64 * temperature(i, j))
        end if
      end do
    end do
  end subroutine

  ! The sum of the squares of the temperatures after some steps.
  real(real64) function misfit(n, steps, conductivity)
    integer, intent(in) :: n, steps
    real(real64), intent(in) :: conductivity(n, n)
    real(real64) :: temperature(n, n), next(n, n), total
    integer :: i, j, k
    !$omp parallel do private(i)
    do j = 1, n
      do i = 1, n
        temperature(i, j) = sin(0.3_real64 * i) * cos(0.2_real64 * j)
      end do
    end do
    do k = 1, steps
      call step(n, conductivity, temperature, next)
      call step(n, conductivity, next, temperature)
    end do
    total = 0
    !$omp parallel do private(i) reduction(+:total)
    do j = 1, n
      do i = 1, n
        total = total + temperature(i, j)**2
      end do
    end do
    misfit = total
  end function
end module
