/*
 * fault_coverage -- at how many places calls of the C library were made to fail (--faults), for the verdict.
 *
 * Places are those of a rank: the same line in two ranks is two of them.
 */
#include <stdlib.h>
#include <string.h>

#include "verification/verification.h"
#include "base/hash.h"
#include "call/alternative_text.h"
#include "call/fault.h"
#include "result/assumptions.h"
#include "words/describe.h"
#include "words/text.h"

struct fault_coverage {
    struct map places;  /* by rank, place and call: whether it has failed */
    rank_t players;
    uint32_t *met;      /* owns; by rank: places */
    bool *capped;       /* owns; by rank: there were more than were asked about */
    uint32_t all, failed;
};

static const struct op *last_op(const struct history *history)
{
    const struct op *op = history->ops;
    for (uint32_t i = 1; i < history->count; i++)
        op = op_next(op);
    return history->count ? op : NULL;
}

static void note_place_of_fault(struct fault_coverage *coverage, rank_t rank, const struct op *op, bool failed)
{
    struct map_key key = map_key2(op->place, hash_bytes((uint64_t)rank, op_tail(op), (size_t)alternatives_name_length(op)));
    uint32_t before;
    bool known = map_get(&coverage->places, key, &before);
    if (!known) {
        coverage->met[rank]++;
        coverage->all++;
    }
    if (failed && (!known || !before))
        coverage->failed++;
    if (!known || failed)
        map_put(&coverage->places, key, failed);
}

/* An answer to a question whether a call fails. */
static void note_answer_of_fault(struct fault_coverage *coverage, const struct history *asked, const struct ret *ret)
{
    const struct op *op = last_op(asked);
    if (!op || !op_chooses(op) || !(op->flags & OPF_ONCE) || !ret || !ret->items || asked->rank >= coverage->players)
        return;
    if (op->items == 1)
        coverage->capped[asked->rank] = true;
    else
        note_place_of_fault(coverage, asked->rank, op, ret->item[0].source > 0);
}

static void look_at_answers(struct fault_coverage *coverage, const struct explorer *x)
{
    for (node_id id = 1; id <= explore_nodes(x); id++) {
        struct passage passage = explore_passage(x, id);
        if (passage.from == NODE_NONE)
            continue;
        struct history asked = explore_history(x, passage.from);
        note_answer_of_fault(coverage, &asked, passage.ret);
    }
}

static void put_list_of_faults(FILE *out, const char *list)
{
    for (const char *at = list; *at; at++)
        if (*at != ',')
            fputc(*at, out);
        else
            fputs(strchr(at + 1, ',') ? ", " : " or ", out);
}

static void put_coverage_of_faults(FILE *out, const struct verification *v, const struct fault_coverage *coverage)
{
    const char *joint = "";
    put_list_of_faults(out, v->options.world.faults);
    fprintf(out, " failed, one call of one rank in a run, at %u of %u place%s", coverage->failed, coverage->all,
            coverage->all == 1 ? "" : "s");
    if (coverage->all)
        fputs(" (", out);
    for (rank_t r = 0; r < coverage->players && coverage->all; r++) {
        if (r >= v->run.ranks && !coverage->met[r])
            continue; /* nobody, or the keeper of a window */
        fprintf(out, "%srank %d: %u", joint, r, coverage->met[r]);
        joint = ", ";
    }
    fputs(coverage->all ? ")" : "", out);
    fputs(", where the rank first came there, between MPI_Init and MPI_Finalize", out);
    if (coverage->failed < coverage->all)
        fputs("; the others were reached only after a failure, or not searched any more", out);
}

static void assume_capped_faults(struct verification *v, const struct fault_coverage *coverage)
{
    VEC(rank_t) ranks = {0};
    struct text text;
    for (rank_t r = 0; r < coverage->players; r++)
        if (coverage->capped[r])
            vec_push(&ranks, r);
    if (ranks.n) {
        text_open(&text);
        describe_ranks(text.out, ranks.at, (int)ranks.n, " and ");
        fprintf(text.out, " came to more than %u places at which calls might have failed, and the others did not fail",
                v->options.world.fault_places);
        char *sentence = text_close(&text);
        result_assume_that(&v->result, ASSUMED_FAULTS, NULL, sentence);
        free(sentence);
    }
    vec_release(&ranks);
}

void verification_assume_faults(struct verification *v)
{
    struct fault_coverage coverage = {0};
    struct text text;
    if (!v->options.world.faults)
        return;
    coverage.players = explore_players(v->run.explorer);
    coverage.met = xcalloc((size_t)coverage.players, sizeof *coverage.met);
    coverage.capped = xcalloc((size_t)coverage.players, sizeof *coverage.capped);
    look_at_answers(&coverage, v->run.explorer);
    text_open(&text);
    put_coverage_of_faults(text.out, v, &coverage);
    char *sentence = text_close(&text);
    result_assume_that(&v->result, ASSUMED_FAULTS, NULL, sentence);
    free(sentence);
    assume_capped_faults(v, &coverage);
    map_release(&coverage.places);
    free(coverage.met);
    free(coverage.capped);
}
