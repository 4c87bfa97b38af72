#include "window/pieces.h"

#include <string.h>

/* The first that ends at `at` or behind. */
static size_t first_reaching(const struct pieces *pieces, uint64_t at)
{
    size_t first = 0, last = pieces->piece.n;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (pieces->piece.at[middle].at + pieces->piece.at[middle].bytes < at)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* In place of those from `first` to before `until` there are these. */
static void replace_pieces(struct pieces *pieces, size_t first, size_t until, const struct window_piece *by, size_t n)
{
    size_t behind = pieces->piece.n - until;
    vec_reserve(&pieces->piece, n);
    if (behind)
        memmove(pieces->piece.at + first + n, pieces->piece.at + until, behind * sizeof *by);
    if (n)
        memcpy(pieces->piece.at + first, by, n * sizeof *by);
    pieces->piece.n = first + n + behind;
}

void pieces_add(struct pieces *pieces, uint64_t at, uint64_t bytes)
{
    uint64_t end = at + bytes;
    size_t first = first_reaching(pieces, at), until = first;
    if (!bytes)
        return;
    for (; until < pieces->piece.n && pieces->piece.at[until].at <= end; until++) {
        const struct window_piece *there = &pieces->piece.at[until];
        at = there->at < at ? there->at : at;
        end = there->at + there->bytes > end ? there->at + there->bytes : end;
    }
    replace_pieces(pieces, first, until, &(struct window_piece){at, end - at}, 1);
}

void pieces_remove(struct pieces *pieces, uint64_t at, uint64_t bytes)
{
    uint64_t end = at + bytes;
    size_t first = first_reaching(pieces, at), until = first, n = 0;
    struct window_piece rest[2];
    if (!bytes)
        return;
    for (; until < pieces->piece.n && pieces->piece.at[until].at < end; until++) {
        struct window_piece there = pieces->piece.at[until];
        if (there.at < at)
            rest[n++] = (struct window_piece){there.at, at - there.at < there.bytes ? at - there.at : there.bytes};
        if (there.at + there.bytes > end)
            rest[n++] = (struct window_piece){end, there.at + there.bytes - end};
    }
    replace_pieces(pieces, first, until, rest, n);
}
