/*
 * corpus -- the folder of inputs (--inputs).
 *
 * The user puts files there to begin with, and what shows something new is put beside them, under names that say by whom: tourney-HASH.  So
 * a search at another day begins where this one has ended.  In the end those of tourney's are removed which show nothing
 * that is not shown by others; files of the user are never touched.
 */
#ifndef INPUTS_CORPUS_H
#define INPUTS_CORPUS_H

#include "inputs/observation.h"

struct corpus_file {
    char *name; /* owns; in the folder */
    bool ours;
};

struct corpus {
    const char *folder; /* borrows */
    VEC(struct corpus_file) files; /* by name, the user's first */
};

/* Dies with a sentence if there is no such folder, or no file in it. */
void corpus_open(struct corpus *, const char *folder);
void corpus_release(struct corpus *);

/* Dies with a sentence if it cannot. */
input_bytes_t corpus_read(const struct corpus *, size_t file);
void corpus_write(const char *folder, const char *name, const input_bytes_t *);

/* One of ours that is not needed; whether it can be removed is no matter. */
void corpus_remove(const struct corpus *, const char *name);

/* The name of an input that was made from one with the other name, which it ends like; to be freed. */
char *corpus_name(const input_bytes_t *, const char *from);

#endif
