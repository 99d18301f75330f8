! The interface of enzyme-cc for Fortran: markers, and generic interfaces for gradients of the common shapes.
!
!     use enzyme
!     dx = 0
!     call autodiff(f, x, dx)               real(8) function f(x), x an array: adds its gradient to dx
!     call autodiff(f, enzyme_const, n, x, dx)      real(8) function f(n, x), with n a constant
!     call autodiff(s, x, dx, y, dy)        subroutine s(x, y): adds the adjoint of x to dx, for the adjoint dy of y
!     d = fwddiff(f, x, dx)                 the derivative of f in the direction dx
!
! Arrays are contiguous, and have explicit shape or assumed size in f. For other functions, declare an interface:
!
!     interface
!       subroutine gradient(f, activity, x, dx, n) bind(c, name="__enzyme_autodiff_mine")
!         ...
!       end subroutine
!     end interface
!
! Pass a marker (enzyme_dup, ...) before its argument, by value or by reference.
module enzyme
  use, intrinsic :: iso_c_binding, only: c_int, c_long, c_float, c_double, c_ptr
  implicit none
  private

  integer(c_int), bind(c, name="enzyme_const"), public :: enzyme_const
  integer(c_int), bind(c, name="enzyme_dup"), public :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_dupnoneed"), public :: enzyme_dupnoneed
  integer(c_int), bind(c, name="enzyme_out"), public :: enzyme_out
  integer(c_int), bind(c, name="enzyme_noret"), public :: enzyme_noret
  integer(c_int), bind(c, name="enzyme_primal_return"), public :: enzyme_primal_return
  integer(c_int), bind(c, name="enzyme_const_return"), public :: enzyme_const_return
  integer(c_int), bind(c, name="enzyme_active_return"), public :: enzyme_active_return
  integer(c_int), bind(c, name="enzyme_dupv"), public :: enzyme_dupv
  integer(c_int), bind(c, name="enzyme_dupnoneedv"), public :: enzyme_dupnoneedv
  integer(c_int), bind(c, name="enzyme_width"), public :: enzyme_width
  integer(c_int), bind(c, name="enzyme_tape"), public :: enzyme_tape
  integer(c_int), bind(c, name="enzyme_allocated"), public :: enzyme_allocated
  integer(c_int), bind(c, name="enzyme_nofree"), public :: enzyme_nofree
  integer(c_int), bind(c, name="enzyme_nocache"), public :: enzyme_nocache
  integer(c_int), bind(c, name="enzyme_dup_return"), public :: enzyme_dup_return
  integer(c_int), bind(c, name="enzyme_byref"), public :: enzyme_byref
  integer(c_int), bind(c, name="enzyme_interleave"), public :: enzyme_interleave
  integer(c_int), bind(c, name="enzyme_vector"), public :: enzyme_vector
  integer(c_int), bind(c, name="enzyme_scalar"), public :: enzyme_scalar
  integer(c_int), bind(c, name="enzyme_runtime_activity"), public :: enzyme_runtime_activity
  integer(c_int), bind(c, name="enzyme_strong_zero"), public :: enzyme_strong_zero
  integer(c_int), bind(c, name="enzyme_shared"), public :: enzyme_shared

  integer(c_int), bind(c, name="enzyme_sparse"), public :: enzyme_sparse
  integer(c_int), bind(c, name="enzyme_symmetric"), public :: enzyme_symmetric

  public :: autodiff, fwddiff

  ! The matrix of a request with enzyme_sparse: the numbers of rows and columns begin at 0.
  type, bind(c), public :: enzyme_triplets
    integer(c_long) :: count
    type(c_ptr) :: rows, columns, values
    integer(c_long) :: groups
  end type

  interface autodiff
    subroutine enzyme_gradient_8(f, x, dx) bind(c, name="__enzyme_autodiff_gradient_8")
      import :: c_double
      real(c_double), external :: f
      real(c_double) :: x(*), dx(*)
    end subroutine
    subroutine enzyme_gradient_4(f, x, dx) bind(c, name="__enzyme_autodiff_gradient_4")
      import :: c_float
      real(c_float), external :: f
      real(c_float) :: x(*), dx(*)
    end subroutine
    subroutine enzyme_sized_gradient_8(f, activity, n, x, dx) bind(c, name="__enzyme_autodiff_sized_gradient_8")
      import :: c_double, c_int
      real(c_double), external :: f
      integer(c_int) :: activity, n
      real(c_double) :: x(*), dx(*)
    end subroutine
    subroutine enzyme_adjoint_8(s, x, dx, y, dy) bind(c, name="__enzyme_autodiff_adjoint_8")
      import :: c_double
      external :: s
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
  end interface

  interface fwddiff
    function enzyme_directional_8(f, x, dx) bind(c, name="__enzyme_fwddiff_directional_8") result(derivative)
      import :: c_double
      real(c_double), external :: f
      real(c_double) :: x(*), dx(*), derivative
    end function
  end interface
end module
