/* The field is n columns wide and n rows high; a rank has `rows` rows of it, from row `first` on. */
struct part {
  int n, rows, first, steps;
};

/* Returns how far the temperatures are from the observed ones after some steps of time: on rank 0 that of the whole
 * field, 0 on all others. `start` and `observed` are this rank's rows. */
double misfit(const double *start, const double *observed, const struct part *part);
