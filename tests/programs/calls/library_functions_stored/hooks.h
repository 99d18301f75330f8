/* What a library calls through pointers: functions of the C library, and one of the program. */
#ifndef HOOKS_H
#define HOOKS_H
#include <stddef.h>

typedef int comparator(const void *, const void *);
typedef struct {
  double (*outer)(double), (*power)(double, double);
  float (*single)(float);
  void *(*allocate)(size_t), *(*copy)(void *, const void *, size_t);
  void (*release)(void *), (*sort)(void *, size_t, size_t, comparator *);
  comparator *order;
  int (*equal)(const char *, const char *);
} hooks;

hooks *made_hooks(void);
hooks *native_hooks(void);
extern double (*const plain_table[])(double);
int ascending(const void *a, const void *b);
#endif
