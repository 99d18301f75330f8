! Types that hold values of their own family: sums of functions, made by a defined operator, of sums of functions.
module integrands
  implicit none
  type, abstract :: integrand
  contains
    procedure(eval_i), deferred :: eval
    procedure :: twice
    procedure, pass(lhs) :: plus
    generic :: operator(+) => plus
  end type
  abstract interface
    real(8) function eval_i(self, t)
      import integrand
      class(integrand), intent(in) :: self
      real(8), intent(in) :: t
    end function
  end interface
  type, extends(integrand) :: polynomial
    real(8), allocatable :: c(:)
  contains
    procedure :: eval => eval_polynomial
  end type
  type, extends(integrand) :: summed
    class(integrand), allocatable :: l, r
  contains
    procedure :: eval => eval_sum
  end type
contains
  real(8) function eval_polynomial(self, t) result(r)
    class(polynomial), intent(in) :: self
    real(8), intent(in) :: t
    integer :: i
    r = 0
    do i = size(self%c), 1, -1
      r = r * t + self%c(i)
    end do
  end function
  recursive real(8) function eval_sum(self, t) result(r)
    class(summed), intent(in) :: self
    real(8), intent(in) :: t
    r = self%l%eval(t) + self%r%eval(t * 1.1d0)
  end function
  function plus(lhs, rhs) result(s)
    class(integrand), intent(in) :: lhs, rhs
    type(summed) :: s
    allocate(s%l, source=lhs)
    allocate(s%r, source=rhs)
  end function
  real(8) function twice(self, t)
    class(integrand), intent(in) :: self
    real(8), intent(in) :: t
    twice = self%eval(t) * self%eval(2 * t)
  end function
  real(8) function f(x) bind(c)
    real(8), intent(inout) :: x(4)
    type(polynomial) :: p, q
    type(summed) :: t
    class(integrand), allocatable :: s
    p%c = x(1:2)
    q%c = [x(3), x(4) * x(1), 1d0]
    t = (p + q) + p
    allocate(s, source=p + q)
    f = s%eval(0.5d0) + s%twice(x(2)) + t%eval(x(4))
    deallocate(s)
    allocate(s, source=q + (p + q))
    f = f * s%eval(x(3))
  end function
end module
program main
  use check
  use integrands
  implicit none
  real(8) :: x(4) = [0.5d0, 1.2d0, 0.7d0, 0.3d0], dx(4)
  dx = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
