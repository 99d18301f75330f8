! A sparse Jacobian and a sparse Hessian, with the types of the module enzyme.
module models
  use iso_c_binding
  use enzyme, only: enzyme_const
  implicit none
  interface
    subroutine gradient_of_energy(f, x, dx, a, n) bind(c, name="__enzyme_autodiff_energy")
      import
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: a, n
    end subroutine
  end interface
contains
  subroutine differences(x, y, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(inout) :: y(n)
    integer :: i
    y(1) = x(1)
    do i = 2, n
      y(i) = x(i)**2 - x(i - 1)
    end do
  end subroutine

  function energy(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: energy
    energy = sum((x(2:n) - x(1:n-1))**3)
  end function

  subroutine gradient(x, dx, n) bind(c)
    integer(c_int), value :: n
    real(c_double) :: x(n), dx(n)
    call gradient_of_energy(c_funloc(energy), x, dx, enzyme_const, n)
  end subroutine
end module

program sparse
  use iso_c_binding
  use enzyme
  use models, only: differences, gradient
  use check
  implicit none
  interface
    subroutine jacobian(f, marker, matrix, a, x, n, b, y, m, c, size) bind(c, name="__enzyme_fwddiff_differences")
      import
      type(c_funptr), value :: f
      integer(c_int), value :: marker, a, n, b, m, c, size
      type(enzyme_triplets) :: matrix
      real(c_double) :: x(*), y(*)
    end subroutine
    subroutine hessian(f, marker, matrix, s, a, x, n, b, y, m, c, size) bind(c, name="__enzyme_fwddiff_gradient")
      import
      type(c_funptr), value :: f
      integer(c_int), value :: marker, s, a, n, b, m, c, size
      type(enzyme_triplets) :: matrix
      real(c_double) :: x(*), y(*)
    end subroutine
    subroutine free(memory) bind(c)
      import
      type(c_ptr), value :: memory
    end subroutine
  end interface
  integer(c_int), parameter :: n = 5
  type(enzyme_triplets) :: t
  integer(c_long), pointer :: rows(:), columns(:)
  real(c_double), pointer :: values(:)
  real(c_double) :: x(n) = [1d0, 3d0, 4d0, 6d0, 11d0], y(n) = 0, want
  integer :: k

  call jacobian(c_funloc(differences), enzyme_sparse, t, enzyme_dup, x, n, enzyme_dup, y, n, enzyme_const, n)
  call unpack_matrix()
  call same("entries", real(t%count, c_double), 2 * n - 1d0)
  call same("groups", real(t%groups, c_double), 2d0)
  do k = 1, int(t%count)
    want = merge(merge(1d0, 2 * x(rows(k)), rows(k) == 1), -1d0, rows(k) == columns(k))
    call same("an entry of the Jacobian", values(k), want)
  end do

  call free_matrix()
  call hessian(c_funloc(gradient), enzyme_sparse, t, enzyme_symmetric, enzyme_dup, x, n, enzyme_dup, y, n, enzyme_const, n)
  call unpack_matrix()
  call same("entries", real(t%count, c_double), 3 * n - 2d0)
  do k = 1, int(t%count)
    call same("an entry of the Hessian", values(k), entry(int(rows(k)), int(columns(k))))
  end do
  call free_matrix()
  call finish()
contains
  subroutine free_matrix()
    call free(t%rows)
    call free(t%columns)
    call free(t%values)
  end subroutine

  subroutine unpack_matrix()
    call c_f_pointer(t%rows, rows, [t%count])
    call c_f_pointer(t%columns, columns, [t%count])
    call c_f_pointer(t%values, values, [t%count])
    rows = rows + 1
    columns = columns + 1
  end subroutine

  function entry(i, j) result(h)
    integer, intent(in) :: i, j
    real(c_double) :: h
    if (i == j) then
      h = 0
      if (i > 1) h = h + 6 * (x(i) - x(i - 1))
      if (i < n) h = h + 6 * (x(i + 1) - x(i))
    else
      h = -6 * abs(x(i) - x(j))
    end if
  end function
end program
