/* Sparse Jacobians and Hessians (enzyme_cc/autodiff/answer/sparse.py).
 *
 * The pattern is found by one run of the function on sets of inputs (dependence.c). Then columns that share no row form
 * a group, and one directional derivative gives the entries of a whole group: Curtis, Powell and Reid (1974). By rows,
 * the same is done for the transpose. A symmetric matrix needs fewer groups: a star colouring of its graph, in which no
 * path of four vertices has two colours only. Then each entry, or its mirror image, is alone in its row of the product
 * with its group: Gebremedhin, Manne and Pothen (2005), "What color is your Jacobian?", algorithm 4.1.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Laid out as struct enzyme_triplets of enzyme.h. */
struct triplets {
    size_t count;
    size_t *rows, *columns;
    double *values;
    size_t groups;
};

typedef void derivative(void *context, void *of_x, void *of_y);

/* One array of numbers of the function: the program's memory, what it held at first, and its shadow. */
struct array {
    char *memory, *before, *shadow;
    size_t count, size;
};

/* The pattern: line k has the entries starts[k] to starts[k + 1]; `others` are their places in the other direction. */
struct lines {
    size_t count;
    size_t *starts;
    uint32_t *others;
};

enum { BY_ROWS = 1, SYMMETRIC = 2 };

static struct array new_array(char *memory, size_t count, size_t size) {
    struct array a = {memory, NULL, taken(NULL, count, size), count, size};
    if (memory) {
        a.before = taken(NULL, count, size);
        memcpy(a.before, memory, count * size);
    }
    return a;
}

static void drop_array(struct array *a) {
    free(a->before);
    free(a->shadow);
}

/* The function starts from the same numbers each time. */
static void begin_again(struct array *a) {
    if (a->memory)
        memcpy(a->memory, a->before, a->count * a->size);
    memset(a->shadow, 0, a->count * a->size);
}

static double number_at(const struct array *a, size_t k) {
    double d;
    float f;
    if (a->size == sizeof d)
        return memcpy(&d, a->shadow + k * sizeof d, sizeof d), d;
    return memcpy(&f, a->shadow + k * sizeof f, sizeof f), (double)f;
}

static void put_number(struct array *a, size_t k, double d) {
    float f = (float)d;
    if (a->size == sizeof d)
        memcpy(a->shadow + k * sizeof d, &d, sizeof d);
    else
        memcpy(a->shadow + k * sizeof f, &f, sizeof f);
}

/* -- the pattern */

static struct lines pattern_of(derivative *pattern, void *context, struct array *x, struct array *y) {
    sets_begin(x->count);
    begin_again(x);
    begin_again(y);
    for (size_t k = 0; k < x->count; k++)
        put_number(x, k, (double)(k + 1));
    if (x->size < sizeof(double) && x->count)
        __ez_narrowed_set((double)x->count, 0x1p24);
    pattern(context, x->shadow, y->shadow);
    struct members found = {0};
    size_t *starts = taken(NULL, y->count + 1, sizeof *starts);
    for (size_t k = 0; k < y->count; k++) {
        starts[k] = found.count;
        sets_members(number_at(y, k), &found);
    }
    starts[y->count] = found.count;
    sets_end();
    return (struct lines){y->count, starts, found.of};
}

static void drop_lines(struct lines *l) {
    free(l->starts);
    free(l->others);
}

/* Returns the transpose, whose lines are in ascending order. `from`, if given, gets the place of each entry in l. */
static struct lines transposed(const struct lines *l, size_t count, size_t *from) {
    size_t entries = l->starts[l->count], *starts = taken(NULL, count + 2, sizeof *starts);
    uint32_t *others = taken(NULL, entries, sizeof *others);
    memset(starts, 0, (count + 2) * sizeof *starts);
    for (size_t e = 0; e < entries; e++)
        starts[l->others[e] + 2]++;
    for (size_t k = 0; k < count; k++)
        starts[k + 2] += starts[k + 1];
    for (size_t k = 0; k < l->count; k++)
        for (size_t e = l->starts[k]; e < l->starts[k + 1]; e++) {
            size_t place = starts[l->others[e] + 1]++;
            others[place] = (uint32_t)k;
            if (from)
                from[place] = e;
        }
    return (struct lines){count, starts, others};
}

/* Returns the pattern with the mirror image of each entry, in ascending order. */
static struct lines symmetrised(const struct lines *l) {
    struct lines t = transposed(l, l->count, NULL), both = {l->count, taken(NULL, l->count + 1, sizeof(size_t)), NULL};
    uint32_t *seen = taken(NULL, l->count, sizeof *seen);
    memset(seen, 0, l->count * sizeof *seen);
    both.others = taken(NULL, 2 * l->starts[l->count], sizeof *both.others);
    size_t entries = 0;
    for (size_t k = 0; k < l->count; k++) {
        both.starts[k] = entries;
        const struct lines *parts[] = {l, &t};
        for (int p = 0; p < 2; p++)
            for (size_t e = parts[p]->starts[k]; e < parts[p]->starts[k + 1]; e++)
                if (seen[parts[p]->others[e]] != k + 1) {
                    seen[parts[p]->others[e]] = (uint32_t)(k + 1);
                    both.others[entries++] = parts[p]->others[e];
                }
    }
    both.starts[l->count] = entries;
    drop_lines(&t);
    free(seen);
    struct lines ordered = transposed(&both, l->count, NULL);
    drop_lines(&both);
    return ordered;
}

/* -- colours: numbers from 1; 0 is none */

static uint32_t smallest(const size_t *forbidden, size_t vertex) {
    uint32_t colour = 1;
    while (forbidden[colour] == vertex + 1)
        colour++;
    return colour;
}

/* Colours the lines of l so that those with a common place have different colours; t is the transpose. */
static uint32_t *colours_of_lines(const struct lines *l, const struct lines *t) {
    uint32_t *colours = taken(NULL, l->count, sizeof *colours);
    size_t *forbidden = taken(NULL, l->count + 2, sizeof *forbidden);
    memset(colours, 0, l->count * sizeof *colours);
    memset(forbidden, 0, (l->count + 2) * sizeof *forbidden);
    for (size_t k = 0; k < l->count; k++) {
        for (size_t e = l->starts[k]; e < l->starts[k + 1]; e++) {
            uint32_t place = l->others[e];
            for (size_t f = t->starts[place]; f < t->starts[place + 1]; f++)
                forbidden[colours[t->others[f]]] = k + 1;
        }
        colours[k] = smallest(forbidden, k);
    }
    free(forbidden);
    return colours;
}

/* Returns the vertices of the graph, those with the most neighbours first. */
static uint32_t *by_degree(const struct lines *g) {
    size_t *places = taken(NULL, g->count + 2, sizeof *places);
    uint32_t *order = taken(NULL, g->count, sizeof *order);
    memset(places, 0, (g->count + 2) * sizeof *places);
    for (size_t k = 0; k < g->count; k++)
        places[g->count - (g->starts[k + 1] - g->starts[k]) + 1]++;
    for (size_t d = 0; d < g->count; d++)
        places[d + 1] += places[d];
    for (size_t k = 0; k < g->count; k++)
        order[places[g->count - (g->starts[k + 1] - g->starts[k])]++] = (uint32_t)k;
    free(places);
    return order;
}

static void forbid_around(const struct lines *g, const uint32_t *colours, uint32_t v, uint32_t w, size_t *forbidden) {
    for (size_t e = g->starts[w]; e < g->starts[w + 1]; e++) {
        uint32_t x = g->others[e];
        if (x == v || x == w || !colours[x] || forbidden[colours[x]] == (size_t)v + 1)
            continue;
        int is_ending = !colours[w]; /* v, w, x: w may get any colour later */
        for (size_t f = g->starts[x]; f < g->starts[x + 1] && !is_ending; f++) {
            uint32_t y = g->others[f]; /* v, w, x, y: w and y of one colour */
            is_ending = y != w && y != x && colours[y] == colours[w];
        }
        if (is_ending)
            forbidden[colours[x]] = (size_t)v + 1;
    }
}

static uint32_t *star_colours(const struct lines *g) {
    uint32_t *colours = taken(NULL, g->count, sizeof *colours), *order = by_degree(g);
    size_t *forbidden = taken(NULL, g->count + 2, sizeof *forbidden);
    memset(colours, 0, g->count * sizeof *colours);
    memset(forbidden, 0, (g->count + 2) * sizeof *forbidden);
    for (size_t k = 0; k < g->count; k++) {
        uint32_t v = order[k];
        for (size_t e = g->starts[v]; e < g->starts[v + 1]; e++) {
            uint32_t w = g->others[e];
            if (w == v)
                continue;
            forbidden[colours[w]] = (size_t)v + 1;
            forbid_around(g, colours, v, w, forbidden);
        }
        colours[v] = smallest(forbidden, v);
    }
    free(forbidden);
    free(order);
    return colours;
}

/* Returns which entries are alone in their line among those of their colour. */
static char *alone(const struct lines *g, const uint32_t *colours, size_t groups) {
    char *found = taken(NULL, g->starts[g->count], 1);
    size_t *counts = taken(NULL, groups + 1, sizeof *counts);
    memset(counts, 0, (groups + 1) * sizeof *counts);
    for (size_t k = 0; k < g->count; k++) {
        for (size_t e = g->starts[k]; e < g->starts[k + 1]; e++)
            counts[colours[g->others[e]]]++;
        for (size_t e = g->starts[k]; e < g->starts[k + 1]; e++)
            found[e] = counts[colours[g->others[e]]] == 1;
        for (size_t e = g->starts[k]; e < g->starts[k + 1]; e++)
            counts[colours[g->others[e]]] = 0;
    }
    free(counts);
    return found;
}

/* -- values */

/* The derivative by seeds of one array, whose lines are the columns (forward) or the rows (reverse). */
struct evaluation {
    derivative *values;
    void *context;
    struct array *x, *y, *seeded, *read;
};

/* Evaluates each group of the lines of c, and stores the entries at the places that `place` has for them. */
static void evaluate(struct evaluation *e, const struct lines *c, const uint32_t *colours, size_t groups,
                     const size_t *place, const char *wanted, double *values) {
    size_t *starts = taken(NULL, groups + 2, sizeof *starts);
    uint32_t *members = taken(NULL, c->count, sizeof *members);
    memset(starts, 0, (groups + 2) * sizeof *starts);
    for (size_t k = 0; k < c->count; k++)
        starts[colours[k]]++;
    for (size_t g = 0; g < groups; g++)
        starts[g + 1] += starts[g];
    for (size_t k = 0; k < c->count; k++)
        members[starts[colours[k] - 1]++] = (uint32_t)k;
    for (size_t g = 0, first = 0; g < groups; first = starts[g++]) {
        begin_again(e->x);
        begin_again(e->y);
        for (size_t m = first; m < starts[g]; m++)
            put_number(e->seeded, members[m], 1);
        e->values(e->context, e->x->shadow, e->y->shadow);
        for (size_t m = first; m < starts[g]; m++)
            for (size_t k = c->starts[members[m]]; k < c->starts[members[m] + 1]; k++)
                if (!wanted || wanted[place[k]])
                    values[place[k]] = number_at(e->read, c->others[k]);
    }
    free(starts);
    free(members);
}

static size_t largest(const uint32_t *colours, size_t count) {
    uint32_t most = 0;
    for (size_t k = 0; k < count; k++)
        most = colours[k] > most ? colours[k] : most;
    return most;
}

/* Fills in the entries that were not alone: their mirror images were. `mirror` has the place of each entry's image. */
static void mirrored(const char *found, const size_t *mirror, size_t entries, double *values) {
    for (size_t k = 0; k < entries; k++) {
        if (found[k])
            continue;
        if (!found[mirror[k]])
            dependence_fails("an entry of the symmetric matrix is in no group alone");
        values[k] = values[mirror[k]];
    }
}

static struct triplets as_triplets(const struct lines *rows, double *values, size_t groups) {
    size_t entries = rows->starts[rows->count];
    struct triplets t = {entries, taken(NULL, entries, sizeof(size_t)), taken(NULL, entries, sizeof(size_t)), values, groups};
    for (size_t i = 0; i < rows->count; i++)
        for (size_t e = rows->starts[i]; e < rows->starts[i + 1]; e++) {
            t.rows[e] = i;
            t.columns[e] = rows->others[e];
        }
    return t;
}

void __ez_sparse(struct triplets *out, void *context, derivative *pattern, derivative *values, char *x_memory, size_t n,
                 size_t x_size, char *y_memory, size_t m, size_t y_size, size_t how) {
    struct array x = new_array(x_memory, n, x_size), y = new_array(y_memory, m, y_size);
    if (how & SYMMETRIC && n != m)
        dependence_fails("a matrix that is not square was said to be symmetric (enzyme_symmetric)");
    struct lines found = pattern_of(pattern, context, &x, &y), rows, columns = transposed(&found, n, NULL);
    rows = how & SYMMETRIC ? symmetrised(&found) : transposed(&columns, m, NULL);
    drop_lines(&columns);
    size_t entries = rows.starts[m], *place = taken(NULL, entries, sizeof *place);
    columns = transposed(&rows, n, place);
    double *numbers = taken(NULL, entries, sizeof *numbers);
    struct evaluation e = {values, context, &x, &y, &x, &y};
    uint32_t *colours;
    size_t groups;
    if (how & SYMMETRIC) {
        colours = star_colours(&rows);
        groups = largest(colours, n);
        char *single = alone(&rows, colours, groups);
        evaluate(&e, &columns, colours, groups, place, single, numbers);
        mirrored(single, place, entries, numbers);
        free(single);
    } else if (how & BY_ROWS) {
        for (size_t k = 0; k < entries; k++)
            place[k] = k;
        e.seeded = &y;
        e.read = &x;
        colours = colours_of_lines(&rows, &columns);
        groups = largest(colours, m);
        evaluate(&e, &rows, colours, groups, place, NULL, numbers);
    } else {
        colours = colours_of_lines(&columns, &rows);
        groups = largest(colours, n);
        evaluate(&e, &columns, colours, groups, place, NULL, numbers);
    }
    *out = as_triplets(&rows, numbers, groups);
    drop_lines(&found);
    drop_lines(&rows);
    drop_lines(&columns);
    drop_array(&x);
    drop_array(&y);
    free(place);
    free(colours);
}
