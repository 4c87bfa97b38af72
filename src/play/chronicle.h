/*
 * chronicle -- a play with windows or files, told as a run whose accesses can be compared (check/window_races.h, file_races.h).
 *
 * It begins with the first window or file.  Operations are taken in an order in which those that know of others come later, so what happened before
 * knows of no access that is still to be made, and need not be written down; what is pending then is.
 *
 * A long run must not need more memory than a short one, so the chronicle is read in chapters.  A chapter can end where everybody has just
 * returned from a collective in which each has heard from all: whatever follows knows all that is in it.  It does end there if no access is left
 * open, no message to a keeper is under way, no epoch of MPI_Win_start is, and no file is open: then nothing in it can race with what follows.  Windows,
 * locks that are held and pending operations are the beginning of the next one.
 *
 * Where none ends for long, it goes over into the next one (outcome/chapter_rest.h), if the reader can remember what it needs: what ranks and locks know,
 * and accesses with which one that is to come may still race, of which one stands for many that are alike.  Operations to which somebody will refer are told again.
 *
 * Where that cannot be, or is too much, no more is written, and the reader is told from which call on.
 */
#ifndef PLAY_CHRONICLE_H
#define PLAY_CHRONICLE_H

#include "outcome/told_run.h"
#include "play/state.h"

/* Whether something is written down, and for whom, is a matter of `reader` in struct play.  All of these may be called without. */
void chronicle_post(struct play *, rank_t, const struct op *);

/* How a window or file was called, also when it is there no more; NULL: nobody knows. */
const char *chronicle_name(const struct play *, context_t);

/* The number of the last operation that a rank has posted, for `told` of an item: from 1 on; 0: none is known. */
uint32_t chronicle_last(const struct play *, rank_t);

/* A send and a receive have met. */
void chronicle_match(struct play *, const struct item *send, const struct item *recv);

/* A keeper has taken a message; then it sends a letter, whose number is returned, as above. */
void chronicle_taken(struct play *, rank_t keeper, const struct item *send);
uint32_t chronicle_letter(struct play *, rank_t keeper, const struct op *);

/* What a rank has just told of (WINDOW_DONE) was done at the memory of this keeper, next. */
void chronicle_done(struct play *, rank_t, rank_t keeper);

/* What is in the answer to a rank, one after the other; then that it is answered. */
void chronicle_complete(struct play *, rank_t, uint32_t request, uint32_t flags);
void chronicle_see(struct play *, rank_t, uint32_t request, const struct item *send);
void chronicle_hear(struct play *, rank_t, const struct item *part); /* of the collective that was complete last */
void chronicle_heard_all(struct play *, rank_t, context_t, uint32_t turn);
void chronicle_answer(struct play *, rank_t);

/* Everybody has been answered who can be: a chapter may end here. */
void chronicle_turn_page(struct play *);

/* What was posted is settled: one that is long may go over into the next one here. */
void chronicle_go_over(struct play *);

/* The run is over: the last chapter is read. */
void chronicle_end(struct play *);
void chronicle_free(struct play *);

#endif
