/*
 * passing -- messages that ranks have handed to each other, past the semantics.
 *
 * A rank that knows the answer to its call goes on (call/mail.h), and tourney, who comes to the same answer, has nobody to tell it to.  Of
 * messages that are waited for in such calls nothing is left then but that they were, so sends and receives that name their source are not
 * told to the semantics at first: they are kept here, in a lane for each pair of ranks, until a call that went on is over in which they were waited for.
 * Which send a receive meets is certain (L3), as long as nothing of the two is with the semantics already, and nobody there receives from any source:
 * receives in the order in which they were posted take the first send that fits (M1 to M3).
 *
 * Whatever else may happen, such as a call that is answered by tourney, a probe, or that nobody has anything more to say, first has
 * these operations filed: they go into the semantics as they were posted, and from there on everything is as if they had been there from the beginning.
 * And a rank that went on in a collective waits until all others have been read as far: what they had done by then, such as a put, comes before what it does now.
 */
#ifndef PLAY_PASSING_H
#define PLAY_PASSING_H

#include "play/state.h"

/* What becomes of an operation that was read. */
enum passage {
    PASSAGE_NONE,  /* it is to be posted; what has to be filed before has been */
    PASSAGE_TAKEN, /* it is taken care of */
    PASSAGE_LATER, /* it is to be read again when others were: the message has not been read yet that its rank has got */
};

void passing_open(struct play *); /* nothing passes if there is a record to be written, or ranks do not show each other what they send */
void passing_release(struct play *);
enum passage passing_take(struct play *, rank_t, const struct op *);

/* All ranks were listened to.  If there was no news, what is here is filed; true: there was something, or something is to be read again. */
bool passing_settle(struct play *, bool news);

/* A send or receive is with the semantics, unmatched; or it is not any more. */
void passing_note_filed(struct play *, rank_t, const struct op *);
void passing_note_gone(struct play *, rank_t, const struct op *);

#endif
