! Reactions A -> B -> C, and B + B -> A, with rates k(1), k(2), k(3).
module rates
  implicit none
contains
  pure function derivative(k, y) result(dy)
    real(8), intent(in) :: k(3), y(3)
    real(8) :: dy(3), there, back
    there = k(1)*y(1)
    back = k(3)*y(2)**2
    dy = [back - there, there - k(2)*y(2) - 2*back, k(2)*y(2)]
  end function
end module
