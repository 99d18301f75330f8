/* A trace of random choices: a list of named numbers, with the functions that requests call. */
#ifndef TRACES_H
#define TRACES_H
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 32 };
struct trace {
  int n, calls;
  struct {
    const char *name;
    double value, score, slope;
  } choice[MOST_CHOICES];
  struct {
    const char *name;
    struct trace *trace;
  } call[4];
#ifdef RECORDS_CALLS
  void *function, *result, *argument[4], *argument_slope[4];
  int arguments, slopes;
#endif
};

#ifdef __cplusplus
extern "C" {
#endif

void *__enzyme_newtrace(void) { return calloc(1, sizeof(struct trace)); }

void __enzyme_freetrace(void *p) {
  struct trace *t = (struct trace *)p;
  for (int i = 0; i < t->calls; i++)
    __enzyme_freetrace(t->call[i].trace);
  free(t);
}

static int place(struct trace *t, const char *name) {
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->choice[i].name, name) == 0)
      return i;
  return -1;
}

static int entered(struct trace *t, const char *name) {
  int i = place(t, name);
  if (i < 0)
    t->choice[i = t->n++].name = name;
  return i;
}

void __enzyme_insert_choice(void *p, const char *name, double score, void *bits, unsigned long size) {
  struct trace *t = (struct trace *)p;
  int i = entered(t, name);
  memcpy(&t->choice[i].value, &bits, size);
  t->choice[i].score = score;
}

void __enzyme_insert_gradient_choice(void *p, const char *name, void *bits, unsigned long size) {
  struct trace *t = (struct trace *)p;
  memcpy(&t->choice[entered(t, name)].slope, &bits, size);
}

unsigned long __enzyme_get_choice(void *p, const char *name, void *to, unsigned long size) {
  struct trace *t = (struct trace *)p;
  memcpy(to, &t->choice[place(t, name)].value, size);
  return size;
}

bool __enzyme_has_choice(void *p, const char *name) { return place((struct trace *)p, name) >= 0; }

void __enzyme_insert_call(void *p, const char *name, void *below) {
  struct trace *t = (struct trace *)p;
  t->call[t->calls].name = name;
  t->call[t->calls++].trace = (struct trace *)below;
}

#ifdef RECORDS_CALLS
void __enzyme_insert_function(void *p, void *function) { ((struct trace *)p)->function = function; }
void __enzyme_insert_argument(void *p, const char *name, void *bits, unsigned long size) {
  struct trace *t = (struct trace *)p;
  t->argument[t->arguments++] = bits;
}
void __enzyme_insert_return(void *p, void *bits, unsigned long size) { ((struct trace *)p)->result = bits; }
/* in the order of the arguments that are numbers, which the reverse sweep turns round */
void __enzyme_insert_gradient_argument(void *p, const char *name, void *bits, unsigned long size) {
  struct trace *t = (struct trace *)p;
  memmove(t->argument_slope + 1, t->argument_slope, sizeof t->argument_slope - sizeof bits);
  t->argument_slope[0] = bits;
}
#endif

static int call_place(struct trace *t, const char *name) {
  for (int i = 0; i < t->calls; i++)
    if (strcmp(t->call[i].name, name) == 0)
      return i;
  return -1;
}

bool __enzyme_has_call(void *p, const char *name) { return call_place((struct trace *)p, name) >= 0; }

void *__enzyme_get_trace(void *p, const char *name) {
  struct trace *t = (struct trace *)p;
  return t->call[call_place(t, name)].trace;
}

#ifdef __cplusplus
}
#endif

static unsigned long random_state = 12345;
static double uniform(void) {
  random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
  return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(double mean, double deviation) {
  return mean + deviation * sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}
static double normal_density(double mean, double deviation, double x) {
  double z = (x - mean) / deviation;
  return -0.5 * z * z - log(deviation) - 0.9189385332046727;
}
static double slope_of_density(double mean, double deviation, double x) { return -(x - mean) / deviation / deviation; }
#endif
