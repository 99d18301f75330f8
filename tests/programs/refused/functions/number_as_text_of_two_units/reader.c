#include <stdlib.h>

double from_text(const char *text) { return strtod(text, NULL); }
