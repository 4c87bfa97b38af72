/*
 * opening -- the beginning of a long run in which nothing is left to be decided, made by ranks that answer themselves.
 *
 * A receive that names its source can meet just one send (L3), and a collective has one outcome.  So as long as ranks post nothing else their
 * answers do not depend on what the search decides: there is one history of each.  To hand these answers out takes two switches between processes
 * for each call, and meanwhile everybody else sleeps.  So where a run has gone on like that for a while, a copy is made of each rank where its process began,
 * and these run ahead of the search as ranks of a play do (call/mail.h): they go on by themselves where they see what they wait for, several at a time.
 * The search asks for segments as ever, and gets what is read from their rings.
 *
 * The law.  What is read is used only up to the first operation, of any rank, that leaves something open: a receive from any source, a probe,
 * a poll, a wait for some of several, a choice, a window; and only of a rank that makes another call or exits.  An answer
 * is offered before its segment is read, and is what the search says; a rank that has given itself one gave the same, for all that it was made of has been
 * posted.  Nothing that others may find is done by those who are ahead: who wants to do it is held (herd_run_aside), and the opening is over.
 *
 * Nobody sleeps at the nodes that were read so.  Those who are ahead are never copied, looked at or compared, and when the opening is over they
 * are no more: whoever is needed then goes the known way from a node above, where all of this is compared with what it does (foretold.h).
 */
#ifndef DRIVE_OPENING_H
#define DRIVE_OPENING_H

#include "drive/inside.h"

/* `wanted`: there may be one. */
struct opening *opening_new(int ranks, bool wanted);
void opening_free(struct opening *);

/* The segment to a node, read from the rank that is ahead, and who that is; false: it has to be run. */
bool opening_run(struct drive *, rank_t, node_id from, node_id to, int *animal, struct segment *);
/* Such a segment has been used. */
void opening_settle(struct drive *, int animal, const struct segment *);
/* A segment was run, and is the one read last. */
void opening_note(struct drive *, rank_t, node_id from, node_id to, const struct segment *);
/* Ends all who are ahead; there is no other opening.  Why is for the log. */
void opening_end(struct drive *, const char *why);

#endif
