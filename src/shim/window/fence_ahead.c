#include "shim/window/fence_ahead.h"

#include <string.h>

#include "call/mail.h"
#include "shim/virtual/window_mail.h"
#include "shim/window/keeper_link.h"
#include "shim/window/private_copy.h"

enum { PIECES = 64 }; /* of all accesses together; more are asked for */

/* A piece of one put. */
struct shown_piece {
    struct window_piece where;
    const char *data;
    rank_t from;
};
struct shown_pieces {
    struct shown_piece at[PIECES];
    int n;
};

/* The fence is joined already, or about to be. */
static struct window_fence fence_with(const struct window *w, int member, bool joined)
{
    return (struct window_fence){.memory = window_memory_of(w, member), .turn = w->comm->turns - joined, .context = w->comm->context};
}

static void find_fence_senders(struct window_senders *senders, const struct window *w)
{
    senders->fence = fence_with(w, w->comm->rank, true);
    window_mail_find_senders(senders, w->comm->local->rank, window_members(w));
}

/* What has results is answered, and asked for by nobody else. */
void fence_ahead_show(struct window *w)
{
    for (int i = 0; i < window_members(w) && window_mail_is_open(); i++) {
        struct target *target = &w->target[i];
        if (i == w->comm->rank || target->queue.accesses == 0 || target->queue.results > 0 || w->flavour == MPI_WIN_FLAVOR_DYNAMIC)
            continue;
        struct window_fence fence = fence_with(w, i, false);
        keeper_show_counted(w, i, &fence);
    }
}

static bool overlaps_other(const struct shown_pieces *pieces, struct window_piece piece, rank_t from)
{
    for (int i = 0; i < pieces->n; i++) {
        const struct shown_piece *other = &pieces->at[i];
        if (other->from != from && other->where.at < piece.at + piece.bytes && piece.at < other->where.at + other->where.bytes)
            return true;
    }
    return false;
}

/* False: its place among the others matters, or it is none of a few puts. */
static bool add_shown_access(struct shown_pieces *pieces, const struct window_access *access, rank_t from)
{
    const struct window_piece *piece = (const struct window_piece *)(access + 1);
    const char *data = (const char *)(piece + access->pieces);
    if (access->kind != WINDOW_PUT)
        return false;
    for (uint32_t i = 0; i < access->pieces; data += piece[i++].bytes) {
        if (pieces->n == PIECES || overlaps_other(pieces, piece[i], from))
            return false;
        pieces->at[pieces->n++] = (struct shown_piece){piece[i], data, from};
    }
    return true;
}

static size_t access_size(const struct window_access *access)
{
    return sizeof *access + access->pieces * sizeof(struct window_piece) + op_round(access->bytes);
}

static bool add_mail(struct shown_pieces *pieces, const struct mail *m, rank_t from)
{
    const struct window_message *message = op_tail(&m->op);
    const char *at = (const char *)(message + 1);
    for (uint32_t i = 0; i < message->accesses; i++) {
        const struct window_access *access = (const void *)at;
        if (!add_shown_access(pieces, access, from))
            return false;
        at += access_size(access);
    }
    return true;
}

static bool add_mails(struct shown_pieces *pieces, const struct window_senders *senders)
{
    for (int i = 0; i < senders->n; i++) {
        const struct mail *m = NULL;
        while ((m = window_mail_next(senders, senders->rank[i], m)))
            if (!add_mail(pieces, m, senders->rank[i]))
                return false;
    }
    return true;
}

bool fence_ahead_take(struct window *w, uint64_t accesses)
{
    static struct shown_pieces pieces; /* on the stack it would be set to zero first */
    struct window_senders senders;
    pieces.n = 0;
    if (!window_mail_is_open() || w->flavour == MPI_WIN_FLAVOR_DYNAMIC || keeper_may_have_counted_news(w))
        return false;
    find_fence_senders(&senders, w);
    if (window_mail_shown(&senders) != accesses || !add_mails(&pieces, &senders))
        return false;
    for (int i = 0; i < pieces.n; i++)
        private_copy_take(w, pieces.at[i].where, pieces.at[i].data);
    window_mail_drop(&senders);
    return true;
}

void fence_ahead_forget(const struct window *w)
{
    struct window_senders senders;
    if (!window_mail_is_open())
        return;
    find_fence_senders(&senders, w);
    window_mail_drop(&senders);
}
