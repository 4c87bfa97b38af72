/*
 * byteset -- a set of bytes, by 64-bit locations: pages of bits.
 *
 * What is asked again and again lies close together, so the page used last is remembered.
 */
#ifndef FLOW_BYTESET_H
#define FLOW_BYTESET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/mem.h"

enum { BYTESET_PAGE = 4096, BYTESET_WORDS = BYTESET_PAGE / 64 };

struct byteset_page {
    uint64_t number; /* of the page: its location divided by BYTESET_PAGE */
    uint64_t bits[BYTESET_WORDS];
};

/* All zero is empty.  `all`: it has every byte there is. */
struct byteset {
    VEC(struct byteset_page) page;
    struct map places; /* number -> in `page`, and one */
    uint32_t last;     /* in `page`, and one: the one found last; 0: none */
    bool all;
};

void byteset_release(struct byteset *);
void byteset_clear(struct byteset *);
void byteset_copy(struct byteset *to, const struct byteset *from); /* what `to` held is released */

bool byteset_has_any(struct byteset *, uint64_t at, uint64_t bytes);
void byteset_add(struct byteset *, uint64_t at, uint64_t bytes);
void byteset_remove(struct byteset *, uint64_t at, uint64_t bytes);
/* Adds a whole set; true: some of it is new. */
bool byteset_unite(struct byteset *, const struct byteset *more);
/* The first member from `at` on and below `end`; `end`: there is none. */
uint64_t byteset_next(struct byteset *, uint64_t at, uint64_t end);
uint64_t byteset_count(const struct byteset *);

#endif
