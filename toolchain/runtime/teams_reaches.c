/* What threads of a team have noted of the shadows that they reach: if no two reach the same, no addition of the reverse
 * sweep need be atomic. Otherwise, each thread has zones that no other one reaches, one for each base in a loop
 * (enzyme_cc/autodiff/emit/reach_notes.py). */

struct reach {
    uint64_t lowest, end;     /* nothing: lowest >= end */
    uint64_t zone, zone_size; /* what no other member reaches of it: where a number may begin */
    const struct member *of;
};
/* of a team: each is compared with each; the size of a number */
enum { MOST_REACHES = 512, NUMBER_MOST = 16 };

/* The member notes all that it reaches, behind so many bases. */
void __ez_team_reaches(struct member *m, uint64_t count) {
    m->reaches = or_end(calloc(count, sizeof *m->reaches));
    m->reach_count = count;
}
void __ez_team_reached(struct member *m, uint64_t number, uint64_t lowest, uint64_t end) {
    m->reaches[number].lowest = lowest;
    m->reaches[number].end = end;
    m->reaches[number].of = m;
}

uint64_t __ez_team_zone_start(uint64_t number) {
    return number < own_member->reach_count ? own_member->reaches[number].zone : 0;
}
uint64_t __ez_team_zone_size(uint64_t number) {
    return number < own_member->reach_count ? own_member->reaches[number].zone_size : 0;
}

static int compare_reaches(const void *a, const void *b) {
    const struct reach *first = *(struct reach *const *)a, *second = *(struct reach *const *)b;
    return first->lowest < second->lowest ? -1 : first->lowest > second->lowest;
}

/* Whether no two members reach the same. All reaches are sorted. */
static int are_apart(struct reach **all, size_t count) {
    /* of those that begin lower: which ends last, and which of another member does */
    const struct reach *last = NULL, *other = NULL;
    for (size_t k = 0; k < count; k++) {
        const struct reach *before = last && last->of == all[k]->of ? other : last;
        if (before && before->end > all[k]->lowest)
            return 0;
        if (!last || all[k]->end > last->end) {
            other = last && last->of != all[k]->of ? last : other;
            last = all[k];
        } else if (all[k]->of != last->of && (!other || all[k]->end > other->end)) {
            other = all[k];
        }
    }
    return 1;
}

/* Finds the part of a reach that no other member reaches. Of several parts, the longest one that is left each time. */
static void find_zone(struct reach *own, struct reach **all, size_t count) {
    uint64_t zone = own->lowest, end = own->end;
    for (size_t k = 0; k < count && zone < end; k++) {
        const struct reach *other = all[k];
        if (other->of == own->of || other->end <= zone || end <= other->lowest)
            continue;
        uint64_t before = other->lowest > zone ? other->lowest - zone : 0;
        uint64_t behind = end > other->end ? end - other->end : 0;
        if (before >= behind)
            end = zone + before;
        else
            zone = end - behind;
    }
    own->zone = zone;
    own->zone_size = end > zone + NUMBER_MOST ? end - zone - NUMBER_MOST : 0;
}

static void find_zones(struct team *team) {
    size_t most = 0, count = 0;
    for (struct member *m = team->members; m; m = m->next) {
        if (!m->reach_count)
            return;
        most += m->reach_count;
    }
    struct reach **all = or_end(malloc((most + 1) * sizeof *all));
    for (struct member *m = team->members; m; m = m->next)
        for (size_t k = 0; k < m->reach_count; k++)
            if (m->reaches[k].lowest < m->reaches[k].end)
                all[count++] = &m->reaches[k];
    qsort(all, count, sizeof *all, compare_reaches);
    team->is_apart = are_apart(all, count);
    for (size_t k = 0; !team->is_apart && count <= MOST_REACHES && k < count; k++)
        find_zone(all[k], all, count);
    free(all);
}
