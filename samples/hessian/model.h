/* A damped oscillation with noise, measured at M times, and how badly N parameters explain it. */
enum { M = 200, N = 4 };

/* amplitude, damping, frequency, phase */
extern const double truth[N];

double misfit(const double *parameters);
