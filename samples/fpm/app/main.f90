program main
  use gradients, only: enzyme_const, gradient
  use spring, only: energy
  implicit none
  real(8) :: x(4) = [0d0, 1.5d0, 2d0, 4d0], dx(4) = 0

  call gradient(energy, x, dx, enzyme_const, size(x))
  print "(a, f4.1, a, 4f5.1)", "energy", energy(x, size(x)), ", gradient", dx
end program
