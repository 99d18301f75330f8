#include "../set_up_inside/lib_table.c"
