/*
 * meetings -- collectives whose members know what they get, past the semantics.
 *
 * A rank that goes on in a collective has seen the parts of all others and that they are like its own (shim/virtual/anticipate.h), so once all members have gone on
 * nothing is left of it.  Until then their parts are kept here as they were posted.  Should one of them wait for an answer of tourney's, or nobody have anything more to say,
 * those that are here are filed: they join the collective in the semantics, as members who need nothing any more.
 */
#ifndef PLAY_MEETINGS_H
#define PLAY_MEETINGS_H

#include "play/state.h"

/* Whether that is all that is to be done with a part; else what is here of its collective was filed. */
bool meetings_take(struct play *, rank_t, const struct op *);

/* Parts of others of the last collective in which a rank went on were not read yet.  They will be, and whatever their ranks did before is done before anything that it does now. */
bool meetings_lacks_others(const struct play *, rank_t);

bool meetings_file(struct play *); /* all that is here; false: nothing was */
void meetings_release(struct play *);

#endif
