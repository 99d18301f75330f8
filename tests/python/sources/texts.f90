! A procedure with characters of assumed and of fixed length.
module texts
contains
  subroutine powers(method, x, n, tag, y)
    character(len=*), intent(in) :: method
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    character(len=8), intent(in) :: tag
    real(8), intent(out) :: y
    y = sum(x)
    if (method == 'square') y = sum(x**2)
    if (tag == 'twice') y = 2 * y
    y = y * len(method)
  end subroutine
end module
