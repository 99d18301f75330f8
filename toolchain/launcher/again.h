/* Links that were done before in the same way: done again without Python. */
#ifndef ENZYME_AGAIN_H
#define ENZYME_AGAIN_H

#include "words.h"

/* Becomes the native linker if the Python stage has done a link with these words in this folder, and all that it depends
   on has the size and the times that it had. Else returns. */
void link_again(const struct words *settings);

#endif
