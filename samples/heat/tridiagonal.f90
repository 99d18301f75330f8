! Systems with three diagonals, by elimination (Thomas' algorithm).
module tridiagonal
  use grid, only: real_kind
  implicit none
  private
  public :: solve_tridiagonal

contains

  ! Replaces `right` by the solution; `below`, `middle` and `above` are the rows' coefficients, `middle` is overwritten.
  subroutine solve_tridiagonal(n, below, middle, above, right)
    integer, intent(in) :: n
    real(real_kind), intent(in) :: below(n), above(n)
    real(real_kind), intent(inout) :: middle(n), right(n)
    real(real_kind) :: factor
    integer :: i
    do i = 2, n
      factor = below(i) / middle(i - 1)
      middle(i) = middle(i) - factor * above(i - 1)
      right(i) = right(i) - factor * right(i - 1)
    end do
    right(n) = right(n) / middle(n)
    do i = n - 1, 1, -1
      right(i) = (right(i) - above(i) * right(i + 1)) / middle(i)
    end do
  end subroutine
end module
