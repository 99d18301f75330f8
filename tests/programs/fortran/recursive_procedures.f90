! Recursive functions and subroutines, also of a module, internal to a procedure, and called through an argument.
module trees
  implicit none
  type :: node
    real(8) :: value
    type(node), pointer :: left => null(), right => null()
  end type
contains
  recursive function chain(x, n) result(r)
    real(8), intent(in) :: x(4)
    integer, intent(in) :: n
    real(8) :: r
    if (n == 0) then
      r = x(1)
    else
      r = chain(x, n - 1)
      r = sin(r) * x(mod(n, 4) + 1) + 0.5d0 * r
    end if
  end function

  recursive subroutine halve(v, total)
    real(8), intent(inout) :: v(:)
    real(8), intent(inout) :: total
    integer :: half
    half = size(v) / 2
    if (half == 0) then
      total = total + v(1)**2 * total
      return
    end if
    v(:half) = v(:half) * sin(v(half + 1:2 * half))
    call halve(v(:half), total)
    call halve(v(half + 1:), total)
  end subroutine

  recursive function build(x, depth) result(made)
    real(8), intent(in) :: x(4)
    integer, intent(in) :: depth
    type(node), pointer :: made
    allocate (made)
    made%value = x(modulo(depth, 4) + 1)
    if (depth > 0) then
      made%left => build(x, depth - 1)
      made%right => build(x * 0.9d0, depth - 2)
    end if
  end function

  recursive function evaluate(tree) result(r)
    type(node), pointer :: tree
    real(8) :: r
    r = tree%value
    if (associated(tree%left)) r = r * evaluate(tree%left) + cos(evaluate(tree%right))
  end function

  recursive subroutine release(tree)
    type(node), pointer :: tree
    if (associated(tree%left)) then
      call release(tree%left)
      call release(tree%right)
    end if
    deallocate (tree)
  end subroutine
end module

real(8) function of_chain(x)
  use trees, only: chain
  implicit none
  real(8), intent(inout) :: x(4)
  of_chain = chain(x, 9)
end function

real(8) function deep(x)
  use trees, only: chain
  implicit none
  real(8), intent(inout) :: x(4)
  deep = chain(x, 30000)
end function

real(8) function halves(x)
  use trees, only: halve
  implicit none
  real(8), intent(inout) :: x(4)
  real(8) :: v(7)
  v = [x(1), x(2), x(3), x(4), x(1) * x(2), x(3), x(4) * x(1)]
  halves = 1
  call halve(v, halves)
end function

real(8) function of_tree(x)
  use trees
  implicit none
  real(8), intent(inout) :: x(4)
  type(node), pointer :: tree
  tree => build(x, 4)
  of_tree = evaluate(tree)
  call release(tree)
end function

real(8) function internal(x)
  implicit none
  real(8), intent(inout) :: x(4)
  internal = power(x(1), 7)
contains
  recursive function power(base, n) result(r)
    real(8), intent(in) :: base
    integer, intent(in) :: n
    real(8) :: r
    if (n == 0) then
      r = x(2)
    else if (mod(n, 2) == 0) then
      r = power(base, n / 2)**2 * x(3)
    else
      r = base * power(base, n - 1)
    end if
  end function
end function

program recursive_procedures
  use check
  implicit none
  real(8), external :: of_chain, deep, halves, of_tree, internal
  real(8) :: x0(4), x(4), dx(4)
  x0 = [0.9d0, 1.2d0, 0.7d0, 0.4d0]
  x = x0
  dx = 0
  call autodiff(of_chain, x, dx)
  call compare("of_chain", of_chain, x0, dx)
  call agree("of_chain", fwddiff(of_chain, (x0), direction(x0)), x0, dx)
  x = x0
  dx = 0
  call autodiff(deep, x, dx)
  call compare("deep", deep, x0, dx)
  call agree("deep", fwddiff(deep, (x0), direction(x0)), x0, dx)
  x = x0
  dx = 0
  call autodiff(halves, x, dx)
  call compare("halves", halves, x0, dx)
  call agree("halves", fwddiff(halves, (x0), direction(x0)), x0, dx)
  x = x0
  dx = 0
  call autodiff(of_tree, x, dx)
  call compare("of_tree", of_tree, x0, dx)
  call agree("of_tree", fwddiff(of_tree, (x0), direction(x0)), x0, dx)
  x = x0
  dx = 0
  call autodiff(internal, x, dx)
  call compare("internal", internal, x0, dx)
  call agree("internal", fwddiff(internal, (x0), direction(x0)), x0, dx)
  call finish()
end program
