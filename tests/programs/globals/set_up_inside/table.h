struct table {
  int n;
  double (*apply)(const struct table *, double);
  double *factor, last;
  double *in, *out;
};
struct values {
  int n;
  double *at;
};
int tables(void); /* that are alive */
void scale_tables(double by);
void table_init(struct table *t, const char *name, int n);
void table_end(struct table *t);
struct table *table_create(const char *name, int n);
struct table *table_create_between(const char *name, int n, double *in, double *out);
struct table *table_create_of(const char *name, const struct values *values);
struct table *table_create_current(const char *name, int n);
double value_of_current(double x);
void table_destroy(struct table *t);
double table_value(struct table *t, double x);
void table_run(struct table *t);
