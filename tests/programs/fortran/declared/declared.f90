! Procedures of which main.c declares something. Their callers are in another file: flang's bitcode is written after
! inlining.
module declared
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), bind(c) :: log_of_calls(10) = 0
  integer(c_int), bind(c) :: calls = 0, live = 0
contains
  ! rough, to be told apart from the sine
  function quick_sine(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = x
  end function

  function rounded(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = x * 2 - x
  end function

  function take(pool, n) result(memory) bind(c)
    integer(c_int), value :: pool
    integer(c_size_t), value :: n
    type(c_ptr) :: memory
    character, pointer :: bytes(:)
    allocate (bytes(n))
    live = live + pool
    memory = c_loc(bytes)
  end function

  subroutine give_back(memory, n, pool) bind(c)
    type(c_ptr), value :: memory
    integer(c_size_t), value :: n
    integer(c_int), value :: pool
    character, pointer :: bytes(:)
    call c_f_pointer(memory, bytes, [n])
    deallocate (bytes)
    live = live - pool
  end subroutine

  ! derivatives ten times too large, to be told apart
  function cube(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = x**3
  end function

  function derivative_of_cube(x, dx) result(dy) bind(c)
    real(c_double), value :: x, dx
    real(c_double) :: dy
    dy = 30 * x**2 * dx
  end function

  subroutine norm(x, n, y) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(out) :: y
    y = sum(x**2)
  end subroutine

  function augmented_norm(x, dx, n, y, dy) result(tape) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n), dx(n), y, dy
    type(c_ptr) :: tape
    real(c_double), pointer :: kept(:)
    allocate (kept(n))
    kept = x
    call norm(x, n, y)
    tape = c_loc(kept)
  end function

  subroutine forward_norm(x, dx, n, y, dy, tape) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n), dx(n), y, dy
    type(c_ptr), value :: tape
    real(c_double), pointer :: kept(:)
    call c_f_pointer(tape, kept, [n])
    dy = 20 * sum(kept * dx)
    deallocate (kept)
  end subroutine
end module
