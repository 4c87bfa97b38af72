/*
 * bulk -- memory for much that is seldom looked at.
 *
 * A large block lies in a file without a name, in TMPDIR or else in /var/tmp, so that the
 * system can take its pages away and read them again, and need not have memory for them.  A small one, or
 * one for which there is no room on disk, is memory like any other.
 *
 * The system takes pages away when it lacks memory.  Nobody needs to wait for that: bulk_pass lets go of all of them when
 * there are more than a few, and more than the process has of its own, and whoever looks at one again gets it back from the cache of the file system, or from the disk.
 */
#ifndef BASE_BULK_H
#define BASE_BULK_H

#include <stddef.h>

/* All zero; given back with the same size. */
void *bulk_new(size_t bytes) __attribute__((alloc_size(1), returns_nonnull, warn_unused_result));
void *bulk_grow(void *, size_t from, size_t to) __attribute__((alloc_size(3), returns_nonnull, warn_unused_result));
void bulk_free(void *, size_t bytes);

/* To be called by whoever goes through much of it, at each of its pieces: now and then it lets go of what is in memory. */
void bulk_pass(void);

/* As vec_push and vec_release, for a vector that has never been anything but this. */
#define bulk_reserve(vec) ((vec)->at = bulk_room((vec)->at, (vec)->n, &(vec)->cap, sizeof *(vec)->at))
#define bulk_push(vec, ...) (bulk_reserve(vec), (void)((vec)->at[(vec)->n++] = (__VA_ARGS__)))
#define bulk_release(vec)                                                                                              \
    (bulk_free((vec)->at, (vec)->cap * sizeof *(vec)->at), (vec)->at = NULL, (void)((vec)->n = (vec)->cap = 0))
void *bulk_room(void *at, size_t n, size_t *cap, size_t size) __attribute__((warn_unused_result));

/* Pieces that are all given back at one time.  All zero is empty. */
struct hoard {
    char *at;     /* free from here on */
    size_t left;
    struct hoard_block *last; /* owns */
};

/* Room for that many bytes, which can hold any of our structures. */
void *hoard_take(struct hoard *, size_t bytes) __attribute__((returns_nonnull, warn_unused_result));
void *hoard_copy(struct hoard *, const void *, size_t bytes) __attribute__((returns_nonnull, warn_unused_result));
void hoard_release(struct hoard *);

#endif
