/* A line through points that are measured with errors. */
#ifndef MODEL_H
#define MODEL_H

enum { POINTS = 20 };
#define ERROR 0.5
#define PRIOR 10.0

extern const char *const measured[POINTS]; /* the names of the measured values */

/* Chooses a line, and measures points on it. Returns nothing: what counts is what it chooses. */
void line(const double *at, int points);

/* Random numbers: normally distributed, and between 0 and 1. */
double normal(double mean, double deviation);
double uniform(void);

#endif
