/* A function of an executable: the target that tests change. */
#include "helpers.h"
double shifted(double x) { return square(x) + 1; }
int main(int count, char **words) { return shifted(count) < 0; }
