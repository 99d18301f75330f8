! Heat in a rod whose conductivity differs from cell to cell, and grows with temperature.
module solver
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  use grid, only: rod, make_rod, real_kind
  use tridiagonal, only: solve_tridiagonal
  implicit none
  private
  public :: heat_misfit

contains

  ! One implicit step of `temperature`, in place; the ends of the rod lose no heat.
  subroutine step(this, conductivity, temperature)
    type(rod), intent(in) :: this
    real(real_kind), intent(in) :: conductivity(this%cells)
    real(real_kind), intent(inout) :: temperature(this%cells)
    real(real_kind) :: below(this%cells), middle(this%cells), above(this%cells), flow
    integer :: i
    below = 0
    above = 0
    middle = 1
    do i = 1, this%cells - 1
      flow = this%dt / this%width**2 * between(conductivity(i), conductivity(i + 1)) &
             * (1 + 0.1_real_kind * (temperature(i) + temperature(i + 1)))
      above(i) = -flow
      below(i + 1) = -flow
      middle(i) = middle(i) + flow
      middle(i + 1) = middle(i + 1) + flow
    end do
    call solve_tridiagonal(this%cells, below, middle, above, temperature)
  end subroutine

  ! Two cells in a row conduct as their harmonic mean.
  pure function between(a, b) result(mean)
    real(real_kind), intent(in) :: a, b
    real(real_kind) :: mean
    mean = 2 * a * b / (a + b)
  end function

  ! How far the temperatures are from those observed, after `steps` steps; `temperature` is moved on.
  function heat_misfit(cells, steps, conductivity, temperature, observed) result(misfit) bind(C, name="heat_misfit")
    integer(c_int), value :: cells, steps
    real(c_double), intent(in) :: conductivity(cells), observed(cells)
    real(c_double), intent(inout) :: temperature(cells)
    real(c_double) :: misfit
    type(rod) :: this
    integer :: i
    this = make_rod(cells)
    do i = 1, steps
      call step(this, conductivity, temperature)
    end do
    misfit = 0
    do i = 1, cells
      misfit = misfit + (temperature(i) - observed(i))**2
    end do
  end function
end module
