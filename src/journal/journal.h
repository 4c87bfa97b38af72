/*
 * journal -- a search that survives its process.
 *
 * The search is a function of the segments it is told (explore/runner.h), and it
 * asks for them in a fixed order.  So the journal is the list of segments: told
 * them again, a new search is in an instant where the old one was, and goes on.
 * journal_runner stands between the search and a runner: what is recorded is told
 * from the record, and the runner adopts it; what is new is run and appended.  So is what else
 * the search asks and another session would answer otherwise: images, and whether half of the time is gone.
 *
 * The file survives the end of tourney at any moment: a block of records that was not
 * written to its end is cut off at the next opening.  A disk that is full ends the
 * writing, with a sentence on standard error, and not the search.  doc/journal.md
 * tells the bytes.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "explore/runner.h"

struct journal;

/*
 * A new file; `world` is a text that says what is searched, and how: whoever opens
 * the journal again compares it.  NULL with errno set if it cannot be made, EEXIST
 * if there is a file of this name.
 */
struct journal *journal_create(const char *path, const char *world);

/*
 * Goes on with a file.  NULL, and in `error` what is wrong, to follow the file's
 * name: "is not a journal of tourney" (borrowed, static or owned by errno).
 */
struct journal *journal_open(const char *path, const char **error);
const char *journal_world(const struct journal *); /* borrowed */

/* The journal and the runner behind `inner` must outlive the search, which is one of `ranks`. */
struct runner journal_runner(struct journal *, const struct runner *inner, int ranks);

/* What was appended so far outlives tourney: to be called before something found is told. */
void journal_flush(struct journal *);
void journal_close(struct journal *);

/* Nothing more is written, and what is in the file is given up, to make room. */
void journal_abandon(struct journal *);

struct journal_count {
    uint64_t recorded; /* segments, and other answers, in the file when it was opened */
    uint64_t told;     /* of those, to the search */
    uint64_t appended; /* segments that were run, and other answers, that were added; not all may be in the file yet */
    uint64_t
        dropped_bytes; /* bytes cut off at the end when it was opened: a torn or damaged block, and all behind it */
    bool strange;      /* the search asked for something else than what is recorded, or no rank can do what is: it has ended */
    int error;         /* errno: nothing was written any more; 0: all well */
};
struct journal_count journal_count(const struct journal *);

#endif
