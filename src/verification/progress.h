/*
 * progress -- how far a search has come, on standard error.
 *
 * On a terminal one line that is written over and over; elsewhere a line from time
 * to time, so that a log shows that it is alive.
 */
#ifndef VERIFICATION_PROGRESS_H
#define VERIFICATION_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcome/completeness.h"

struct progress {
    bool quiet;
    bool terminal;
    bool shown;    /* there is a line on the terminal */
    double start, last; /* seconds, on the clock that never goes back */
};

/* What it shows. */
struct progress_figures {
    uint64_t runs;
    double estimate; /* of all runs; 0: unknown */
    size_t findings;
    struct completeness complete;
};

void progress_begin(struct progress *, bool quiet);
void progress_show(struct progress *, const struct progress_figures *); /* if it is time to */
void progress_say(struct progress *, const char *words);        /* on a terminal, in place of that */
void progress_clear(struct progress *);                         /* makes room for other lines */

double progress_seconds(const struct progress *); /* since it began */

#endif
