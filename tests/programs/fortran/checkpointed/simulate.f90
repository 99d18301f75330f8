! Loops of steps: with an array of the heap, by the number of the step, and with a cost that is summed up.
module simulation
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine advance(u, n, rate, t) bind(c)
      import :: c_double, c_int
      integer(c_int), intent(in) :: n, t
      real(c_double), intent(inout) :: u(n)
      real(c_double), intent(in) :: rate
    end subroutine
  end interface
contains
  function simulate(x) result(y) bind(c)
    real(c_double), intent(inout) :: x(4)
    real(c_double) :: y, rate, cost
    real(c_double), allocatable :: u(:)
    integer(c_int) :: t
    u = x(1:3)
    rate = x(4)
    cost = 0
    do t = 1, 20
      call advance(u, 3, rate, t)
      cost = cost + u(2)**2
    end do
    rate = rate * u(1)
    do t = 30, 1, -3
      call advance(u, 3, rate, t)
    end do
    y = cost + u(1) * u(2) + u(3)
    u = 0
    x(1) = y
  end function
end module
