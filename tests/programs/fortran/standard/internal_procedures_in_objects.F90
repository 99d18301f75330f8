#include "check_each.h"
! An object has a pointer to an internal procedure as its first component, and calls it with itself as an argument: the
! call looks like that of a virtual function.
module solvers
  implicit none
  type :: solver
    procedure(func), pointer :: f => null()
    integer :: calls = 0
  contains
    procedure :: set
    procedure :: root
  end type
  abstract interface
    function func(me, t) result(r)
      import :: solver
      class(solver), intent(inout) :: me
      real(8), intent(in) :: t
      real(8) :: r
    end function
  end interface
contains
  subroutine set(me, f)
    class(solver), intent(inout) :: me
    procedure(func) :: f
    me%f => f
  end subroutine

  real(8) function root(me, first, second) result(b)
    class(solver), intent(inout) :: me
    real(8), intent(in) :: first, second
    real(8) :: t, a, fa, fb
    integer :: k
    a = first; b = second
    do k = 1, 30
      fa = me%f(a)
      fb = me%f(b)
      if (abs(fb - fa) < 1d-13) exit
      t = b - fb * (b - a) / (fb - fa)
      a = b; b = t
    end do
  end function
end module
module functions
  use solvers
  implicit none
contains
  subroutine march(x, n, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r
    type(solver) :: s
    real(8) :: state(n), t
    integer :: k
    state = x
    t = 0
    call s%set(event)
    do k = 1, 100
      if (event(s, 0.1d0) > 0) exit
      state = state + 0.1d0 * sin(state) * x(1)
      t = t + 0.1d0
    end do
    r = t + s%root(0d0, 0.1d0) + event(s, 0.05d0) * x(2)
  contains
    function event(me, dt) result(r)
      class(solver), intent(inout) :: me
      real(8), intent(in) :: dt
      real(8) :: r, moved(n)
      me%calls = me%calls + 1
      moved = state + dt * sin(state) * x(1)
      r = sum(moved * moved) - 9
    end function
  end subroutine

  real(8) function marched(x) result(y)
    real(8), intent(in) :: x(3)
    call march(x, 3, y)
  end function
end module

program main
  use check
  use functions
  real(8) :: x(3) = [0.8d0, 0.2d0, 0.3d0], dx(3)
  CHECK(marched)
  call finish()
end program
