#ifndef ENZYME_LINK_H
#define ENZYME_LINK_H

/* As enzyme-ld: becomes the native linker if no input has a request, else the Python linker stage. */
_Noreturn void link_program(const char *const *arguments);

#endif
