/*
 * stuck -- whether anything in a job can go on, by the semantics.
 *
 * All tales are of one moment.  What was posted goes into the semantics, with the matches that the
 * ranks have told of; what the MPI library has matched without a rank knowing is made up for.  Then a rank
 * that waits goes on if what it waits for can come about (M6), and one that polls if it could be told
 * yes.
 */
#ifndef DIST_STUCK_H
#define DIST_STUCK_H

#include "dist/tale.h"

enum stuck {
    MOVES,
    MAY_BE_STUCK, /* it depends on what the library has matched already */
    IS_STUCK,     /* some rank waits or polls, and none that does will ever hear anything */
};
enum stuck stuck_look(const struct tale *, int ranks);

#endif
