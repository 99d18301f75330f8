! What is differentiated: each calls a procedure that is declared to be something, and knows only its interface.
module functions
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), volatile, bind(c) :: log_of_calls(10)
  integer(c_int), bind(c) :: calls
  interface
    function quick_sine(x) result(y) bind(c)
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: y
    end function
    function rounded(x) result(y) bind(c)
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: y
    end function
    function cube(x) result(y) bind(c)
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: y
    end function
    subroutine norm(x, n, y) bind(c)
      import :: c_double, c_int
      integer(c_int), value :: n
      real(c_double), intent(in) :: x(n)
      real(c_double), intent(out) :: y
    end subroutine
    function take(pool, n) result(memory) bind(c)
      import :: c_int, c_size_t, c_ptr
      integer(c_int), value :: pool
      integer(c_size_t), value :: n
      type(c_ptr) :: memory
    end function
    subroutine give_back(memory, n, pool) bind(c)
      import :: c_int, c_size_t, c_ptr
      type(c_ptr), value :: memory
      integer(c_size_t), value :: n
      integer(c_int), value :: pool
    end subroutine
    function gradient(f, x) result(d) bind(c, name="__enzyme_autodiff_number")
      import :: c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double), value :: x
      real(c_double) :: d
    end function
    function tangent(f, x, dx) result(d) bind(c, name="__enzyme_fwddiff_number")
      import :: c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double), value :: x, dx
      real(c_double) :: d
    end function
    subroutine gradient_of_array(f, x, dx) bind(c, name="__enzyme_autodiff_array")
      import :: c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*)
    end subroutine
    function tangent_of_array(f, x, dx) result(d) bind(c, name="__enzyme_fwddiff_array")
      import :: c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*), d
    end function
  end interface
contains
  function with_sine(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = 3 * quick_sine(x)
  end function

  function with_rounded(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = x * rounded(x)
  end function

  function with_log(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    calls = calls + 1
    log_of_calls(calls) = x
    y = x * log_of_calls(1)
  end function

  function with_cube(x) result(y) bind(c)
    real(c_double), value :: x
    real(c_double) :: y
    y = 2 * cube(x)
  end function

  function with_norm(x) result(y) bind(c)
    real(c_double), intent(in) :: x(3)
    real(c_double) :: y, z
    call norm(x, 3, z)
    y = 2 * z
  end function

  function with_memory(x) result(y) bind(c)
    real(c_double), intent(in) :: x(3)
    real(c_double) :: y
    real(c_double), pointer :: squares(:)
    type(c_ptr) :: memory
    integer :: k
    y = 0
    do k = 1, 3
      memory = take(2, 24_c_size_t)
      call c_f_pointer(memory, squares, [3])
      squares = x**2
      y = y + squares(k) * x(1)
      call give_back(memory, 24_c_size_t, 2)
    end do
  end function

  ! the derivatives of all, in order
  subroutine differentiate_all(d) bind(c)
    real(c_double) :: d(14), x(3), dx(3)
    x = [2d0, 3d0, 5d0]
    d(1) = gradient(c_funloc(with_sine), 1d0)
    d(2) = tangent(c_funloc(with_sine), 1d0, 2d0)
    d(3) = gradient(c_funloc(with_rounded), 3d0)
    d(4) = tangent(c_funloc(with_rounded), 3d0, 1d0)
    d(5) = gradient(c_funloc(with_log), 3d0)
    d(6) = tangent(c_funloc(with_log), 3d0, 1d0)
    d(7) = gradient(c_funloc(with_cube), 3d0)
    d(8) = tangent(c_funloc(with_cube), 3d0, 1d0)
    dx = [0d0, 1d0, 0d0]
    d(9) = tangent_of_array(c_funloc(with_norm), x, dx)
    dx = 0
    call gradient_of_array(c_funloc(with_norm), x, dx)
    d(10) = dx(2)
    dx = 0
    call gradient_of_array(c_funloc(with_memory), x, dx)
    d(11:13) = dx
    dx = [1d0, 1d0, 1d0]
    d(14) = tangent_of_array(c_funloc(with_memory), x, dx)
  end subroutine
end module
