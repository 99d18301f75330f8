module reactor
  use rates
  implicit none
contains
  ! Integrates the concentrations from y0 by n steps of Runge and Kutta's method of order 4; y(:, i) is the state after
  ! step i.
  subroutine integrate(k, y0, dt, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: k(3), y0(3), dt
    real(8), intent(out) :: y(3, n)
    real(8) :: state(3), a(3), b(3), c(3), d(3)
    integer :: i
    state = y0
    do i = 1, n
      a = derivative(k, state)
      b = derivative(k, state + dt/2*a)
      c = derivative(k, state + dt/2*b)
      d = derivative(k, state + dt*c)
      state = state + dt/6*(a + 2*b + 2*c + d)
      y(:, i) = state
    end do
  end subroutine
end module
