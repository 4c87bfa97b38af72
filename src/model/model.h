/*
 * model -- what a program does, as one automaton per rank.
 *
 * Extracted from its executions, not from its text: the search visits every run, and
 * what is left of it are the histories of each rank.  A node is the segment of
 * operations that a rank issues until it needs an answer, or ends; an edge is an
 * answer, told by what the rank can see of it: what its calls returned, from whom,
 * and the contents.  So guards are values received, matched sources and flags, in
 * whatever language the program was written.
 *
 * Polls that go round (spin.h) are one node, which waits for the first yes to any of
 * them.  Folded, nodes with the same segment and the same future are one.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/mem.h"
#include "explore/explore.h"

struct model_edge {
    uint32_t call;         /* the operation that is answered */
    const struct ret *ret;
    uint32_t to;
};

struct model_node {
    rank_t rank;
    uint32_t first_op, count;
    enum segment_end end;
    int code;
    bool round; /* polls that go round: they are answered with yes only */
    uint32_t first_poll, polls; /* of a round: its polls beside the one at the end of the segment */
    VEC(struct model_edge) edge;
};

struct model_op {
    const struct op *op;
    const uint64_t *contents;
    uint32_t node;
    uint32_t message; /* a send: a number that is equal for messages that look the same to whoever receives them */
};

/* Where a run ends: for each rank the node, and the operation of it where it stands, from 1; 0: it is over. */
struct model_stand {
    uint32_t node, op;
    bool fails; /* it crashes, aborts or the like there */
};
struct model_outcome {
    enum run_end end;
    bool less_slack;           /* some operations are not buffered, though they might be */
    struct model_stand *stand; /* owns; by rank */
};
typedef VEC(struct model_outcome) model_outcomes_t;

/* A communicator; members by position. */
struct model_context {
    context_t id;
    const struct op_group *group;
};

struct model {
    int ranks;
    uint64_t slack;
    bool any_slack;
    VEC(struct model_node) node; /* from 1 */
    VEC(struct model_op) op;     /* from 1 */
    VEC(struct model_context) context;
    model_outcomes_t outcome;    /* each once */
    uint32_t *start;             /* owns; by rank */
    uint32_t messages;           /* how many that look different */
    struct explore_result result; /* `left`: what the model may lack */
    struct explorer *explorer;   /* owns; to it belong operations and answers */
};

/* Runs the program through all its runs; not folded, two histories of a rank are never one node.  Of one with windows there is just the result. */
struct model *model_extract(const struct runner *, const struct explore_options *, bool fold);
void model_free(struct model *);

/* The index of a communicator, and where in it a rank is. */
uint32_t model_context(const struct model *, context_t);
uint32_t model_position(const struct model *, uint32_t context, rank_t);

/*
 * Which operations a request can be when the first `count` of a node have been posted: one, unless
 * nodes were folded or merged that are reached by others.  Returns how many; borrowed until
 * it is asked again.
 */
struct bindings;
struct bindings *bindings_new(const struct model *);
void bindings_free(struct bindings *);
size_t bindings_find(struct bindings *, uint32_t node, uint32_t count, uint32_t request, const uint32_t **ops);

#endif
