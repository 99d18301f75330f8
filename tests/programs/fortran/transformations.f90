! Transformations of arrays: reshape, transpose, matmul, spread, pack, unpack, cshift, eoshift; reductions by dimension
! and mask.
module transforming
  implicit none
contains
  function moved(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, m(2, 3), n(3, 2), p(3), v(6), c(3, 2, 2)
    m = reshape(x, [2, 3])
    n = transpose(m)
    n = reshape(x, [3, 2], order=[2, 1])
    m = reshape(x(1:4), [2, 3], pad=[x(5), 1d0])
    c = spread(n, 3, 2)
    p = sum(spread(x(1:3), 1, 2) * m, dim=1)
    v = pack(m, m > 0, vector=x)
    v = v * cshift(x, 2) + eoshift(x, -1, boundary=x(6))
    n = unpack(v, n > 0, n)
    m = cshift(m, 1, dim=2) + eoshift(m, 1, dim=1)
    y = sum(m * transpose(n)) + sum(c(:, 1, :)) + sum(p**2) + sum(v * x)
  end function

  function products(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, a(2, 3), b(3, 2), c(2, 2), v(2)
    a = reshape(x, [2, 3])
    b = reshape(x * x, [3, 2])
    c = matmul(a, b)
    c = c + matmul(a, transpose(a))
    v = matmul(c, x(1:2)) + matmul(x(4:6), b)
    y = dot_product(v, v) + sum(c) + norm2(c)
  end function

  function reduced(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, m(2, 3)
    m = reshape(x, [2, 3])
    y = sum(product(m, dim=2)) + sum(maxval(m, dim=1)**2) + sum(minval(m, dim=2) * x(1:2)) + sum(norm2(m, dim=1))
    y = y + sum(m, mask=m > 0.5d0) * product(m, mask=m < 1) + maxval(m, mask=m < 1) + minval(x)
    y = y + x(maxloc(x, dim=1)) * x(minloc(x, dim=1)) + sum(x(maxloc(m)))
    y = y + sum(sum(m, dim=1, mask=m > 0)) + merge(x(1), x(2), all(m > -1)) + count(m > 0) * x(3)
    if (any(x < 0)) y = y * 2
  end function

  ! A shift to the right whose array gets its size when it is assigned.
  function turned(x) result(y)
    real(8), intent(in) :: x(6)
    real(8) :: y, v(6)
    real(8), allocatable :: all(:), half(:)
    integer :: i
    v = 0
    all = x
    allocate (half(6))
    half = 0.5d0
    do i = 1, 4
      v = cshift(all, -2) * v + half
    end do
    y = v(3)
  end function
end module

program main
  use check
  use transforming
  real(8) :: x(6) = [0.7d0, 1.1d0, -0.4d0, 0.9d0, 1.3d0, 0.2d0], dx(6)
  call same("turned", turned(x), 0.5d0 * (1 + x(1) * (1 + x(1) * (1 + x(1)))))
  dx = 0
  call autodiff(turned, x, dx)
  call compare("turned", turned, x, dx)
  call agree("turned", fwddiff(turned, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(moved, x, dx)
  call compare("moved", moved, x, dx)
  call agree("moved", fwddiff(moved, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(products, x, dx)
  call compare("products", products, x, dx)
  call agree("products", fwddiff(products, (x), direction(x)), x, dx)
  dx = 0
  call autodiff(reduced, x, dx)
  call compare("reduced", reduced, x, dx)
  call agree("reduced", fwddiff(reduced, (x), direction(x)), x, dx)
  call finish()
end program
