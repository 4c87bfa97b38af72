#include "diagnosis/near_misses.h"

#include <string.h>

#include "words/describe.h"
#include "words/text.h"

struct near_search {
    const struct final_state *final;
    rank_t rank;
    int told;
    void (*tell)(void *, const struct near_miss *);
    void *data;
};

static const char *difference_of(unsigned unlike)
{
    return unlike == UNLIKE_TAG       ? "tag"
           : unlike == UNLIKE_CONTEXT ? "communicator"
           : unlike == UNLIKE_SOURCE  ? "source"
                                      : NULL;
}

static void put_communicators(FILE *out, const struct final_state *final, context_t is, context_t wanted)
{
    const char *first = final->context_name(final->data, is), *second = final->context_name(final->data, wanted);
    if (!first || !*first || !second || !*second || strcmp(first, second) == 0) {
        fputs("on another communicator", out);
        return;
    }
    fputs("on ", out);
    describe_text(out, first);
    fputs(", not on ", out);
    describe_text(out, second);
}

/* `other` is what there is, a message or a receive; `mine` is what the stuck rank has. */
static void put_miss_difference(FILE *out, const struct final_state *final, const struct sem_view *other,
                                const struct sem_view *mine, unsigned unlike)
{
    bool message = other->kind == SEM_SEND;
    if (message)
        fprintf(out, "a message from rank %d has arrived, but ", other->owner);
    else
        fprintf(out, "rank %d has posted a receive, but ", other->owner);
    if (unlike == UNLIKE_TAG)
        fprintf(out, "%s %d, not %d", message ? "its tag is" : "with tag", other->tag, mine->tag);
    else if (unlike == UNLIKE_CONTEXT)
        put_communicators(out, final, other->context, mine->context);
    else if (message)
        fprintf(out, "the call names rank %d as its source", mine->peer);
    else
        fprintf(out, "for a message from rank %d", other->peer);
}

static void tell_near_miss(struct near_search *search, const struct sem_view *other, const struct sem_view *mine,
                           unsigned unlike)
{
    struct text text;
    text_open(&text);
    put_miss_difference(text.out, search->final, other, mine, unlike);
    struct near_miss miss = {.rank = search->rank,
                             .other = other->owner,
                             .end = other->kind == SEM_SEND ? "message" : "receive",
                             .difference = (char *)difference_of(unlike),
                             .text = text_close(&text)};
    search->tell(search->data, &miss);
    search->told++;
    free(miss.text);
}

/* Everything unmatched at a rank; owned by the caller. */
static op_id *unmatched(const struct sem *sem, rank_t at, int *n)
{
    *n = sem_unmatched(sem, at, NULL, 0);
    op_id *ops = xcalloc((size_t)*n, sizeof *ops);
    sem_unmatched(sem, at, ops, *n);
    return ops;
}

enum { TOLD = 3 }; /* for each thing that is waited for */

static void look_for_unlike(struct near_search *search, const struct sem_view *recv, const op_id *sends, int n,
                            unsigned parts)
{
    for (int i = 0; i < n && search->told < TOLD; i++) {
        struct sem_view send = sem_view(search->final->sem, sends[i]);
        if (send.kind != SEM_SEND)
            break;
        unsigned unlike =
            sem_unlike(search->final->sem, sends[i], recv->owner, recv->peer, recv->context, recv->tag);
        if (difference_of(unlike) && unlike & parts)
            tell_near_miss(search, &send, recv, unlike);
    }
}

/* That others have sent as well is of interest only if the one who was asked for has sent nothing of the kind. */
static void look_for_messages(struct near_search *search, const struct sem_view *recv)
{
    int n;
    op_id *ops = unmatched(search->final->sem, recv->owner, &n);
    search->told = 0;
    look_for_unlike(search, recv, ops, n, UNLIKE_TAG | UNLIKE_CONTEXT);
    if (search->told == 0)
        look_for_unlike(search, recv, ops, n, UNLIKE_SOURCE);
    free(ops);
}

struct find {
    op_id wanted;
    bool found;
};

static void find_need(void *data, const struct sem_need *need)
{
    struct find *find = data;
    find->found = find->found || need->op == find->wanted;
}

/* Its owner is stuck in it as well, and it is told there. */
static bool is_awaited(const struct sem *sem, rank_t owner, op_id recv)
{
    struct find find = {recv, false};
    sem_needs(sem, owner, find_need, &find);
    return find.found;
}

static void look_for_receives(struct near_search *search, op_id id, const struct sem_view *send)
{
    const struct sem *sem = search->final->sem;
    int n;
    op_id *ops = unmatched(sem, send->peer, &n);
    search->told = 0;
    for (int i = 0; i < n && search->told < TOLD; i++) {
        struct sem_view recv = sem_view(sem, ops[i]);
        if (recv.kind != SEM_RECV || is_awaited(sem, send->peer, ops[i]))
            continue;
        unsigned unlike = sem_unlike(sem, id, recv.owner, recv.peer, recv.context, recv.tag);
        if (difference_of(unlike))
            tell_near_miss(search, &recv, send, unlike);
    }
    free(ops);
}

static void look_around_op(struct near_search *search, op_id id)
{
    struct sem_view view = sem_view(search->final->sem, id);
    if (view.kind == SEM_RECV)
        look_for_messages(search, &view);
    else if (view.kind == SEM_SEND && !view.matched) /* else a matched probe has taken it */
        look_for_receives(search, id, &view);
}

static void look_at_probe(struct near_search *search)
{
    const struct op *probe = final_call(search->final, search->rank);
    if (!op_probes(probe))
        return; /* threads that wait for each other */
    struct sem_view view = {.kind = SEM_RECV, .owner = search->rank, .peer = probe->peer, .tag = probe->tag,
                            .context = probe->context};
    look_for_messages(search, &view);
}

static void look_at_need(void *search, const struct sem_need *need)
{
    if (need->op == OP_ID_NONE)
        look_at_probe(search);
    else
        look_around_op(search, need->op);
}

/* A test is for some of the rank's receives; that it is not for all of them hardly matters. */
static void look_at_poll(struct near_search *search)
{
    int n;
    op_id *ops = unmatched(search->final->sem, search->rank, &n);
    if (final_call(search->final, search->rank)->kind == OP_IPROBE)
        look_at_probe(search);
    else
        for (int i = 0; i < n; i++)
            if (sem_view(search->final->sem, ops[i]).kind == SEM_RECV)
                look_around_op(search, ops[i]);
    free(ops);
}

void near_misses_tell(const struct final_state *final, rank_t rank, void (*tell)(void *, const struct near_miss *),
                      void *data)
{
    struct near_search search = {.final = final, .rank = rank, .tell = tell, .data = data};
    if (final_waits(final, rank))
        sem_needs(final->sem, rank, look_at_need, &search);
    else if (final_call(final, rank))
        look_at_poll(&search);
}
