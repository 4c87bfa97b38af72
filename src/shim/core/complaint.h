/*
 * complaint -- telling tourney what is wrong with the program, when this rank alone can see it.
 *
 * Each kind once for each place, or pair of places: a loop does not say it again.
 */
#ifndef SHIM_CORE_COMPLAINT_H
#define SHIM_CORE_COMPLAINT_H

#include "call/complaint.h"
#include "shim/shim.h"

/* Of the current call.  The text is a sentence without rank, place and full stop. */
void complain(enum complaint, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of what happened at a place because of what `call` did at another. */
void complain_beside(enum complaint, enum call, const void *place, const void *beside, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Of `count` things that were made elsewhere. */
void complain_at(enum complaint, enum call, const void *place, int64_t count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
