/* lsearch: the search carries no derivative; the key that it may append does. */
#include "stand_in.h"

typedef int comparison(const void *, const void *);

INLINED void *STAND_IN(lsearch)(const void *key, void *base, size_t *n, size_t size, comparison *compare) {
    char *place = base;
    for (size_t i = 0; i < *n; i++, place += size)
        if (compare(key, place) == 0)
            return place;
    ++*n;
    return memcpy(place, key, size);
}
