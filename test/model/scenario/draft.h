/*
 * draft -- a scenario as cells of text: made at random, and made smaller.
 */
#ifndef TEST_SCENARIO_DRAFT_H
#define TEST_SCENARIO_DRAFT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DRAFT_RANKS = 4, DRAFT_ROWS = 40, DRAFT_CELL = 72 };

struct draft {
    int ranks;
    bool comms;            /* there is a second communicator */
    const char *buffering; /* "any", "zero", "infinite" */
    int rows[DRAFT_RANKS];
    char cell[DRAFT_RANKS][DRAFT_ROWS][DRAFT_CELL];
};

/* What may be in it. */
enum {
    DRAFT_TAGS = 1, DRAFT_COMMS = 2, DRAFT_MODES = 4, DRAFT_REQUESTS = 8, DRAFT_SELECT = 16, DRAFT_POLLS = 32,
    DRAFT_PROBES = 64, DRAFT_COLLECTIVES = 128, DRAFT_BRANCHES = 256, DRAFT_CANCEL = 512, DRAFT_PERSISTENT = 1024,
    DRAFT_SENDRECV = 2048, DRAFT_DATA = 4096, DRAFT_ALL = 8191,
    DRAFT_PARTS = 8192, DRAFT_PORTS = 16384, /* added to what the others make */
};

void draft_make(struct draft *, uint64_t seed, int features);
void draft_print(const struct draft *, FILE *);
char *draft_text(const struct draft *); /* to be freed */

/* Gives every MPI call a label. */
void draft_label(struct draft *);

/* What draft_print wrote; false: that is not it. */
bool draft_read(struct draft *, char *text); /* which it takes apart */

/* Leaves out whatever can be left out so that it still fails. */
typedef bool draft_fails(void *, const struct draft *);
void draft_shrink(struct draft *, draft_fails *, void *);

#endif
