! Character arguments, internal and external output, and a clock in the middle: nothing of it carries a derivative.
module talking
  implicit none
contains
  function f(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y, seconds
    character(12) :: text
    character(:), allocatable :: long
    integer :: n
    write (text, "(i4)") 12
    print *, "x is ", trim(text), x(2)
    call cpu_time(seconds)
    long = "name: " // trim(adjustl(text))
    y = chosen("square", x(1)) + chosen("root", x(2)) + len_trim(long) * x(1)
    write (*, "(a, 3f8.3)") long, y, x
    read (text, *) n
    y = y * n
    if (seconds < 0) stop "time runs backwards"
  end function

  ! A digit of a text that each step writes anew tells what the step does: the reverse sweep must see the old ones.
  function steered(x) result(y)
    real(8), intent(in) :: x(2)
    real(8) :: y
    character(4) :: line, lines(2)
    integer :: k, step
    y = 0
    do step = 1, 4
      write (line, "(i1)") 1 + mod(step, 2)
      k = ichar(line(1:1)) - ichar("0")
      y = x(k)**2 * y + x(k)
      write (lines, "(i4)") step, k
      k = ichar(lines(1)(4:4)) - ichar("0")
      y = y * x(1)**k + x(2)
    end do
  end function

  function chosen(name, x) result(y)
    character(*), intent(in) :: name
    real(8), intent(in) :: x
    real(8) :: y
    select case (name)
    case ("square")
      y = x**2
    case ("root")
      y = sqrt(x)
    case default
      error stop "no such function"
    end select
    if (len(name) > 10) y = -y
  end function
end module

program main
  use check
  use talking
  real(8) :: x(2) = [0.7d0, 1.1d0], dx(2) = 0
  call autodiff(f, x, dx)
  call compare("f", f, x, dx)
  call agree("f", fwddiff(f, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(steered, x, dx)
  call compare("steered", steered, x, dx)
  call agree("steered", fwddiff(steered, (x), direction(x)), x, dx)
  call finish()
end program
