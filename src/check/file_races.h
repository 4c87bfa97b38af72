/*
 * file_races -- accesses of several ranks to one byte of a file that MPI does not order, as defects (file-race; MPI-4.0, 14.6.1).
 *
 * Two accesses conflict if they have a byte in common and one of them writes.  Those by file handles of one collective open are sequentially consistent in
 * atomic mode.  Else the first has to be over for its rank, by MPI_File_sync or MPI_File_close, before the rank of the second calls MPI_File_sync or MPI_File_open,
 * and then makes its access: as in sync, barrier, sync.  That collective calls on files wait for anybody is not promised.
 */
#ifndef CHECK_FILE_RACES_H
#define CHECK_FILE_RACES_H

#include "check/defect.h"
#include "outcome/told_run.h"
#include "outcome/window_remark.h"

/* All zero at first. */
struct file_races {
    uint64_t unfollowed; /* runs of which accesses to files could not be compared */
    const struct window_past *past; /* borrows: of a play whose chapters before are not over; NULL: there is none */
    bool told;           /* there were accesses to files */
    bool open;           /* of the last run: some rank has a file open, so what follows could race with what it did */

    /* Somebody has read what another rank had written. */
    bool read_from_others;
    rank_t reader, writer;
    struct op read; /* the first such access; without its tail */
};

/* Those of one run.  On a real job, with what that tells of files; else NULL. */
void file_races_add(struct file_races *, const struct told_run *, const struct window_remarks *, defects_t *);

#endif
