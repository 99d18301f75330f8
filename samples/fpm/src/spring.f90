!> The energy of a chain of springs.
module spring
  implicit none
contains
  !> `x` are the places of masses; springs between neighbours have length 1.
  function energy(x, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: e
    e = sum((x(2:) - x(:n - 1) - 1)**2)
  end function
end module
