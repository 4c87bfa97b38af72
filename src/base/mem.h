/*
 * mem -- allocation that does not fail, and vectors.
 *
 * The x-allocators die() when memory runs out and never return NULL, not even
 * for nothing.
 *
 * VEC(type) declares a vector, owned by whoever holds it; all zero is empty:
 *
 *     VEC(rank_t) ranks = {0};
 *     vec_push(&ranks, 3);
 *     for (size_t i = 0; i < ranks.n; i++)
 *         use(ranks.at[i]);
 *     vec_release(&ranks);
 *
 * Pushing may move the elements: keep indexes, not pointers.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

void *xmalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull, warn_unused_result));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull, warn_unused_result));
void *xrealloc(void *, size_t n, size_t size) __attribute__((alloc_size(2, 3), returns_nonnull, warn_unused_result));
void *xmemdup(const void *, size_t n, size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
char *xstrdup(const char *) __attribute__((malloc, returns_nonnull, warn_unused_result));
char *xformat(const char *format, ...) __attribute__((malloc, returns_nonnull, warn_unused_result, format(printf, 1, 2)));

#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t n, cap;                                                                                                 \
    }

/* Room for `more` further elements. */
#define vec_reserve(vec, more) ((vec)->at = vec_room((vec)->at, (vec)->n, &(vec)->cap, (more), sizeof *(vec)->at))
#define vec_push(vec, ...) (vec_reserve(vec, 1), (void)((vec)->at[(vec)->n++] = (__VA_ARGS__)))
#define vec_pop(vec) ((vec)->at[--(vec)->n])
#define vec_last(vec) ((vec)->at[(vec)->n - 1])
#define vec_clear(vec) ((void)((vec)->n = 0))
#define vec_release(vec) (free((vec)->at), (vec)->at = NULL, (void)((vec)->n = (vec)->cap = 0))

/* The same, after release() of each element. */
#define vec_release_each(vec, release)                                                                                 \
    do {                                                                                                               \
        for (size_t i_ = 0; i_ < (vec)->n; i_++)                                                                       \
            release(&(vec)->at[i_]);                                                                                   \
        vec_release(vec);                                                                                              \
    } while (0)

/* Makes `to`, whatever it holds, an own copy of `from`; what `to` held before is not freed. */
#define vec_copy(to, from)                                                                                             \
    ((to)->at = (from)->n ? xmemdup((from)->at, (from)->n, sizeof *(from)->at) : NULL,                                 \
     (void)((to)->n = (to)->cap = (from)->n))

/* The same where `to` holds something of its own, or is all zero: room that it has is used again. */
#define vec_assign(to, from)                                                                                           \
    ((to)->at = array_assign((to)->at, &(to)->cap, (from)->at, (from)->n, sizeof *(from)->at), (void)((to)->n = (from)->n))
void *array_assign(void *at, size_t *cap, const void *from, size_t n, size_t size) __attribute__((warn_unused_result));

void *vec_room(void *at, size_t n, size_t *cap, size_t more, size_t size) __attribute__((warn_unused_result));

#endif
