/*
 * relevance -- which bytes of a rank's memory count for what it will still do, and thereby which histories are one.
 *
 * Two histories of a rank that fell asleep in the same call are one if all bytes in which their memories differ, and in which
 * the messages of their last segments differ, are such that nothing that follows depends on them (backward.h): from there
 * on both make the same calls with the same arguments, given the same answers.
 *
 * What follows is known only as far as it was run.  So that two histories are one is a claim that holds until something is
 * run that depends on a byte in which they differ; then it is withdrawn (relevance_withdrawn).
 *
 * Where a segment could not be followed, everything counts.
 */
#ifndef FLOW_RELEVANCE_H
#define FLOW_RELEVANCE_H

#include "call/wire.h"
#include "flow/backward.h"

/* As the search numbers histories. */
typedef uint32_t passage_id;

/* Bytes of a payload that a rank was handed: where they lie in the shared memory, and whose they are. */
struct received_payload {
    uint64_t location, bytes;
    passage_id from;
    uint32_t number; /* of its payloads */
    uint64_t offset; /* in that */
};

/* A payload that a segment brings. */
struct brought_payload {
    uint64_t posted; /* where the rank has put it, in the shared memory */
    const void *contents;
    uint64_t bytes;
};

/* All of it is borrowed for the call. */
struct passage_facts {
    passage_id from;
    int rank;
    const struct received_payload *received;
    size_t receives;
    const struct brought_payload *brought;
    size_t brings;
    bool sleeps;                    /* else the rank has ended */
    const struct wire_sleep *sleep; /* if it does; NULL: it is not comparable */
    struct map_key alike;           /* equal if nothing but the memory can tell two apart */
    struct map_key same;            /* equal if the search takes them for one by itself; all zero: for none */
};

struct relevance;

struct relevance *relevance_new(int ranks, uint64_t most_steps, void *shared); /* as a tracer (tracer.h) */
void relevance_free(struct relevance *);
struct tracer *relevance_tracer(struct relevance *);
/* Whether there is room for another trace: all of them are kept. */
bool relevance_has_room(const struct relevance *);

/*
 * A segment has been run.  Takes the trace; NULL: there is none.  The history that it turns out to be: itself, or an
 * earlier one.
 */
passage_id relevance_add(struct relevance *, passage_id, const struct passage_facts *, struct trace *);

/* The search did not take it for another, as was told: it is itself. */
void relevance_part(struct relevance *, passage_id);
/* The search took it for another one than was told, since nothing at all tells these two apart. */
void relevance_settle(struct relevance *, passage_id, passage_id as);

/* A history that was taken for another and is not; 0: there is none (any more). */
passage_id relevance_withdrawn(struct relevance *);

struct relevance_cost {
    uint64_t followed, lost; /* segments */
    uint64_t steps;
    uint64_t joined, withdrawn;
    const char *why; /* the first one was lost; NULL: none was */
};
struct relevance_cost relevance_cost(const struct relevance *);

#endif
