/* What is set up is of the thread that sets it up. */
static _Thread_local double factor = 1;

double set_up(double x) { return factor = x; }

double run(double x, int n) { return n * factor * x; }
