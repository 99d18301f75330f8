/* The vector normalisation of the Enzyme talk. */
#ifndef NORM_H
#define NORM_H

/* The length of `in`. */
double mag(const double *in, int n);

/* out = in / |in| */
void norm(double *restrict out, const double *restrict in, int n);

#endif
