/* For programs with many functions real(8) f(x): the gradient of each, by differences, and forward mode. */
#define CHECK(f) dx = 0; call autodiff(f, x, dx); call compare(#f, f, x, dx); call agree(#f, fwddiff(f, (x), direction(x)), x, dx)
