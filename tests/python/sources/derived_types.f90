module bodies
  type :: body
    real(8) :: mass, x(3)
    integer :: kind ! flang's size of the type ends here, that of an element of an array does not
  end type
  type(body) :: sun
contains
  real(8) function explicit_shape(n, b)
    integer, intent(in) :: n
    type(body), intent(in) :: b(n)
    explicit_shape = assumed_shape(b)
  end function
  real(8) function assumed_shape(b)
    type(body), intent(in) :: b(:)
    integer :: i
    assumed_shape = sun%mass
    do i = 1, size(b)
      assumed_shape = assumed_shape + b(i)%mass * sum(b(i)%x**2) * sun%x(1)
    end do
  end function
end module
