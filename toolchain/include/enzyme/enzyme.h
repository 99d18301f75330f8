/* The source-level interface of enzyme-cc, for C and C++: what a program may call and mark to have it differentiated.

   Nothing here needs to be included: a call is recognised by a name that contains __enzyme_autodiff (or another word
   below), a marker by its name, and a program may declare them as it likes. This header declares them the usual way:

       #include <enzyme/enzyme.h>
       double square(double x) { return x * x; }
       double derivative(double x) { return __enzyme_autodiff((void *)square, x); }

   A result that is not a double, or a call in C++ with an overloaded function, wants a declaration of one's own, such as
       float __enzyme_autodiff_square(float (*)(float), float);                                                        */
#ifndef ENZYME_ENZYME_H
#define ENZYME_ENZYME_H

/* --- activity of the argument that follows the marker -------------------------------------------------------------- */
extern int enzyme_const;      /* x: not differentiated */
extern int enzyme_dup;        /* x, dx: a pointer and its shadow */
extern int enzyme_dupnoneed;  /* x, dx: the contents of x need not be computed; where f only writes, x may be null */
extern int enzyme_out;        /* x: a scalar whose derivative is returned */
extern int enzyme_dupv;       /* stride, x, dx: shadow k lies at dx + k * stride bytes */
extern int enzyme_dupnoneedv; /* the same, the contents of x need not be computed */

/* --- how the request is carried out ---------------------------------------------------------------------------------- */
extern int enzyme_width;            /* N: so many shadows or tangents at once */
extern int enzyme_tape;             /* tape: as made by __enzyme_augmentfwd */
extern int enzyme_allocated;        /* bytes: the caller's tape memory is so large */
extern int enzyme_nofree;           /* the reverse sweep does not free the tape */
extern int enzyme_noret;            /* the result has no derivative, and is not wanted */
extern int enzyme_const_return;     /* the result is a constant */
extern int enzyme_active_return;    /* the result is an active scalar */
extern int enzyme_dup_return;       /* the result is a pointer with a shadow */
extern int enzyme_primal_return;    /* the primal result comes back too, first */
extern int enzyme_runtime_activity; /* a shadow equal to its primal marks constant memory */
extern int enzyme_strong_zero;      /* a zero seed gives a zero adjoint, also where the partial is inf or nan */
extern int enzyme_byref;            /* bytes, x, dx: an aggregate passed by reference */
extern int enzyme_interleave;       /* x..., dx...: all primals first, then all shadows */
extern int enzyme_vector;           /* of a batch: a value for each of the enzyme_width lanes (the default) */
extern int enzyme_scalar;           /* of a batch: one value for all lanes, as enzyme_const */

/* --- requests: the first argument is the function ----------------------------------------------------------------------- */
#ifdef __cplusplus
/* In C++ the caller names what comes back: __enzyme_autodiff<double>((void *)f, x). */
template <typename Result = double, typename... Arguments> Result __enzyme_autodiff(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_fwddiff(Arguments...);
template <typename Result = void *, typename... Arguments> Result __enzyme_augmentfwd(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_reverse(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_fwdsplit(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_batch(Arguments...);
template <typename Value> Value __enzyme_ignore_derivatives(Value);
extern "C" {
#else
extern double __enzyme_autodiff(void *, ...);  /* reverse mode: the derivatives of the enzyme_out arguments */
extern double __enzyme_fwddiff(void *, ...);   /* forward mode: the tangent of the result */
extern void *__enzyme_augmentfwd(void *, ...); /* the first half of reverse mode: the tape */
extern double __enzyme_reverse(void *, ...);   /* the second half */
extern double __enzyme_fwdsplit(void *, ...);  /* forward mode that reuses a tape */
extern double __enzyme_ignore_derivatives(double);
#endif
extern unsigned long __enzyme_augmentsize(void *, ...); /* bytes of the tape; one marker for each argument */
extern void *__enzyme_virtualreverse(void *);           /* {augmented forward, reverse} of a function */

/* Type hints for memory that nothing else tells about; they make no code. */
extern void __enzyme_integer(void *, unsigned long bytes);
extern void __enzyme_float(void *, unsigned long bytes);
extern void __enzyme_double(void *, unsigned long bytes);
extern void __enzyme_pointer(void *, unsigned long bytes);

/* Not defined by enzyme-cc: where the program defines it, it is called with the size of each tape that is given back. */
extern void enzyme_tape_released(unsigned long bytes);

#ifdef __cplusplus
}
#endif

/* --- attributes -----------------------------------------------------------------------------------------------------------
       __attribute__((enzyme("augment", augment_f)))
       __attribute__((enzyme("gradient", gradient_f)))
       double f(double x);
   also enzyme("inactive"), enzyme("derivative", f), enzyme("shadow", &dglobal), enzyme("function_like", "sin"), and
   enzyme("checkpoint", N) of a step that a long loop calls: its gradient stores N states at a time.
   clang does not know the attribute: the macro writes it as annotate("enzyme:augment", augment_f), which reaches llvm.global.annotations. The word is part of
   the annotation's text because a later declaration keeps one annotation of each text only.                            */
#if defined(__clang__)
#define enzyme(...) annotate("enzyme:" __VA_ARGS__)
#else
#define enzyme(...) /* ignored, as another compiler ignores attributes that it does not know */
#endif

#endif
