! What a spring resists with: a variable of a module.
module springs
  use iso_c_binding, only: c_double
  real(c_double) :: stiffness = 2
contains
  real(c_double) function stiffened(energy) bind(c)
    real(c_double), value :: energy
    stiffened = stiffness * energy
  end function
end module
