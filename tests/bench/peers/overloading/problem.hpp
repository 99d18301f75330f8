// The problem (a macro: the name of its file) in numbers of a tool; `request` gets what it asks for.
namespace numbers_of_a_tool {
#define double active
#define __enzyme_autodiff another_autodiff
#define __enzyme_fwddiff another_fwddiff
#include "adbench.hpp"
#undef __enzyme_autodiff
#undef __enzyme_fwddiff
// the function comes as `(void *)f`
#define WITHOUT_CAST(cast)
#define __enzyme_autodiff(function, ...) request(WITHOUT_CAST function, __VA_ARGS__)
#define __enzyme_fwddiff(function, ...) request(WITHOUT_CAST function, __VA_ARGS__)
#define enzyme_const as_const{}
#define enzyme_dup as_dup{}
#include PROBLEM
#undef double
#undef __enzyme_autodiff
#undef __enzyme_fwddiff
#undef enzyme_const
#undef enzyme_dup
} // namespace numbers_of_a_tool
