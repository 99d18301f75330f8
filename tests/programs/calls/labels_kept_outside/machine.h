struct machine {
  void *code[8];
};

/* Translates a program into addresses of labels. */
void translate(struct machine *machine, const int *program, int length);

double run(struct machine *machine, const double *x);
