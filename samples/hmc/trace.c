/* The functions that requests about random choices call to read and write traces. */
#include "trace.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static struct choice *find(struct trace *t, const char *name) {
  for (int i = 0; i < t->count; i++)
    if (strcmp(t->choices[i].name, name) == 0)
      return &t->choices[i];
  return NULL;
}

struct choice *choice_of(struct trace *t, const char *name) {
  struct choice *found = find(t, name);
  if (found == NULL) {
    found = &t->choices[t->count++];
    found->name = name;
  }
  return found;
}

bool __enzyme_has_choice(void *trace, const char *name) { return find(trace, name) != NULL; }

size_t __enzyme_get_choice(void *trace, const char *name, void *value, size_t size) {
  memcpy(value, &choice_of(trace, name)->value, size);
  return size;
}

/* A number of at most 8 bytes is passed as the bits of a pointer. */
void __enzyme_insert_choice(void *trace, const char *name, double density, void *bits, size_t size) {
  struct choice *choice = choice_of(trace, name);
  choice->density = density;
  memcpy(&choice->value, &bits, size);
}

void __enzyme_insert_gradient_choice(void *trace, const char *name, void *bits, size_t size) {
  memcpy(&choice_of(trace, name)->slope, &bits, size);
}
