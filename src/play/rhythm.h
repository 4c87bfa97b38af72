/*
 * rhythm -- whether what a rank asks is the same again and again.
 *
 * Who polls a window goes round: the same few questions come back in the same order.  Who reads a large part of it piece by piece, or looks up
 * now this and now that, does not, however long nothing changes there: that is no livelock.
 */
#ifndef PLAY_RHYTHM_H
#define PLAY_RHYTHM_H

#include <stdbool.h>
#include <stdint.h>

enum { RHYTHM_LONGEST = 64 }; /* questions of one round */

/* All zero: nothing was asked yet. */
struct rhythm {
    uint64_t question[RHYTHM_LONGEST]; /* the last ones; the `asked`-th is at its number modulo RHYTHM_LONGEST */
    uint64_t asked;
    uint32_t period; /* 0: none is known */
};

/* The next question, as a sum; false: it is not the one that its round would have. */
bool rhythm_goes_on(struct rhythm *, uint64_t question);

#endif
