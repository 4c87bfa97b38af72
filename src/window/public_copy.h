/*
 * public_copy -- the memory of a window at one of its members, and what its private copies have not heard of yet.
 */
#ifndef WINDOW_PUBLIC_COPY_H
#define WINDOW_PUBLIC_COPY_H

#include "base/map.h"
#include "window/content.h"
#include "window/mail.h"
#include "window/pieces.h"

/* One who has a private copy: the owner; of a shared window, every member. */
struct window_reader {
    rank_t rank;
    struct pieces news;  /* changed by others since it last asked */
    bool asks;           /* it waits for an answer, */
    uint64_t expected;   /* until so many counted messages have come */
};

/* All zero is no window. */
struct public_copy {
    struct content content;
    uint64_t counted;
    uint64_t changes; /* how often bytes became others */
    VEC(struct window_reader) reader; /* by rising rank */
};

void public_copy_copy(struct public_copy *to, const struct public_copy *from);
void public_copy_release(struct public_copy *);
void public_copy_take(struct public_copy *, rank_t from, int tag, const void *message, size_t bytes,
                      struct keeper_mail *);
/* A rank has changed these itself (call/shown_memory.h), and has them in its private copy, if it has one. */
void public_copy_note_written(struct public_copy *, rank_t by, const struct window_piece *, size_t n);
void public_copy_stir(const struct public_copy *, struct map_key *sum);

#endif
