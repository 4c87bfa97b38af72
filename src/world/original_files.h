/*
 * original_files -- files as they were before others changed them, for processes that go a known way once more.
 *
 * Runs share the file system.  A program that looks whether its results are there already, or what an earlier job has
 * left, would find what other runs have made, and do something else when it is run again.  So what was there is noted
 * before a rank changes it.  Changes are counted, and a process that goes a known way once more sees as many of them as the first one
 * that went there, and its own.
 *
 * It is told whether a file is there, and what is in it if it reads it; not what is in a folder, nor what more came
 * into a file that was changed before.
 */
#ifndef WORLD_ORIGINAL_FILES_H
#define WORLD_ORIGINAL_FILES_H

#include <linux/seccomp.h>
#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"
#include "call/made_files.h"

struct original_file {
    uint32_t change;   /* its number among the changes; CHANGED_BEFORE: it was by an earlier search, and nobody has changed it since */
    bool was_there;
    int contents;      /* a file of tourney's own; -1: it had none, or they are not kept */
    rank_t changed_by; /* the first that did */
};

enum { CHANGED_BEFORE = UINT32_MAX };

/* All zero: nothing has changed. */
struct original_files {
    VEC(struct original_file) file;
    struct map number; /* in `file`, by a hash of the path */
    uint32_t changes;  /* so many of them were changed in this search */
    uint64_t bytes;    /* that are kept of them */
    made_files_t made; /* those that were not there */
};

/* An earlier search, of which this one shows runs again or goes on with, has made these. */
void original_files_open(struct original_files *, const made_files_t *);
void original_files_release(struct original_files *);

/* Adds those that were made, and are not in the list. */
void original_files_tell_made(const struct original_files *, made_files_t *);

/* What a process sees of them. */
struct file_view {
    uint32_t changes;   /* so many of the first; and */
    VEC(uint32_t) own;  /* files that it has changed itself, or those whose copy it is, later than these */
};
void file_view_set(struct file_view *, const struct original_files *, uint32_t changes);
struct file_view file_view_copy(const struct file_view *);
void file_view_release(struct file_view *);

/* A process of the rank waits in the call; it will be made next. */
void original_files_note(struct original_files *, struct file_view *, pid_t, rank_t, const struct seccomp_data *);

/* What the process is told in place of what the kernel would say. */
struct original_answer {
    bool given; /* false: the call is to be made */
    int error;  /* 0: none */
    int opened; /* a descriptor of tourney's, which closes it, for the process; -1: none */
};
struct original_answer original_files_answer(const struct original_files *, const struct file_view *, pid_t, rank_t,
                                             const struct seccomp_data *);

#endif
