static double numbers[8];

double *buffer(void) { return numbers; }
