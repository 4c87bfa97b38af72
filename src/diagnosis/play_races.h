/*
 * play_races -- what `run` says of races at windows and in files.
 *
 * The checks are those of the search (check/window_races.h, file_races.h); here they read one run, chapter by chapter (play/chronicle.h).
 */
#ifndef DIAGNOSIS_PLAY_RACES_H
#define DIAGNOSIS_PLAY_RACES_H

#include "check/file_races.h"
#include "check/window_races.h"
#include "diagnosis/play_absentees.h"
#include "outcome/final_state.h"

struct play_races {
    const struct final_state *final; /* borrows: whose code is looked up */
    struct symbols *symbols;         /* borrows */
    struct window_races races;
    struct file_races files;
    struct map known;    /* keys of defects that were found before */
    findings_t findings; /* owned by whoever takes them */
    bool unfollowed;     /* a part of the run could not be followed */
    char *stopped;       /* owns; from where on nothing was compared; NULL: all was */
    char *unseen;        /* owns; from where on loads and stores were not all known, the first such place; NULL: they were */
};

/* As in struct chapter_reader (play/play.h); the first is a struct play_races. */
enum chapter_end play_races_read(void *, const struct told_run *, const struct local_touches *, struct chapter_rest *);
void play_races_stopped(void *, rank_t, const struct op *);
void play_races_unseen(void *, rank_t, uint64_t place);

void play_races_release(struct play_races *);

#endif
