/* The vector normalisation of the Enzyme talk. */
#ifndef NORM_H
#define NORM_H

/* The length of `in`; reads nothing else and changes nothing (sqrt might set errno, for all a compiler knows). */
double mag(const double *in, int n) __attribute__((pure));

/* out = in / |in| */
void norm(double *restrict out, const double *restrict in, int n);

#endif
