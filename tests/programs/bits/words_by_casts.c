/* As words_of_numbers.c, where casts of pointers reach the words. */
#define BY_CASTS
#include "words_of_numbers.c"
