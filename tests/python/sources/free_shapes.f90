module m
contains
function norm2of(u) result(s)
  real(8), intent(in) :: u(:)
  real(8) :: s
  s = sum(u*u)
end function
subroutine Axpy(a, u, v)
  real(8), intent(in) :: a, u(:,:)
  real(8), intent(inout) :: v(:,:)
  v = v + a*u
end subroutine
end module
