! do while, exit, cycle, named loops, steps that go down, select case, block, arithmetic on the way, go to.
module flow
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(4)
    real(8) :: y, s
    integer :: i, j, kind
    y = x(1)
    do while (abs(y) < 20)
      y = y * 1.7d0 + x(2)
    end do
    outer: do i = 1, 4
      inner: do j = 4, 1, -1
        if (i == j) cycle inner
        if (i * j > 8) exit outer
        if (j < 2) cycle outer
        y = y + x(i) * x(j) * 0.1d0
      end do inner
    end do outer
    do
      y = y * 0.6d0
      if (y < 5) exit
    end do
    do i = 1, 4
      kind = mod(i, 4)
      select case (kind)
      case (0)
        y = y + x(4)**2
      case (1:2)
        y = y * x(3)
        if (y > 100) go to 10
      case default
        block
          real(8) :: t
          t = x(2) * y
          y = t + sin(t)
        end block
      end select
    end do
10  continue
    s = 0
    do i = 10, 1, -3
      s = s + y / i
    end do
    y = s
  end function
end module

program main
  use check
  use flow
  real(8) :: x(4) = [0.7d0, 1.1d0, -0.4d0, 0.9d0], dx(4) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  call finish()
end program
