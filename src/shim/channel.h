/*
 * channel -- how a rank talks to tourney: post, and sleep for an answer.
 */
#ifndef SHIM_CHANNEL_H
#define SHIM_CHANNEL_H

#include "shim/shim.h"

/* Maps the world's memory.  NULL, or why it could not be. */
const char *channel_open(const char *world);

/* Whether tourney, whom this leaves word, will tell why this process cannot go on; also before the channel is open. */
bool channel_tell_refusal(const char *why);

/* At the end of MPI_Init: if images of the rank are taken, tourney hears of its system calls (kernel_filter.h). */
void channel_watch_kernel(void);
const struct wire_head *channel_head(void);

/* A call that may choose among requests has named one that was complete when it was made (D7). */
void channel_tell_preferred(void);

/* The program reads what the library has measured of itself; this may be before MPI_Init. */
void channel_tell_measured(void);

/* The rank had threads when it called MPI_Init, which take no turns (turns.h). */
void channel_tell_early_threads(void);

/*
 * Posting an operation.  channel_begin fills in size and, unless set, place and call, and gives
 * the room for `tail` bytes behind it, to be written before channel_commit.
 * Nothing else may be posted in between.  The tail must fit into the ring
 * (WIRE_INLINE of payload plus lists); larger payloads go to the arena first.
 */
void *channel_begin(struct op *, size_t tail);
void channel_commit(void);
void channel_abandon(void); /* forgets what was begun: after a crash in between */
void channel_post(struct op *, const void *tail, size_t size);

/*
 * Posts a send or receive whose bytes are where the program has them, until it is complete: there is
 * nothing to pack or unpack.  False: they have to come as the tail, and nothing was posted.
 */
bool channel_post_lent(struct op *, void *memory);

/*
 * Posts a blocking send or receive, does it, and says what became of it; `op->bytes` bytes are at `buf`, or can be put
 * there.  False: it has to be posted, and to be slept for.
 */
bool channel_transfer(struct op *, void *buf, struct completion *);

/* Sleeps until tourney answers what was posted last. */
const struct answer *channel_sleep(void);

/* The same, in a single run.  Every now and then it is asked whether the rank wants to be answered now; NULL: it does not. */
void channel_sleep_watching(bool (*wants)(void));

/* A wait in which the rank sleeps is answered, whatever it is for. */
void channel_withdraw(void);

/*
 * Polls: tourney may grant that a poll is answered with no by the rank itself, a
 * number of times, until it posts something else.  A poll is known by a key: what
 * it asks for.  channel_poll_is_no uses one time up.  In a search it has to be known how many noes there were, and given as many
 * a rank has to do the same again: so all of its polls that were told no share what is granted, the rank counts what it uses up,
 * and a no with no grant at all is a beginning, after which only that poll is known (explore/leaps.h).
 */
uint64_t channel_poll_key(const struct op *, const void *tail, size_t);
bool channel_poll_is_no(uint64_t key);
const struct answer *channel_sleep_polling(uint64_t key);
void channel_forget_grants(void);

const struct completion *answer_completions(const struct answer *);

static inline const struct piece *completion_pieces(const struct completion *c)
{
    return (const struct piece *)(c + 1);
}

static inline const struct completion *completion_next(const struct completion *c)
{
    return (const struct completion *)(completion_pieces(c) + c->pieces);
}

/* This rank communicates no more: tourney need not wait for it. */
void channel_leave(void);
void channel_return(void); /* it has something to say all the same */

/* Payloads above WIRE_INLINE: tourney makes the room, the rank fills it, the operation names it. */
uint64_t arena_room(uint64_t bytes);
void *arena_at(uint64_t offset);

/* Numbers in a row for so many ranks that are to be started, by the spawn-th spawn of this rank; RANK_NONE: there are too many. */
rank_t channel_places(uint32_t spawn, uint32_t n);

/* A rank that has savepoints (virtual/savepoint.h) ends; or cannot go on; or cannot go back any more. */
_Noreturn void channel_end(int code);
_Noreturn void channel_end_unfit(void);
void channel_tell_remapped(void);
void channel_tell_dropped(uintptr_t start, size_t bytes); /* it was given back to the system */

/* Whether what a rank says after MPI_Finalize is heard.  On a real job its file is complete by then. */
bool channel_outlives_mpi(void);

/* tourney has been told why; it ends this process. */
_Noreturn void channel_wait_for_the_end(void);

#endif
