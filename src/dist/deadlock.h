/*
 * deadlock -- whether anything in a job can go on, by the semantics.
 *
 * All tales are of one moment.  What was posted goes into the semantics, with the matches that the
 * ranks have told of; what the MPI library has matched without a rank knowing is made up for.  Then a rank
 * that waits goes on if what it waits for can come about (M6), and one that polls if it could be told
 * yes.
 */
#ifndef DIST_DEADLOCK_H
#define DIST_DEADLOCK_H

#include "dist/tale.h"

enum job_verdict {
    MOVES,
    MAY_BE_STUCK, /* it depends on what the library has matched already */
    IS_STUCK,     /* some rank waits or polls, and none that does will ever hear anything */
};
enum job_verdict deadlock_verdict(const struct tale *, int ranks);

#endif
