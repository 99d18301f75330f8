! A solver with a pointer to the procedure that computes the equations.
module solvers
  implicit none
  type :: solver
    integer :: n = 0, calls = 0
    procedure(rhs_f), pointer :: fcn => null()
    real(8), dimension(:), allocatable :: work
  contains
    procedure :: initialize
    procedure :: integrate
    procedure :: core
    procedure :: destroy
  end type
  abstract interface
    subroutine rhs_f(me, x, y, f)
      import :: solver
      class(solver), intent(inout) :: me
      real(8), intent(in) :: x
      real(8), dimension(:), intent(in) :: y
      real(8), dimension(:), intent(out) :: f
    end subroutine
  end interface
contains
  subroutine destroy(me)
    class(solver), intent(out) :: me
  end subroutine
  subroutine initialize(me, n, fcn)
    class(solver), intent(inout) :: me
    integer, intent(in) :: n
    procedure(rhs_f) :: fcn
    call me%destroy()
    me%n = n
    me%fcn => fcn
  end subroutine
  subroutine integrate(me, x, y, h, steps)
    class(solver), intent(inout) :: me
    real(8), intent(inout) :: x, y(:)
    real(8), intent(in) :: h
    integer, intent(in) :: steps
    call me%core(x, y, h, steps)
  end subroutine
  subroutine core(me, x, y, h, steps)
    class(solver), intent(inout) :: me
    real(8), intent(inout) :: x, y(:)
    real(8), intent(in) :: h
    integer, intent(in) :: steps
    real(8), dimension(me%n) :: k1, k2, y1, k5
    integer :: i
    do i = 1, steps
      call me%fcn(x, y, k1)
      y1 = y + h * k1
      call me%fcn(x + h, y1, k2)
      call me%fcn(x, y, k5)
      k5 = y + h / 2 * (k1 + k2)
      y = k5
      x = x + h
    end do
  end subroutine
end module
