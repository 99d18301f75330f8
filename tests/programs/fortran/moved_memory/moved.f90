module moves
contains
  function moved(x) result(y) bind(c)
    use, intrinsic :: iso_c_binding
    implicit none
    real(c_double), intent(in) :: x(4)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), b(:)
    a = x
    allocate(b(4))
    b = 0.5d0
    call move_alloc(b, a)
    y = x(1) + a(1) * x(2)
  end function
end module
