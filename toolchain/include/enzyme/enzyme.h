/* The interface of enzyme-cc for C and C++: requests for derivatives, and markers of their arguments.

   A program need not include this header. enzyme-cc recognises a request by a name that contains __enzyme_autodiff (or
   another word below) and a marker by its name, so the program may declare them itself. This header has the usual
   declarations:

       #include <enzyme/enzyme.h>
       double square(double x) { return x * x; }
       double derivative(double x) { return __enzyme_autodiff((void *)square, x); }

   Declare a request yourself if the result is no double, or in C++ if the function is overloaded:
       float __enzyme_autodiff_square(float (*)(float), float);                                                        */
#ifndef ENZYME_ENZYME_H
#define ENZYME_ENZYME_H

/* --- activity of the argument that follows the marker --- */
extern int enzyme_const;      /* x: not differentiated */
extern int enzyme_dup;        /* x, dx: a pointer and its shadow */
extern int enzyme_dupnoneed;  /* x, dx: the contents of x need not be computed; if f only writes x, it may be null */
extern int enzyme_out;        /* x: a scalar whose derivative is returned */
extern int enzyme_dupv;       /* stride, x, dx: shadow k lies at dx + k * stride bytes */
extern int enzyme_dupnoneedv; /* the same; the contents of x need not be computed */
extern int enzyme_nocache;    /* before the activity: only f changes the argument's memory until the reverse half */

/* --- how the request is carried out --- */
extern int enzyme_width;            /* N: the number of shadows or tangents that are computed together */
extern int enzyme_tape;             /* tape: the tape that __enzyme_augmentfwd returned */
extern int enzyme_allocated;        /* bytes: the size of the caller's memory for the tape */
extern int enzyme_nofree;           /* the reverse sweep does not free the tape */
extern int enzyme_noret;            /* the result has no derivative and is not returned */
extern int enzyme_const_return;     /* the result is a constant */
extern int enzyme_active_return;    /* the result is an active scalar */
extern int enzyme_dup_return;       /* the result is a pointer with a shadow */
extern int enzyme_primal_return;    /* the primal result is returned too, before the derivatives */
extern int enzyme_runtime_activity; /* a shadow equal to its primal marks constant memory */
extern int enzyme_strong_zero;      /* a zero seed gives a zero adjoint even if the partial is inf or nan */
extern int enzyme_shared;           /* several threads make this request at the same time, with the same shadows */
extern int enzyme_byref;            /* bytes, x, dx: an aggregate passed by reference */
extern int enzyme_interleave;       /* x..., dx...: all primals first, then all shadows */
extern int enzyme_sparse;           /* struct enzyme_triplets *: takes the Jacobian of two vectors as a sparse matrix */
extern int enzyme_symmetric;        /* with enzyme_sparse: the matrix is symmetric */
extern int enzyme_vector;           /* for a batch: one value for each of the enzyme_width calls (the default) */
extern int enzyme_scalar;           /* for a batch: one value for all calls, as with enzyme_const */

/* A sparse matrix: the entries in the order of rows, and of columns in each row. The arrays come from malloc. `groups`
   is the number of derivatives that were evaluated. */
struct enzyme_triplets {
  unsigned long count;
  unsigned long *rows, *columns;
  double *values;
  unsigned long groups;
};

/* --- probabilistic programs --- */
extern int enzyme_trace;         /* trace: records the random choices */
extern int enzyme_duptrace;      /* trace: also gets the derivatives of the log-likelihood by the choices */
extern int enzyme_observations;  /* trace: the choices that were observed */
extern int enzyme_likelihood;    /* &l: set to the log-likelihood */
extern int enzyme_duplikelihood; /* &l, &dl: the same, and the seed of its derivative */
extern int enzyme_interface;     /* table: the addresses of the functions that keep traces, in an array */
extern int enzyme_active_rand_var; /* "name": only the choices named like this carry a derivative */

/* --- requests: the first argument is the function --- */
#ifdef __cplusplus
/* In C++ the caller names the type of the result: __enzyme_autodiff<double>((void *)f, x). */
template <typename Result = double, typename... Arguments> Result __enzyme_autodiff(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_fwddiff(Arguments...);
template <typename Result = void *, typename... Arguments> Result __enzyme_augmentfwd(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_reverse(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_fwdsplit(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_batch(Arguments...);
template <typename Result = double, typename... Arguments> Result __enzyme_error_estimate(Arguments...);
template <typename Function, typename... Bits> Function *__enzyme_truncate_op_func(Function *, Bits...);
template <typename Function, typename... Bits> Function *__enzyme_truncate_mem_func(Function *, Bits...);
template <typename Result, typename... Arguments> Result __enzyme_sample(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_observe(Result, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_trace(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_condition(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_likelihood(Arguments...);
template <typename Value> Value __enzyme_ignore_derivatives(Value);
template <typename Result = double, typename... Arguments> Result __enzyme_call_inactive(Arguments...);
extern "C" {
#else
extern double __enzyme_autodiff(void *, ...);  /* reverse mode: the derivatives of the enzyme_out arguments */
extern double __enzyme_fwddiff(void *, ...);   /* forward mode: the tangent of the result */
extern void *__enzyme_augmentfwd(void *, ...); /* the primal sweep of reverse mode: returns the tape */
extern double __enzyme_reverse(void *, ...);   /* the reverse sweep */
extern double __enzyme_fwdsplit(void *, ...);  /* forward mode with a tape */
extern double __enzyme_error_estimate(void *, ...); /* a bound of the rounding error of the result */
extern double __enzyme_sample(void *, void *, const char *, ...); /* a random choice: draw, density, name, parameters */
extern double __enzyme_observe(double, void *, const char *, ...); /* a choice that is given: number, density, … */
extern double __enzyme_trace(void *, ...);      /* runs a function, and records its choices */
extern double __enzyme_condition(void *, ...);  /* the same, with choices that were observed */
extern double __enzyme_likelihood(void *, ...); /* runs a function, and adds up the log-densities of its choices */
extern double __enzyme_ignore_derivatives(double);
extern double __enzyme_call_inactive(void *, ...); /* calls the function; this call carries no derivative */
#endif
extern unsigned long __enzyme_iter(unsigned long n, unsigned long more); /* n; n + more in a derivative */
extern unsigned long __enzyme_augmentsize(void *, ...); /* the size of the tape; takes a marker for each argument */
extern double __enzyme_truncate_mem_value(double, ...); /* a number and formats: the number in the second format */
extern double __enzyme_expand_mem_value(double, ...);   /* the same, back from the second format */
extern void *__enzyme_virtualreverse(void *);           /* {primal sweep, reverse sweep} of a function */

/* Type hints, for memory whose type nothing else shows. They make no code. */
extern void __enzyme_integer(void *, unsigned long bytes);
extern void __enzyme_float(void *, unsigned long bytes);
extern void __enzyme_double(void *, unsigned long bytes);
extern void __enzyme_pointer(void *, unsigned long bytes);

/* If the program defines this function, it is called with the size of each tape on the heap that is freed. */
extern void enzyme_tape_released(unsigned long bytes);

#ifdef __cplusplus
}
#endif

/* --- attributes -----------------------------------------------------------------------------------------------------------
       __attribute__((enzyme("augment", augment_f)))
       __attribute__((enzyme("gradient", gradient_f)))
       double f(double x);
   Others are enzyme("inactive"), enzyme("derivative", f), enzyme("shadow", &dglobal), enzyme("function_like", "sin"),
   enzyme("mustcache") and enzyme("nocache") (are results stored on the tape?), enzyme("preserve_primal"),
   and enzyme("checkpoint", N) for a step that a long loop calls: the loop's gradient stores N states at a time.
   clang does not know the attribute. The macro turns it into annotate("enzyme:augment", augment_f), which reaches
   llvm.global.annotations. The word is part of the annotation's text, because a later declaration keeps only one
   annotation of each text.                                                                                            */
#if defined(__clang__)
#define enzyme(...) annotate("enzyme:" __VA_ARGS__)
#else
#define enzyme(...) /* other compilers ignore unknown attributes */
#endif

#endif
