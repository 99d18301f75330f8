! The rod: its cells, and what conducts heat between them.
module grid
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  private
  public :: rod, make_rod, real_kind

  integer, parameter :: real_kind = c_double

  type :: rod
    integer :: cells
    real(real_kind) :: width, dt
  end type

contains

  ! A rod of unit length; the time step is what an implicit step allows, larger than an explicit one would.
  pure function make_rod(cells) result(this)
    integer(c_int), intent(in) :: cells
    type(rod) :: this
    this%cells = cells
    this%width = 1.0_real_kind / cells
    this%dt = 2 * this%width**2
  end function
end module
