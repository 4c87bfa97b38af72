#include "diagnosis/fault.h"

#include "base/hash.h"

static int by_place_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

typedef VEC(uint64_t) places_t;

/* Where ranks are stuck, each place once. */
static void stir_places(struct map_key *sum, places_t *places)
{
    if (places->n)
        qsort(places->at, places->n, sizeof *places->at, by_place_address);
    for (size_t i = 0; i < places->n; i++)
        if (i == 0 || places->at[i] != places->at[i - 1])
            hash_stir(sum, places->at[i]);
}

/* The last operation of a rank that hangs is its stack, which is hardly ever the same; this is the one before. */
static const struct op *call_before_hang(struct run_view *view, rank_t r)
{
    int64_t last = run_view_last_number(view, r);
    return last > 0 ? run_view_nth_op(view, &run_view_account(view)->trail[r], (uint32_t)last - 1) : NULL;
}

static uint64_t place_of_last_call(struct run_view *view, rank_t r)
{
    const struct op *op = view->run->end == RUN_HUNG ? call_before_hang(view, r) : run_view_last_op(view, r);
    return op ? op->place : 0;
}

static void stir_stack(struct map_key *sum, const struct op *op)
{
    const uint64_t *address = op_tail(op);
    for (uint32_t i = 0; i < op->items; i++)
        hash_stir(sum, address[i]);
}

/* Stirred in before any place: places are near to each other, and must not make up for another end. */
static struct map_key start_of_fault_sum(enum run_end end, bool less_slack, bool mixed)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, (uint64_t)end << 2 | (uint64_t)mixed << 1 | less_slack);
    return sum;
}

struct map_key fault_deadlock_key(bool less_slack, bool mixed, const uint64_t *place, size_t n)
{
    places_t places = {.at = xmemdup(place, n, sizeof *place), .n = n};
    struct map_key sum = start_of_fault_sum(RUN_DEADLOCK, less_slack, mixed);
    stir_places(&sum, &places);
    vec_release(&places);
    return sum;
}

static struct map_key cause(struct run_view *view)
{
    const struct run *run = view->run;
    places_t places = {0};
    struct map_key sum = start_of_fault_sum(run->end, run->less_slack != NULL, run->mixed);
    for (rank_t r = 0; r < view->ranks && run->rank < 0; r++)
        if (run->call[r])
            vec_push(&places, run->call[r]->place);
    if (run->end == RUN_MISMATCH) {
        hash_stir(&sum, run->unlike.fault);
        vec_push(&places, run->op->place);
        vec_push(&places, run->other_op->place);
    } else if (run->rank >= 0) {
        vec_push(&places, place_of_last_call(view, run->rank));
    }
    if (run->end == RUN_CRASH) {
        const struct op *op = run_view_last_op(view, run->rank);
        hash_stir(&sum, (uint64_t)run_view_history(view, run->node[run->rank]).code);
        if (op && op->kind == OP_CRASH)
            stir_stack(&sum, op);
    }
    stir_places(&sum, &places);
    vec_release(&places);
    return sum;
}

bool fault_exits_so(const struct fault *fault, struct run_view *view, rank_t r)
{
    struct final_state final = run_view_final_state(view);
    int code;
    enum rank_stand stand = final.stand(final.data, r, &code);
    return fault->finalized == (stand == RANK_FINALIZED) && fault->code == code;
}

/* A run in which every rank has ended can still have gone wrong. */
static void add_exits(struct run_view *view, faults_t *faults)
{
    struct final_state final = run_view_final_state(view);
    for (rank_t r = 0; r < view->ranks; r++) {
        int code;
        enum rank_stand stand = final.stand(final.data, r, &code);
        bool finalized = stand == RANK_FINALIZED, known = false;
        if (stand == RANK_UNBORN || (finalized && code == 0))
            continue;
        for (size_t i = 0; i < faults->n; i++)
            known = known || (faults->at[i].code == code && faults->at[i].finalized == finalized);
        if (!known)
            vec_push(faults, (struct fault){.key = map_key2(finalized ? 1 : 2, (uint64_t)code),
                                            .exits = true,
                                            .finalized = finalized,
                                            .code = code});
    }
}

void faults_add(struct run_view *view, faults_t *faults)
{
    if (view->run->end == RUN_CLEAN)
        add_exits(view, faults);
    else if (view->run->end != RUN_UNKNOWN)
        vec_push(faults, (struct fault){.key = cause(view)});
}
