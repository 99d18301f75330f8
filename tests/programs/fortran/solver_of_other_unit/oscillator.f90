! Equations that extend the solver, and a function of C's for the program.
module oscillators
  use solvers
  implicit none
  type, extends(solver) :: oscillator
    real(8) :: mu = 1d0
  end type
contains
  subroutine rhs(me, x, y, f)
    class(solver), intent(inout) :: me
    real(8), intent(in) :: x
    real(8), dimension(:), intent(in) :: y
    real(8), dimension(:), intent(out) :: f
    select type (me)
    class is (oscillator)
      f(1) = y(2)
      f(2) = me%mu * (1 - y(1)**2) * y(2) - y(1)
    end select
  end subroutine
  real(8) function steps_of_oscillator(x) bind(c)
    real(8), intent(inout) :: x(3)
    type(oscillator) :: p
    real(8) :: t, y(2)
    call p%initialize(2, rhs)
    p%mu = x(3)
    t = 0; y = x(1:2)
    call p%integrate(t, y, 0.1d0, 4)
    steps_of_oscillator = y(1)**2 + 2 * y(2)
  end function
end module
