#include "dist/job_remarks.h"

#include "outcome/account.h"

static node_id last_node(const struct trail *trail)
{
    return trail->node[trail->n - 1];
}

static bool has_shown(const struct store *store, const struct account *account, uint32_t job)
{
    for (rank_t r = 0; r < store->ranks; r++) {
        const struct trail *trail = &account->trail[r];
        const struct tale_position *spot = trail->n ? store_spot(store, last_node(trail), job) : NULL;
        if (trail->n && (!spot || spot->loose))
            return false;
    }
    return true;
}

/* The last one first: it was led there. */
bool job_remarks_choose(struct job_remarks *remarks, const struct account *account)
{
    for (uint32_t job = (uint32_t)remarks->store->job.n; job-- > 0;)
        if (has_shown(remarks->store, account, job)) {
            remarks->job = job;
            return true;
        }
    return false;
}

/* How many come before an operation. */
static size_t remarks_before(const struct tale *tale, uint64_t op)
{
    size_t low = 0, high = tale->remark.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tale->remark.at[middle].before < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What comes after the call that ends a segment belongs to the next one, for its rank may have learned something by then. */
struct node_remarks job_remarks_tell(const struct job_remarks *remarks, node_id id)
{
    const struct tale_position *spot = store_spot(remarks->store, id, remarks->job);
    if (!spot || spot->noes)
        return (struct node_remarks){0};
    const struct tale *tale = &remarks->store->job.at[remarks->job].tale[remarks->store->node.at[id].rank];
    const struct told_segment *segment = &tale->segment.at[spot->segment];
    bool last = spot->segment + 1 == tale->segment.n && segment->end != SEGMENT_CALL;
    size_t from = remarks_before(tale, segment->first);
    size_t until = last ? tale->remark.n : remarks_before(tale, segment->first + segment->count);
    return (struct node_remarks){tale->remark.at + from, until - from, from + 1, segment->first};
}
