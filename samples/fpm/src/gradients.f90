!> What the program asks of enzyme-cc: a request, and the marker of arguments without derivative.
module gradients
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
  interface
    !> Adds the gradient of `f` to `dx`.
    subroutine gradient(f, x, dx, activity, n) bind(c, name="__enzyme_autodiff_energy")
      import :: c_int
      real(8), external :: f
      real(8), intent(in) :: x(*)
      real(8), intent(inout) :: dx(*)
      integer(c_int), intent(in) :: activity, n
    end subroutine
  end interface
end module
