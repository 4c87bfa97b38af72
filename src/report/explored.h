/*
 * explored -- what the search found, told run by run.
 *
 * Runs that go wrong in the same way are one finding: the first is shown, with the
 * decisions that lead to it, the others are counted.
 */
#ifndef REPORT_EXPLORED_H
#define REPORT_EXPLORED_H

#include <stdio.h>

#include "base/map.h"
#include "drive/drive.h"
#include "explore/explore.h"
#include "report/symbol.h"

/* What was shown already; all zero is nothing. */
struct findings {
    uint32_t count;
    struct map seen; /* owns: what they look like */
};
void findings_release(struct findings *);

struct explored {
    FILE *out;
    struct explorer *explorer; /* borrows, as all of these */
    struct drive *drive;
    struct symbols *symbols;
    int ranks;
    bool stop_first;
    struct findings *findings;
    uint64_t bad_runs;
    bool refused;          /* a run ended with a call that is not supported */
    bool is_mpi;           /* some rank has called MPI_Init */
    const struct run *run; /* being looked at */
};

/* A visitor for explore_run; `data` is a struct explored. */
enum visit explored_visit(void *data, const struct run *);

#endif
