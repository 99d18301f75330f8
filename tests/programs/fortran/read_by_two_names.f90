! Two names of the same numbers: dummy arguments, and a variable of the module. All only read them.
module functions
  implicit none
  real(8), save :: state(4)
contains
  elemental real(8) function larger(a, b) result(r)
    real(8), intent(in) :: a, b
    r = b
    if (a > b) r = a
  end function

  real(8) function of_elements(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: z(4), u
    integer :: i, k
    y = x(3) * x(4)
    u = x(2) / 2
    k = iand(int(7 * u), 3) + 1
    do i = 1, 3
      z = [u, x(1), u - x(1), u * x(3)]
      y = y * sin(0.1d0 * i - x(1) / (1.3d0 + (u + larger(z(k), z(3)) - z(k))**2))
    end do
  end function

  real(8) function product_of(a, b, k) result(y)
    real(8), intent(in) :: a(4), b(4)
    integer, intent(in) :: k
    y = a(k) * b(3) * state(k) + b(k) * sin(a(3)) * a(k)
  end function

  real(8) function of_arrays(x) result(y)
    real(8), intent(in) :: x(4)
    integer :: i
    state = 2 * x
    y = 0
    do i = 1, 4
      y = y + product_of(state, state, iand(int(7 * x(i)), 3) + 1)
    end do
  end function
end module

program read_by_two_names
  use enzyme
  use check
  use functions
  implicit none
  real(8) :: x(4) = [0.612d0, -0.834d0, 1.127d0, 0.391d0], dx(4)
  dx = 0
  call autodiff(of_elements, x, dx)
  call compare("of_elements", of_elements, x, dx)
  call agree("of_elements", fwddiff(of_elements, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(of_arrays, x, dx)
  call compare("of_arrays", of_arrays, x, dx)
  call agree("of_arrays", fwddiff(of_arrays, (x), direction(x)), x, dx)
  call finish()
end program
