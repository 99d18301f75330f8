struct unit {
  char name[8];
  double factor;
  long hash;
};
typedef void visitor(void *context, const struct unit *unit);
struct unit *find(const char *name);
int read_unit(struct unit *unit, const char *name);
int for_all(visitor *visit, void *context);
double scaled(const struct unit *unit, double x);
