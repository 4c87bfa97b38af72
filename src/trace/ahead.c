#include "trace/ahead.h"

#include <stdlib.h>

enum { PLACE_MAX = 512 };

static struct rank_ahead *rank_ahead_of(struct ahead *ahead, rank_t rank)
{
    uint32_t number;
    if (!map_get(&ahead->rank_of, map_key((uint64_t)rank), &number)) {
        number = (uint32_t)ahead->ranks.n;
        vec_push(&ahead->ranks, (struct rank_ahead){.sorted = true});
        map_put(&ahead->rank_of, map_key((uint64_t)rank), number);
    }
    return &ahead->ranks.at[number];
}

static void note_last_op(struct ahead *ahead, struct op_ref ref, const struct op *op)
{
    struct rank_ahead *rank = rank_ahead_of(ahead, ref.rank);
    rank->last = ref.index;
    rank->kind = op->kind;
    rank->flags = op->flags;
    rank->returned = false;
}

static void note_outcome(struct ahead *ahead, struct op_ref op, uint64_t other, rank_t other_rank)
{
    struct rank_ahead *rank = rank_ahead_of(ahead, op.rank);
    if (rank->outcomes.n > 0 && vec_last(&rank->outcomes).index > op.index)
        rank->sorted = false;
    vec_push(&rank->outcomes, (struct ahead_outcome){op.index, other, other_rank});
}

static bool has_answer(const struct rank_ahead *rank)
{
    return rank->kind == OP_TEST || rank->kind == OP_PROBE || rank->kind == OP_IPROBE ||
           (rank->kind == OP_WAIT && rank->flags & (OPF_ANY | OPF_SOME));
}

static void note_return(struct ahead *ahead, const struct trace_return *ret)
{
    struct rank_ahead *rank = rank_ahead_of(ahead, ret->op.rank);
    struct line requests = {0};
    if (rank->last != ret->op.index)
        return;
    rank->returned = true;
    if (!has_answer(rank))
        return;
    if (ret->requests > 0)
        line_add_list(&requests, ret->request, ret->requests);
    note_outcome(ahead, ret->op, ahead->answers.n, RANK_NONE);
    vec_push(&ahead->answers, (struct ahead_answer){ret->flag, ret->source, ret->tag, ret->bytes, requests.at});
}

static void note_place(struct ahead *ahead, const struct trace_place *place)
{
    struct map_key key = map_key2((uint64_t)place->rank, place->address);
    uint32_t number = map_find(&ahead->place_of, key, (uint32_t)ahead->places.n);
    char text[PLACE_MAX];
    if (number == ahead->places.n) {
        vec_push(&ahead->places, NULL);
        map_put(&ahead->place_of, key, number);
    }
    free(ahead->places.at[number]);
    ahead->places.at[number] = clean_text(trace_place_format(place, text, sizeof text));
}

static void note_record(struct ahead *ahead, const struct trace_record *record)
{
    switch (record->kind) {
    case TRACE_OP:
        note_last_op(ahead, record->ref, record->op);
        break;
    case TRACE_MATCH:
        note_outcome(ahead, record->ref, record->other.index, record->other.rank);
        note_outcome(ahead, record->other, record->ref.index, record->ref.rank);
        break;
    case TRACE_RETURN:
        note_return(ahead, &record->ret);
        break;
    case TRACE_PLACE:
        note_place(ahead, &record->place);
        break;
    case TRACE_END:
    case TRACE_EOF:
    case TRACE_TORN:
        break;
    }
}

static int by_index(const void *a, const void *b)
{
    const struct ahead_outcome *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

void ahead_read(struct ahead *ahead, struct trace_reader *reader)
{
    struct trace_record record;
    enum trace_record_kind kind;
    while ((kind = trace_next(reader, &record)) != TRACE_EOF && kind != TRACE_TORN)
        note_record(ahead, &record);
    ahead->whole = kind == TRACE_EOF;
    for (size_t i = 0; i < ahead->ranks.n; i++) {
        struct rank_ahead *rank = &ahead->ranks.at[i];
        if (!rank->sorted)
            qsort(rank->outcomes.at, rank->outcomes.n, sizeof *rank->outcomes.at, by_index);
    }
}

void ahead_release(struct ahead *ahead)
{
    for (size_t i = 0; i < ahead->ranks.n; i++)
        vec_release(&ahead->ranks.at[i].outcomes);
    for (size_t i = 0; i < ahead->answers.n; i++)
        free(ahead->answers.at[i].requests);
    for (size_t i = 0; i < ahead->places.n; i++)
        free(ahead->places.at[i]);
    vec_release(&ahead->ranks);
    vec_release(&ahead->answers);
    vec_release(&ahead->places);
    map_release(&ahead->rank_of);
    map_release(&ahead->place_of);
}

static const struct rank_ahead *find_rank(const struct ahead *ahead, rank_t rank)
{
    uint32_t number;
    return map_get(&ahead->rank_of, map_key((uint64_t)rank), &number) ? &ahead->ranks.at[number] : NULL;
}

size_t ahead_outcomes(const struct ahead *ahead, struct op_ref ref, const struct ahead_outcome **first)
{
    const struct rank_ahead *rank = find_rank(ahead, ref.rank);
    size_t low = 0, high = rank ? rank->outcomes.n : 0, n = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rank->outcomes.at[middle].index < ref.index)
            low = middle + 1;
        else
            high = middle;
    }
    while (rank && low + n < rank->outcomes.n && rank->outcomes.at[low + n].index == ref.index)
        n++;
    *first = n > 0 ? &rank->outcomes.at[low] : NULL;
    return n;
}

bool ahead_never_returned(const struct ahead *ahead, struct op_ref ref, const struct op *op)
{
    const struct rank_ahead *rank = find_rank(ahead, ref.rank);
    bool blocks = op->flags & OPF_BLOCKING || op->kind == OP_WAIT || op->kind == OP_PROBE;
    return ahead->whole && rank && rank->last == ref.index && !rank->returned && blocks && !(op->flags & OPF_WENT_ON);
}

const char *ahead_place(const struct ahead *ahead, rank_t rank, uint64_t address)
{
    uint32_t number;
    return map_get(&ahead->place_of, map_key2((uint64_t)rank, address), &number) ? ahead->places.at[number] : NULL;
}
