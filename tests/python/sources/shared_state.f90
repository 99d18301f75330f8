module params
  implicit none
  real(8) :: g = 0
  real(8), allocatable :: weights(:)
contains
  subroutine setup(gravity, n, ok)
    real(8), intent(in) :: gravity
    integer, intent(in) :: n
    integer, intent(out) :: ok
    integer :: i
    g = gravity
    if (allocated(weights)) deallocate(weights)
    allocate(weights(n))
    weights = [(i * 0.5d0, i = 1, n)]
    ok = 1
  end subroutine
  real(8) function run(x)
    real(8), intent(in) :: x
    real(8) :: a, b
    integer :: k
    common /blk/ a, k, b
    run = g * x**2 + b * k
    if (allocated(weights)) run = run + sum(weights) * x
  end function
end module
module results
  real(8) :: total = 0, w(2, 2) = 1
contains
  subroutine sum_up(x)
    real(8), intent(in) :: x(:)
    total = sum(x**2) * w(2, 1)
  end subroutine
end module
