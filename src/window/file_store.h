/*
 * file_store -- what MPI calls have written to files in a run (call/file_store.h).
 */
#ifndef WINDOW_FILE_STORE_H
#define WINDOW_FILE_STORE_H

#include "base/map.h"
#include "base/mem.h"
#include "call/file_store.h"
#include "window/mail.h"

struct stored_chunk;

/* Some bytes of a file in a row, of which those that were written count; copies of a store share chunks, and who writes to one makes it anew. */
struct stored_part {
    uint64_t number;
    struct stored_chunk *chunk; /* owns a share */
};

struct stored_file {
    uint64_t file;
    enum file_state state; /* never FILE_UNKNOWN */
    uint64_t size, base; /* as in struct file_answer */
    VEC(struct stored_part) part; /* by rising number */
};

/* All zero is empty. */
struct file_store {
    VEC(struct stored_file) at; /* by rising `file` */
    uint64_t changes;
};

void file_store_copy(struct file_store *to, const struct file_store *from);
void file_store_release(struct file_store *);
void file_store_take(struct file_store *, rank_t from, const void *message, size_t bytes, struct keeper_mail *);
void file_store_stir(const struct file_store *, struct map_key *sum);

#endif
