/*
 * store -- the histories that the search knows, found again in the jobs that have been run.
 *
 * A job tells for every rank one way through its tree of histories (explore/runner.h).  A node of
 * the search is attached to every place in the tales of jobs where the rank has that history.
 * Two histories are the same if every call returned the same, and what was received came from
 * the same histories of its senders.  So contents are not compared at all; what a rank was told
 * stands for them.  Of what a probe saw, the envelope counts.
 *
 * A rank that polls in one place is told no in a real job as often as it likes, and that is no decision
 * (explore/spin.h): once a poll was seen to come back so often that it is a loop, it is one wherever it comes back at
 * all, and how often it said no before it said yes does not matter.
 *
 * What a rank does in two jobs on the same history has to be the same, or the program is not
 * a function of its messages: the store says which rank it was.
 */
#ifndef DIST_STORE_H
#define DIST_STORE_H

#include "base/map.h"
#include "dist/tale.h"

/* Where a rank stands in a job: at the end of a segment, having been told no so often. */
struct tale_position {
    uint32_t job;
    uint32_t segment;
    uint32_t noes;
    bool loose; /* the job said no in a loop more or less often than the search: how often may matter after all */
};

/*
 * Operations lie in the tale in which the node was first found, with the names of their messages; those of a
 * node that has no segment for itself, in the store.
 */
struct stored {
    const struct ret *ret; /* borrows from the search; NULL: the beginning */
    const struct op *ops;
    const uint64_t *contents;
    rank_t rank;
    node_id parent;
    uint32_t count;
    int code;
    uint8_t end;   /* enum segment_end */
    bool assumed;  /* struct told_segment */
    bool attached; /* `first` is set */
    struct tale_position first;
    struct tale_position *more; /* owns: further spots */
    uint32_t mores;    /* how many further spots there are */
};

struct job_record {
    struct tale *tale; /* owns; by rank */
};

struct store {
    int ranks;
    VEC(struct stored) node;    /* by node_id */
    VEC(struct job_record) job; /* owns */
    struct hoard hoard;
    struct map spots;           /* node and job -> segment + 1, for places without noes that are not first */
    struct map loops;           /* polls that were seen to repeat themselves whenever they are told no */
    bool cancels;               /* somebody does */
    rank_t diverged;            /* who did something else on the same history; RANK_NONE: nobody */
};

void store_init(struct store *, int ranks);
void store_release(struct store *);

/* Takes the tales of a job, one for each rank, and attaches what is known to them. */
void store_add_job(struct store *, struct tale *);

/*
 * A node that the search asks for; its operations are named by payload_name, with their number in it.  The parent NODE_NONE: the beginning of the rank.  True: some job
 * tells its segment, which is borrowed as long as the store is there.
 */
bool store_find(struct store *, rank_t, node_id parent, const struct ret *, node_id, struct segment *);

/* The number of a node's first operation in the history of its rank. */
uint32_t store_first_op(const struct store *, node_id);

/* The node to which a poll at the end of this one leads that says no; NODE_NONE: it was not asked for. */
node_id store_after_no(const struct store *, node_id);

/* Where a job stands at a node; NULL: its history is not in it. */
const struct tale_position *store_spot(const struct store *, node_id, uint32_t job);

/* The same node with a segment from elsewhere: an earlier session, or that nothing could be found out. */
void store_put(struct store *, rank_t, node_id parent, const struct ret *, node_id, const struct segment *);

#endif
