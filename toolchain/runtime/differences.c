/* Compares derivatives with differences, with --enzyme-check=differences: enzyme_cc/autodiff/answer/checked_differences.py.
 *
 * The numbers that a request differentiates are in regions of memory. Before the derivative runs, child processes run the
 * function with these numbers moved along a random direction, and send back the value that reverse mode differentiates:
 * the result times its seed, and the sum of all numbers in the end times what their shadows hold in the beginning. So
 * the program's own memory stays as it is, and what the function prints is not printed again. Central differences with
 * three steps are extrapolated (Richardson 1911); what the extrapolation changes gives the tolerance.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGIONS = 32, STEPS = 3, SECONDS = 60 };

/* In `bytes` bytes: `length` bytes of numbers of `size` bytes, `offset` behind the start of each `period`. */
struct region {
    char *at;
    const char *shadow;
    uint64_t bytes, period, offset, length, size;
    double *direction;
};

struct difference {
    double (*primal)(void *frame);
    void *frame;
    double seed;
    const char *what, *why_not;
    size_t count;
    struct region regions[REGIONS];
    double slope, tolerance, derivative;
    int is_float;
};

static const uint64_t no_extent = UINT64_MAX;
static int is_moved; /* this process is one of those that run the function again */

static double region_number(const struct region *r, const char *memory, uint64_t at) {
    return r->size == sizeof(float) ? (double)*(const float *)(memory + at) : *(const double *)(memory + at);
}

static void move_in_region(const struct region *r, uint64_t at, double by) {
    if (r->size == sizeof(float))
        *(float *)(r->at + at) += (float)by;
    else
        *(double *)(r->at + at) += by;
}

/* The offset of the next number behind `*at`, or of the first one; returns 0 at the end. */
static int next_in_region(const struct region *r, uint64_t *at) {
    *at = *at == no_extent ? r->offset : *at + r->size;
    if ((*at - r->offset) % r->period >= r->length)
        *at += r->period - r->length;
    return *at + r->size <= r->bytes;
}
#define EACH_NUMBER(r, at) for (uint64_t at = no_extent; next_in_region(r, &at);)

static double random_part(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) / (double)(1ll << 52) - 1;
}

/* Several ranks: a child of one of them would wait for messages. */
static int has_ranks(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

void *__ez_difference(double (*primal)(void *), void *frame, double seed, char *is_told, const char *what) {
    if (*is_told || is_moved || has_ranks())
        return NULL;
    *is_told = 1;
    struct difference *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->primal = primal;
    d->frame = frame;
    d->seed = seed;
    d->what = what;
    return d;
}

void __ez_difference_of(void *of, void *at, const void *shadow, uint64_t bytes, uint64_t period, uint64_t offset,
                        uint64_t length, uint64_t size) {
    struct difference *d = of;
    if (!d || !at)
        return;
    if (bytes == no_extent || d->count == REGIONS) {
        d->why_not = "the extent or the types of an argument's memory are not known";
        return;
    }
    uint64_t state = 12345 + d->count, number = 0;
    struct region *r = &d->regions[d->count++];
    *r = (struct region){at, shadow, bytes, period ? period : bytes, offset, length, size, NULL};
    r->direction = calloc(bytes / size + 1, sizeof(double));
    d->is_float |= size == sizeof(float);
    if (!r->direction)
        d->why_not = "there is no memory";
    else
        EACH_NUMBER(r, place) {
            double value = region_number(r, r->at, place);
            r->direction[number++] = random_part(&state) * (value ? __builtin_fabs(value) : 1);
        }
}

/* Runs in a child: the value at a distance along the direction. */
static double moved_value(struct difference *d, double distance) {
    for (size_t k = 0; k < d->count; k++) {
        uint64_t number = 0;
        EACH_NUMBER(&d->regions[k], at)
            move_in_region(&d->regions[k], at, distance * d->regions[k].direction[number++]);
    }
    double value = 0, result;
    double **shadows = calloc(d->count + 1, sizeof *shadows); /* the function may overwrite what they lie in */
    for (size_t k = 0; k < d->count; k++) {
        struct region *r = &d->regions[k];
        uint64_t number = 0;
        shadows[k] = calloc(r->bytes / r->size + 1, sizeof(double));
        if (r->shadow)
            EACH_NUMBER(r, at) shadows[k][number++] = region_number(r, r->shadow, at);
    }
    result = d->primal(d->frame);
    for (size_t k = 0; k < d->count; k++) {
        struct region *r = &d->regions[k];
        uint64_t number = 0;
        EACH_NUMBER(r, at) {
            double shadow = shadows[k][number++];
            value += shadow ? shadow * region_number(r, r->at, at) : 0;
        }
    }
    return value + (d->seed ? d->seed * result : 0);
}

static double value_at(struct difference *d, double distance) {
    int ends[2], null;
    double value = 0;
    if (pipe(ends)) {
        d->why_not = "there is no pipe";
        return 0;
    }
    int child = fork();
    if (child == 0) {
        is_moved = 1;
        alarm(SECONDS);
        null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        value = moved_value(d, distance);
        write(ends[1], &value, sizeof value);
        _exit(0);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &value, sizeof value) != sizeof value)
        d->why_not = "the function ends the process near these arguments";
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return value;
}

void __ez_difference_run(void *of) {
    struct difference *d = of;
    if (!d || d->why_not)
        return;
    double precision = d->is_float ? 1.2e-7 : 2.2e-16, step = d->is_float ? 4e-2 : 7e-4, largest = 0, slopes[STEPS];
    fflush(NULL);
    for (int k = 0; k < STEPS && !d->why_not; k++, step /= 2) {
        double high = value_at(d, step), low = value_at(d, -step);
        slopes[k] = (high - low) / (2 * step);
        largest = __builtin_fmax(largest, __builtin_fmax(__builtin_fabs(high), __builtin_fabs(low)));
    }
    if (d->why_not)
        return;
    double coarse = slopes[1] + (slopes[1] - slopes[0]) / 3, fine = slopes[2] + (slopes[2] - slopes[1]) / 3;
    d->slope = fine + (fine - coarse) / 15;
    d->tolerance = 4 * __builtin_fabs(fine - coarse) + 64 * precision * largest / (2 * step) +
                   (d->is_float ? 1e-3 : 1e-7) * __builtin_fabs(d->slope);
}

/* The adjoint of a number that the request passes by value: it lies in the frame, in the region that begins at `at`. */
void __ez_difference_adjoint(void *of, const void *at, double adjoint) {
    struct difference *d = of;
    for (size_t k = 0; d && k < d->count; k++)
        if (d->regions[k].at == at && !d->regions[k].shadow && d->regions[k].direction)
            d->derivative += adjoint * d->regions[k].direction[0];
}

static void tell_difference(const struct difference *d) {
    double off = __builtin_fabs(d->derivative - d->slope);
    if (d->why_not)
        fprintf(stderr, "enzyme-cc: note: %s is not compared with differences: %s\n", d->what, d->why_not);
    else if (off <= d->tolerance)
        fprintf(stderr, "enzyme-cc: note: %s agrees with differences: %.9g along a random direction\n", d->what, d->slope);
    else
        fprintf(stderr,
                "enzyme-cc: warning: %s is %.9g along a random direction, and differences give %.9g, with an error of at "
                "most %.2g [EZ0228]\n",
                d->what, d->derivative, d->slope, d->tolerance);
}

void __ez_difference_end(void *of) {
    struct difference *d = of;
    if (!d)
        return;
    for (size_t k = 0; k < d->count; k++) {
        struct region *r = &d->regions[k];
        uint64_t number = 0;
        if (r->shadow && r->direction)
            EACH_NUMBER(r, at) d->derivative += region_number(r, r->shadow, at) * r->direction[number++];
        free(r->direction);
    }
    tell_difference(d);
    free(d);
}
