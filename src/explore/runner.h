/*
 * runner -- how the search reaches a program.
 *
 * A rank is a function of its own history: what its calls have returned so far
 * determines what it does next.  The search keeps, per rank, a tree of histories;
 * a node is the segment of operations that the rank issued until it needed an
 * answer, or ended, and an edge is the answer.  The runner extends these trees: it
 * is asked once for each answer to each node, and never twice for the same, so
 * how often it is asked is the number of segments that had to be run.
 *
 * The laws:
 * - The same history gives the same segment.  A runner that executes a history
 *   again and sees something else says SEGMENT_DIVERGED.
 * - A segment ends with the first operation that wants an answer (SEGMENT_CALL:
 *   a blocking call, a wait, a test, a probe; none that OPF_WENT_ON), or with the
 *   end of the rank.
 * - Two answers are equal if flag, requests, sources, tags, lengths and contents
 *   are; contents are equal if their hashes are.  Payloads themselves are the
 *   runner's affair: it finds them by the operation that brought them, in which
 *   it may set `payload` to whatever number it likes, as long as it is the same
 *   whenever the same segments are asked for in the same order.
 * - Lists of requests lie in the tail, never in the arena.
 * - An answer that leaves some noes to the rank (leaps.h) may come to fewer; told that many, the rank does the same.
 */
#ifndef EXPLORE_RUNNER_H
#define EXPLORE_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "call/op.h"
#include "outcome/history.h"

/* Borrowed from the runner until it is asked again; if it is `kept`, as long as the search. */
struct segment {
    const struct op *ops;     /* records with their tails, one after the other */
    uint32_t count;
    const uint64_t *contents; /* hashes: one for each send, one for each slice of a collective, in order */
    enum segment_end end;
    int code;
    uint32_t noes;            /* polls that the rank answered with no by itself before, of those that the answer left to it: `noes` - 1 of struct ret at most */
    uint16_t effort;          /* what it took beyond the usual: how many usual segments might have been run in its stead */
    bool kept;
    bool imaged;              /* `image` is known; of one that has ended none is needed, unless its state is looked at */
    struct map_key image;     /* of everything that the rank's future depends on, its answers aside */
    bool joins;               /* what follows is also what follows on an earlier one, which was told to have */
    struct map_key joins_image;        /* this image */
    const uint64_t *joins_contents;    /* and these contents */
};

/* What its lists hold: bytes of operations, number of contents. */
struct segment_size {
    size_t ops, contents;
};
struct segment_size segment_size(const struct segment *);

/* With an operation that ends the rank. */
enum segment_end segment_end_by(const struct op *);

/* Whether it keeps the laws that it can keep by itself, given that its lists are whole: for one from a file. */
bool segment_is_lawful(const struct segment *, int ranks);

static inline uint32_t op_contents(const struct op *op)
{
    if (op->kind == OP_SEND)
        return 1;
    return op->kind == OP_COLL ? ((const struct op_coll *)op_tail(op))->slices : 0;
}

/*
 * A number that is equal for operations that are the same to their rank and carry the same.
 * The place of one that may be cancelled matters: see state.h.
 */
uint64_t op_identity(const struct op *, const uint64_t *contents);

/* How a runner may name what an operation brings, in `payload`: the node, and a number there. */
static inline uint64_t payload_name(node_id node, size_t number)
{
    return (uint64_t)node << 32 | (number + 1);
}

static inline node_id payload_node(uint64_t name)
{
    return (node_id)(name >> 32);
}

static inline size_t payload_number(uint64_t name)
{
    return (uint32_t)name - 1;
}

/* The nth slice of a part that is meant for this position; or NO_SLICE. */
uint32_t answer_slice(const struct op *part, uint32_t position, uint32_t nth);

/* Tells answers to a node apart: equal for equal ones. */
struct map_key answer_key(node_id, const struct ret *);

struct account;

/*
 * run: runs rank on from the node `from` (NODE_NONE: from its start; then `ret` is
 * NULL), whose last call returns `ret`, and tells what it does.  The new node
 * will be called `to`.  -1: the runner cannot go on; the search ends.
 *
 * adopt: the same was asked in an earlier session, and this is what was told then.
 * Takes note of it in place of running.  NULL: the runner need not know.
 *
 * look: the image of a node that was run without one, if it can be had now.  What `run` lent is gone then.  May be NULL: it cannot.
 *
 * prove: whether a rank that came to its end at this node by an answer that was `hasty` does so again.  May be NULL.
 *
 * shares_files: whether ranks have changed files, which other runs find as these have left them: what goes wrong in a run that departs from one that has ended may
 * be due to that.  May be NULL: no.
 *
 * time_presses: whether half of the time is gone.  May be NULL: deadline.h says.
 *
 * same: the node just made will not be asked for; it has the segment and the image
 * of an earlier one, `as`, or joins it.  May be NULL.
 *
 * withdrawn: a node that was told to join an earlier one, and turns out not to be like that; NODE_NONE: there is none (any
 * more).  May be NULL.
 *
 * pays: whether running ahead would pay.  May be NULL: no.
 *
 * ahead: this will be asked for soon, so it may be begun; `ret` is borrowed for the
 * call.  False: it was not, now is not the time.
 *
 * announce: how the run goes (outcome/account.h) of which something will be asked next, by `run` or
 * `ahead`: all that was decided in it, the last decision not yet part of the trails.
 * Borrowed for the call.  For a runner that cannot run a rank without the others; else NULL.
 */
struct runner {
    int (*run)(void *data, rank_t, node_id from, const struct ret *, node_id to, struct segment *);
    int (*adopt)(void *data, rank_t, node_id from, const struct ret *, node_id to, const struct segment *);
    bool (*look)(void *data, node_id, struct map_key *image);
    bool (*prove)(void *data, node_id);
    bool (*shares_files)(void *data);
    bool (*time_presses)(void *data);
    void (*same)(void *data, node_id, node_id as);
    node_id (*withdrawn)(void *data);
    bool (*pays)(void *data);
    bool (*ahead)(void *data, rank_t, node_id from, const struct ret *);
    void (*announce)(void *data, const struct account *);
    bool leaps; /* ranks may be left to say no by themselves (leaps.h); else they are asked each time */
    void *data;
};

#endif
