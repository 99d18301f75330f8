/* A trace of random choices: named numbers, with the log-density of each and the derivative of their sum by it. */
#ifndef TRACE_H
#define TRACE_H

enum { MOST = 32 };
struct choice {
  const char *name;
  double value, density, slope;
};
struct trace {
  int count;
  struct choice choices[MOST];
};

/* The choice of that name, which is added if there is none. */
struct choice *choice_of(struct trace *, const char *name);

#endif
