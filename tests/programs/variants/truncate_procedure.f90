! A truncated Fortran procedure computes what the same procedure of single precision computes.
program truncate_procedure
  use iso_c_binding
  implicit none
  interface
    function truncated(f, from, to) bind(C, name="__enzyme_truncate_op_func_f")
      import
      type(c_funptr), value :: f
      integer(c_int), value :: from, to
      type(c_funptr) :: truncated
    end function
  end interface
  abstract interface
    function of_numbers(x, n) bind(C)
      import
      integer(c_int), value :: n
      real(c_double) :: x(n), of_numbers
    end function
  end interface
  procedure(of_numbers), pointer :: f
  real(c_double) :: x(10)
  integer :: i
  x = [(sqrt(real(i, c_double)), i = 1, 10)]
  call c_f_procpointer(truncated(c_funloc(energy), 64, 32), f)
  print *, f(x, 10), single(real(x, c_float), 10)
  if (f(x, 10) /= single(real(x, c_float), 10)) stop 1
contains
  function energy(x, n) bind(C) result(s)
    integer(c_int), value :: n
    real(c_double) :: x(n), s
    integer :: i
    s = 0
    do i = 1, n
      s = s + x(i) / 3 - sin(x(i)) * 0.1d0
    end do
  end function
  function single(x, n) result(s)
    integer, intent(in) :: n
    real(c_float) :: x(n), s
    integer :: i
    s = 0
    do i = 1, n
      s = s + x(i) / 3 - sin(x(i)) * 0.1
    end do
  end function
end program
