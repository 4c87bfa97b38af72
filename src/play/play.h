/*
 * play -- one execution: operations go into the semantics, answers come out.
 *
 * Ranks run until they block; what is forced is matched at once; only when
 * nobody can move is a choice made (after [POE]).  Choices here
 * are fixed: sources take turns (call/round_robin.h), the first request, polls say yes if they can.
 */
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include "outcome/chapter_rest.h"
#include "outcome/local_touch.h"
#include "outcome/outcome.h"
#include "outcome/told_run.h"
#include "sem/sem.h"
#include "trace/trace.h"
#include "world/world.h"

struct play;

/*
 * Who looks at accesses to windows (chronicle.h).  All zero: nobody.
 *
 * read: a chapter of the run, and at its end the last one, with loads and stores if the program tells of them (else NULL); and what of it is
 *     told again if it goes over into the next one (NULL: it does not).
 * stopped: from this operation of a rank on nothing was written down: it was too much.
 * unseen: from this place on, up to the next call, a rank could not tell of all loads and stores.
 */
struct chapter_reader {
    enum chapter_end (*read)(void *data, const struct told_run *, const struct local_touches *, struct chapter_rest *);
    void (*stopped)(void *data, rank_t, const struct op *);
    void (*unseen)(void *data, rank_t, uint64_t place);
    void *data;
};

/* `trace` may be NULL; it is borrowed, as is the world. */
struct play *play_new(struct world *, uint64_t slack, struct trace_writer *trace,
                      void (*locate)(void *, rank_t, uint64_t address, struct trace_place *), void *locator);
void play_set_reader(struct play *, struct chapter_reader); /* before it runs */
void play_set_limit(struct play *, uint64_t operations); /* after these it is stopped; before it runs */
struct outcome play_run(struct play *);
void play_free(struct play *);

/* For reports: what the state is when it has ended. */
const struct sem *play_sem(const struct play *);
bool play_is_waiting(const struct play *, rank_t);          /* in a call that did not return */
const struct op *play_call(const struct play *, rank_t);    /* that call */
const struct op *play_op(const struct play *, op_id);       /* what was posted */
const struct op *play_init(const struct play *, rank_t); /* its OP_INIT; NULL: not yet */
const char *play_context_name(const struct play *, context_t);
const char *play_type_name(const struct play *, rank_t, uint32_t type);
size_t play_complaints(const struct play *);                /* OP_COMPLAINT, in the order in which they came */
const struct op *play_complaint(const struct play *, size_t, rank_t *);

#endif
