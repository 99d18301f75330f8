! Arguments that are overwritten in place, and what they hold afterwards; a subroutine differentiated by its output.
module inplace
  implicit none
contains
  function f(x) result(y)
    real(8), intent(inout) :: x(3)
    real(8) :: y
    x(1) = x(1) * x(2)
    x(2:3) = x(1) * x(2:3)
    x = x + x(3)
    y = x(1) * x(2) * x(3)
  end function

  subroutine step(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y(3)
    y = y * x + y(1)
  end subroutine
end module

program main
  use check
  use inplace
  interface
    subroutine autodiff_step(f, x, dx, y, dy) bind(c, name="__enzyme_autodiff_step")
      external :: f
      real(8) :: x(*), dx(*), y(*), dy(*)
    end subroutine
  end interface
  real(8) :: x(3), at(3) = [0.7d0, 1.1d0, -0.4d0], dx(3) = 0, y(3), dy(3)
  x = at
  call autodiff(f, x, dx)
  call compare("f", f, at, dx)
  call agree("f", fwddiff(f, (at), direction(at)), at, dx)
  y = at
  call same("f(x)", x(1), at(1) * at(2) * (1 + at(3)))
  dx = 0
  x = [2d0, 3d0, 5d0]
  dy = [1d0, 0d0, 10d0]
  call autodiff_step(step, x, dx, y, dy)
  call same("y", y(3), at(3) * 5 + at(1))
  call same("dx 1", dx(1), at(1))
  call same("dx 3", dx(3), 10 * at(3))
  call same("dy 1", dy(1), 2d0 + 1 + 10)
  call same("dy 2", dy(2), 0d0)
  call same("dy 3", dy(3), 50d0)
  call finish()
end program
