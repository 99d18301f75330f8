! A function with a gradient and a forward derivative of its own, in Fortran; that these belong together is said in C.
! One caller is in another file, the other keeps flang from inlining, after which its bitcode is written.
module cubes
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine cube(x, y) bind(c)
    real(c_double), intent(in) :: x(3)
    real(c_double), intent(out) :: y
    y = sum(x**3)
  end subroutine

  function augmented_cube(x, dx, y, dy) bind(c) result(tape)
    real(c_double), intent(in) :: x(3)
    real(c_double) :: dx(3), y, dy
    type(c_ptr) :: tape
    real(c_double), pointer :: kept(:)
    allocate (kept(3))
    kept = x
    call cube(x, y)
    tape = c_loc(kept)
  end function

  ! a hundred times too large, to be told apart
  subroutine gradient_of_cube(x, dx, y, dy, tape) bind(c)
    real(c_double) :: x(3), dx(3), y, dy
    type(c_ptr), value :: tape
    real(c_double), pointer :: kept(:)
    call c_f_pointer(tape, kept, [3])
    dx = dx + 300 * kept**2 * dy
    dy = 0
    deallocate (kept)
  end subroutine

  subroutine derivative_of_cube(x, dx, y, dy) bind(c)
    real(c_double) :: x(3), dx(3), y, dy
    call cube(x, y)
    dy = 300 * sum(x**2 * dx)
  end subroutine

  function here(x) bind(c) result(z)
    real(c_double) :: x(3), z, y
    !dir$ noinline
    call cube(x, y)
    z = y * x(1)
  end function
end module
