/* What the objective is called, in double precision. */
#define NUMBER double _Complex
#define REAL double
#define Z(ROUTINE) z##ROUTINE##_
#define DZ(ROUTINE) dz##ROUTINE##_
#define ZD(ROUTINE) zd##ROUTINE##_
#define AMAX izamax_
#include "objective.h"
