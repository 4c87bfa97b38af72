#include "flow/byteset.h"

#include <string.h>

void byteset_release(struct byteset *set)
{
    vec_release(&set->page);
    map_release(&set->places);
    *set = (struct byteset){0};
}

void byteset_clear(struct byteset *set)
{
    byteset_release(set);
}

void byteset_copy(struct byteset *to, const struct byteset *from)
{
    byteset_release(to);
    vec_copy(&to->page, &from->page);
    map_copy(&to->places, &from->places);
    to->all = from->all;
}

static struct byteset_page *find_page(struct byteset *set, uint64_t number, bool make)
{
    if (set->last && set->page.at[set->last - 1].number == number)
        return &set->page.at[set->last - 1];
    uint32_t place = map_find(&set->places, map_key(number), 0);
    if (!place && !make)
        return NULL;
    if (!place) {
        vec_push(&set->page, (struct byteset_page){.number = number});
        place = (uint32_t)set->page.n;
        map_put(&set->places, map_key(number), place);
    }
    set->last = place;
    return &set->page.at[place - 1];
}

/* The bits from..until-1 of a word. */
static uint64_t word_bits(uint64_t from, uint64_t until)
{
    uint64_t below = until == 64 ? UINT64_MAX : (UINT64_C(1) << until) - 1;
    return below & ~((UINT64_C(1) << from) - 1);
}

enum deed { LOOK, ADD, REMOVE };

/* One word after the other; LOOK: true if some bit is there. */
static bool for_each_word(struct byteset *set, uint64_t at, uint64_t bytes, enum deed deed)
{
    for (uint64_t end = at + bytes; at < end;) {
        struct byteset_page *page = find_page(set, at / BYTESET_PAGE, deed == ADD);
        uint64_t stop = at - at % 64 + 64 < end ? at - at % 64 + 64 : end;
        if (!page) {
            at = at - at % BYTESET_PAGE + BYTESET_PAGE;
            continue;
        }
        uint64_t *word = &page->bits[at % BYTESET_PAGE / 64];
        uint64_t bits = word_bits(at % 64, stop - (at - at % 64));
        if (deed == LOOK && *word & bits)
            return true;
        if (deed == ADD)
            *word |= bits;
        else if (deed == REMOVE)
            *word &= ~bits;
        at = stop;
    }
    return false;
}

bool byteset_has_any(struct byteset *set, uint64_t at, uint64_t bytes)
{
    return set->all || for_each_word(set, at, bytes, LOOK);
}

void byteset_add(struct byteset *set, uint64_t at, uint64_t bytes)
{
    for_each_word(set, at, bytes, ADD);
}

void byteset_remove(struct byteset *set, uint64_t at, uint64_t bytes)
{
    for_each_word(set, at, bytes, REMOVE);
}

bool byteset_unite(struct byteset *set, const struct byteset *more)
{
    bool grown = more->all && !set->all;
    set->all |= more->all;
    for (size_t i = 0; i < more->page.n; i++) {
        const struct byteset_page *from = &more->page.at[i];
        struct byteset_page *to = find_page(set, from->number, true);
        for (int w = 0; w < BYTESET_WORDS; w++) {
            grown |= from->bits[w] & ~to->bits[w];
            to->bits[w] |= from->bits[w];
        }
    }
    return grown;
}

uint64_t byteset_next(struct byteset *set, uint64_t at, uint64_t end)
{
    while (at < end && !set->all) {
        struct byteset_page *page = find_page(set, at / BYTESET_PAGE, false);
        if (!page) {
            at = at - at % BYTESET_PAGE + BYTESET_PAGE;
            continue;
        }
        uint64_t left = page->bits[at % BYTESET_PAGE / 64] >> at % 64;
        if (left) {
            at += (uint64_t)__builtin_ctzll(left);
            break;
        }
        at = at - at % 64 + 64;
    }
    return at < end ? at : end;
}

uint64_t byteset_count(const struct byteset *set)
{
    uint64_t n = 0;
    for (size_t i = 0; i < set->page.n; i++)
        for (int w = 0; w < BYTESET_WORDS; w++)
            n += (uint64_t)__builtin_popcountll(set->page.at[i].bits[w]);
    return n;
}
