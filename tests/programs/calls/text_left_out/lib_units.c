/* Two thousand steps of work on text, without arithmetic of numbers. */
#include "units.h"
#include <string.h>

#define STEP(k) h = (h ^ (unsigned char)text[(n + k) & 7]) * 16777619u + k; n += h >> 3;
#define EIGHT(k) STEP(k) STEP(k + 1) STEP(k + 2) STEP(k + 3) STEP(k + 4) STEP(k + 5) STEP(k + 6) STEP(k + 7)
#define MANY(k) EIGHT(k) EIGHT(k + 8) EIGHT(k + 16) EIGHT(k + 24) EIGHT(k + 32) EIGHT(k + 40) EIGHT(k + 48) EIGHT(k + 56)
#define ALL MANY(0) MANY(64) MANY(128) MANY(192) MANY(256) MANY(320) MANY(384) MANY(448)

static struct unit units[] = {{"m", 1}, {"km", 1000}, {"mile", 1609.344}};

__attribute__((noinline, optnone)) static long hash(const char *name) {
  char text[8] = "";
  unsigned h = 0, n = 0;
  strncpy(text, name, 7);
  ALL ALL ALL ALL
  return h;
}

struct unit *find(const char *name) {
  for (unsigned k = 0; k < sizeof units / sizeof *units; k++)
    if (!strcmp(units[k].name, name)) {
      units[k].hash = hash(name);
      return &units[k];
    }
  return 0;
}

int read_unit(struct unit *unit, const char *name) {
  const struct unit *found = find(name);
  if (found)
    *unit = *found;
  return found != 0;
}

int for_all(visitor *visit, void *context) {
  for (unsigned k = 0; k < sizeof units / sizeof *units; k++)
    visit(context, find(units[k].name));
  return sizeof units / sizeof *units;
}

double scaled(const struct unit *unit, double x) { return x * unit->factor; }
