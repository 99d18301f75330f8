/* The objective in native code, which calls the library. */
#include "enumeration.h"
#define NAME library
#include "of_double.h"
