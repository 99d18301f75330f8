! __enzyme_error_estimate of a Fortran function: a scalar product, whose error is known.
program error_estimate_of_procedure
  use iso_c_binding
  implicit none
  interface
    function estimate(f, x, dx, y, dy, n) bind(C, name="__enzyme_error_estimate_f")
      import
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*), y(*), dy(*), estimate
      integer(c_int), value :: n
    end function
  end interface
  real(c_double) :: x(3) = [1, 2, 4], y(3) = [1, 1, 1], dx(3) = 0, dy(3) = 0, e
  e = estimate(c_funloc(product_of), x, dx, y, dy, 3)
  ! products 1, 2, 4 and sums 1, 3, 7, the first of them with 0; a compiler may leave that out
  print *, e / 2d0**(-53), dx, dy
  if (e > 18.5d0 * 2d0**(-53) .or. e < 16.5d0 * 2d0**(-53)) stop 1
  if (any(dx /= y) .or. any(dy /= x)) stop 2
contains
  function product_of(x, y, n) bind(C) result(s)
    integer(c_int), value :: n
    real(c_double) :: x(n), y(n), s
    integer :: i
    s = 0
    do i = 1, n
      s = s + x(i) * y(i)
    end do
  end function
end program
