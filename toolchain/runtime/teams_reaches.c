/* What threads of a team have noted of the shadows that they reach: if no two reach the same, no addition of the reverse
 * sweep need be atomic. Otherwise, each thread has zones that no other one reaches, one for each base of its accesses
 * (enzyme_cc/autodiff/emit/reach_notes.py). */

struct reach {
    uint64_t lowest, end;     /* nothing: lowest >= end */
    uint64_t zone, zone_size; /* what no other member reaches of it */
};
enum { MOST_REACHES = 2048 }; /* of a team: each is compared with each */

/* The member notes all that it reaches, behind so many bases. */
void __ez_team_reaches(struct member *m, uint64_t count) {
    m->reaches = or_end(calloc(count, sizeof *m->reaches));
    m->reach_count = count;
}
void __ez_team_reached(struct member *m, uint64_t number, uint64_t lowest, uint64_t end) {
    m->reaches[number].lowest = lowest;
    m->reaches[number].end = end;
}

uint64_t __ez_team_zone_start(uint64_t number) {
    return number < own_member->reach_count ? own_member->reaches[number].zone : 0;
}
uint64_t __ez_team_zone_size(uint64_t number) {
    return number < own_member->reach_count ? own_member->reaches[number].zone_size : 0;
}

/* Leaves of a zone the longer part that another reach does not meet. Returns whether they meet. */
static int cut_zone(uint64_t *zone, uint64_t *zone_end, const struct reach *other) {
    if (other->lowest >= other->end || other->end <= *zone || *zone_end <= other->lowest)
        return 0;
    uint64_t before = other->lowest > *zone ? other->lowest - *zone : 0;
    uint64_t behind = *zone_end > other->end ? *zone_end - other->end : 0;
    if (before >= behind)
        *zone_end = *zone + before;
    else
        *zone = *zone_end - behind;
    return 1;
}

static void find_zones(struct team *team) {
    size_t count = 0;
    for (struct member *m = team->members; m; m = m->next) {
        if (!m->reach_count)
            return;
        count += m->reach_count;
    }
    if (count > MOST_REACHES)
        return;
    int meet = 0;
    for (struct member *m = team->members; m; m = m->next)
        for (size_t k = 0; k < m->reach_count; k++) {
            struct reach *own = &m->reaches[k];
            uint64_t zone = own->lowest, end = own->end;
            for (struct member *n = team->members; n && zone < end; n = n->next)
                for (size_t j = 0; n != m && j < n->reach_count; j++)
                    meet |= cut_zone(&zone, &end, &n->reaches[j]);
            own->zone = zone;
            own->zone_size = zone < end ? end - zone : 0;
        }
    team->is_apart = !meet;
}
