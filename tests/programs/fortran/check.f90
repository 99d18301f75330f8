! What the Fortran programs here share: a gradient against central differences, and an exit status that says whether
! they agree.
!
!     dx = 0; call autodiff(f, x, dx)          real(8) function f(x), x of as many elements as you like
!     call compare("f", f, x0, dx)             x0: the point, x may be overwritten
!     call agree("f", fwddiff(f, (x0), direction(x0)), x0, dx)    forward mode: J v = (J' 1)·v
!     call same("what", got, want)             two numbers
!     call finish()                            at the end of the program
!
! The differences are extrapolated (Ridders 1982): good to about 1e-10.
module check
  use enzyme, only: autodiff, fwddiff
  implicit none
  private
  public :: autodiff, fwddiff, same, compare, difference, direction, agree, finish
  integer :: failures = 0

contains

  subroutine same(what, got, want, tolerance)
    character(*), intent(in) :: what
    real(8), intent(in) :: got, want
    real(8), intent(in), optional :: tolerance
    real(8) :: allowed
    character(5) :: verdict
    allowed = 1d-7
    if (present(tolerance)) allowed = tolerance
    verdict = "   ok"
    if (.not. abs(got - want) <= allowed * (1 + abs(want))) then
      verdict = "WRONG"
      failures = failures + 1
    end if
    print "(a, 1x, a, ' = ', g0, ', expected ', g0)", verdict, what, got, want
  end subroutine

  subroutine compare(name, f, x, dx)
    character(*), intent(in) :: name
    real(8), external :: f
    real(8), intent(in) :: x(:), dx(:)
    character(20) :: index
    integer :: i
    do i = 1, size(x)
      write (index, "('[', i0, ']')") i
      call same(name // trim(index), dx(i), difference(f, x, i))
    end do
  end subroutine

  ! Some direction in the space of the inputs, always the same.
  pure function direction(x) result(v)
    real(8), intent(in) :: x(:)
    real(8) :: v(size(x))
    integer :: i
    v = [(sin(1 + 2.5d0 * i), i = 1, size(x))]
  end function

  ! Forward and reverse mode agree to rounding errors, of whatever size f's own are.
  subroutine agree(name, tangent, x, dx)
    character(*), intent(in) :: name
    real(8), intent(in) :: tangent, x(:), dx(:)
    real(8) :: error
    error = abs(tangent - sum(direction(x) * dx)) / (tiny(error) + sum(abs(direction(x) * dx)))
    if (.not. error <= 1d-12) then
      failures = failures + 1
      print "(a, ': WRONG in forward mode: ', g0)", name, tangent
    end if
    print "('forward and reverse: ', a, ', error ', es7.1)", name, error
  end subroutine

  function difference(f, x, i) result(best)
    real(8), external :: f
    real(8), intent(in) :: x(:)
    integer, intent(in) :: i
    integer, parameter :: rows = 12
    real(8) :: best, error, h, table(rows, rows), e
    integer :: row, k
    h = 0.02d0 * (1 + abs(x(i)))
    error = huge(error)
    best = 0
    do row = 1, rows
      table(row, 1) = (at(f, x, i, h) - at(f, x, i, -h)) / (2 * h)
      do k = 2, row
        table(row, k) = (4d0**(k - 1) * table(row, k - 1) - table(row - 1, k - 1)) / (4d0**(k - 1) - 1)
        e = max(abs(table(row, k) - table(row, k - 1)), abs(table(row, k) - table(row - 1, k - 1)))
        if (e < error) then
          error = e
          best = table(row, k)
        end if
      end do
      h = h / 2
    end do
  end function

  function at(f, x, i, h) result(y)
    real(8), external :: f
    real(8), intent(in) :: x(:), h
    integer, intent(in) :: i
    real(8) :: y, moved(size(x))
    moved = x
    moved(i) = moved(i) + h
    y = f(moved)
  end function

  subroutine finish()
    if (failures > 0) error stop
  end subroutine
end module
