/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../CMakeLists.txt. */
#pragma once

#define complex _Complex
__attribute__((nothrow)) long double complex cexpl(long double complex), clogl(long double complex), csqrtl(long double complex);
__attribute__((nothrow)) long double complex csinl(long double complex), ccosl(long double complex), ctanl(long double complex);
__attribute__((nothrow)) long double complex casinl(long double complex), cacosl(long double complex), catanl(long double complex);
__attribute__((nothrow)) long double complex csinhl(long double complex), ccoshl(long double complex), ctanhl(long double complex);
__attribute__((nothrow)) long double complex casinhl(long double complex), cacoshl(long double complex), catanhl(long double complex);
__attribute__((nothrow)) long double complex conjl(long double complex), cprojl(long double complex);
__attribute__((nothrow)) long double complex cpowl(long double complex, long double complex);
__attribute__((nothrow)) long double cabsl(long double complex), cargl(long double complex);
__attribute__((nothrow)) long double creall(long double complex), cimagl(long double complex);
