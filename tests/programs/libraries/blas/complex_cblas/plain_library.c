/* The objective in native code, which calls the library. */
#include "../options.h"
#define NAME library
#include "objective.h"
