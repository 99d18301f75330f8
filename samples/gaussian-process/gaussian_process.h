/* A Gaussian process on points of a line: covariance s² exp(-d² / 2l²), and noise of deviation t in each observation. */
#ifndef GAUSSIAN_PROCESS_H
#define GAUSSIAN_PROCESS_H

enum { PARAMETERS = 3 }; /* log l, log s, log t */

/* The negative logarithm of the marginal likelihood of n observations y at x. `parameters` are those above. Returns
 * infinity if the covariance is not positive definite. In C and, under the same name, in Fortran. */
double negative_log_likelihood(int n, const double *x, const double *y, const double *parameters);

/* Observations of a wave of period 2 pi with noise of deviation 0.1. */
void observe(int n, double *x, double *y);

typedef double objective(const double *p, double *gradient, void *context);

/* Moves p, of dimension n <= 16, to a local minimum by L-BFGS (Nocedal and Wright, Numerical Optimization, 2006, algorithm
 * 7.5, with steps that Armijo's condition accepts). Returns the number of steps. Ends where the gradient is below
 * `tolerance`, or after 200 steps. */
int minimise(objective *f, void *context, int n, double *p, double tolerance);

#endif
