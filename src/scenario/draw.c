/*
 * A row is a step: what stands in one row may happen at the same time, what stands
 * lower happens later.  The step of an event is the longest way to it.
 */
#include "scenario/draw.h"

#include <string.h>

#include "scenario/partition_calls.h"
#include "scenario/print.h"
#include "scenario/runner.h"

struct drawing {
    const struct story *story;
    const struct ending *ending;
    uint32_t *row;     /* by moment, from 1 */
    bool *shown;       /* by moment: it has a cell */
    uint32_t rows;
    char **cell;       /* by row and rank */
};

/* ---- what is shown ---- */

static const char *variable_of(const struct drawing *d, rank_t rank, uint32_t variable)
{
    return d->story->scenario->column[rank].variables.at[variable];
}

static bool is_window_call(const struct statement *s)
{
    return s->word->verb == VERB_ACCESS || s->word->verb == VERB_EPOCH;
}

/* The access whose result a call about epochs has brought; NULL: this item is something else. */
static const struct statement *brought_access(const struct scenario *scenario, rank_t rank, const struct answer_item *item)
{
    const struct column *column = &scenario->column[rank];
    if (item->request == 0 || item->request > column->slots.n)
        return NULL;
    const struct statement *s = &column->statements.at[column->slots.at[item->request - 1].statement];
    return s->word->verb == VERB_ACCESS && s->into.n ? s : NULL;
}

/* The request that an item of an answer belongs to, by what has made it; of a partition, that with its number. */
static const struct statement *request_maker(const struct drawing *d, rank_t rank, const struct answer_item *item, uint32_t *partition)
{
    const struct column *column = &d->story->scenario->column[rank];
    uint32_t slot = item->request - 1;
    *partition = SCENARIO_PARTITIONS;
    partition_of_number(item->request, &slot, partition);
    return slot < column->slots.n ? &column->statements.at[column->slots.at[slot].statement] : NULL;
}

/* That the two sides of a partitioned receive have begun, or that all partitions are ready, is told by what follows. */
static bool tells_no_news(const struct drawing *d, rank_t rank, const struct answer_item *item)
{
    uint32_t partition;
    const struct statement *made = request_maker(d, rank, item, &partition);
    return made && made->word->verb == VERB_PARTITIONED &&
           (partitions_are_sent(made) ? partition < SCENARIO_PARTITIONS : partition == SCENARIO_PARTITIONS);
}

static bool brings_results(const struct drawing *d, const struct story_op *o)
{
    for (uint32_t i = 0; i < o->answer->items; i++)
        if (brought_access(d->story->scenario, o->rank, &o->answer->item[i]))
            return true;
    return false;
}

/* Whether something is to be said when a call returns. */
static bool brings_news(const struct drawing *d, const struct story_op *o)
{
    if (!o->statement)
        return false;
    if (is_window_call(o->statement))
        return o->answer && brings_results(d, o);
    if (!o->answer)
        return o->said_no && op_is_poll(o->op);
    if (o->said_no || o->op->flags & (OPF_ANY | OPF_SOME) || (op_is_poll(o->op) && !d->story->scenario->partitioned))
        return true;
    for (uint32_t i = 0; i < o->answer->items; i++) {
        const struct answer_item *item = &o->answer->item[i];
        if (tells_no_news(d, o->rank, item))
            continue;
        if (op_is_poll(o->op) || item->message || item->flags & ANSWERED_CANCELLED)
            return true;
    }
    return o->statement->word->verb == VERB_COLL && o->statement->into.n;
}

/* A wait for a partitioned receive waits for its start, and then for its partitions. */
static bool is_continued(const struct drawing *d, uint32_t index)
{
    const struct story_op *o = &d->story->op.at[index], *last = o - 1;
    return index > d->story->first.at[o->rank] && d->story->scenario->partitioned && o->statement && last->statement == o->statement &&
           o->statement->word->verb == VERB_COMPLETE && !last->said_no;
}

/* The second and third operation of a sendrecv are part of one call; one that concerns a window is told by a remark. */
static bool is_first_of_call(const struct drawing *d, uint32_t index)
{
    const struct story_op *o = &d->story->op.at[index];
    bool follows = index > d->story->first.at[o->rank] && o->statement && o->statement->word->verb == VERB_SENDRECV &&
                   d->story->op.at[index - 1].statement == o->statement;
    if (o->statement && is_window_call(o->statement))
        return o->op->kind == OP_PCONTROL;
    return o->statement && (!follows || o->op->kind == OP_SEND) && !is_continued(d, index);
}

/* A poll that said no, like the one before it. */
static bool is_repeated_poll(const struct drawing *d, uint32_t index)
{
    const struct story_op *o = &d->story->op.at[index], *last = o - 1;
    return index > d->story->first.at[o->rank] && o->said_no && last->said_no && last->statement == o->statement;
}

static bool is_shown(const struct drawing *d, moment m)
{
    const struct story_moment *at = &d->story->moment.at[m];
    const struct story_op *o = &d->story->op.at[at->op];
    if (is_repeated_poll(d, at->op))
        return false;
    switch (at->kind) {
    case MOMENT_START:
        return is_first_of_call(d, at->op) && o->op->kind != OP_ABORT;
    case MOMENT_RETURN:
        return brings_news(d, o);
    case MOMENT_MATCH:
    case MOMENT_COMPLETE:
        return false;
    }
    return false;
}

/* ---- rows ---- */

/* Lets the events of a claim follow one another; returns how many edges there are then. */
static void lay_out_moments(struct drawing *d, const moment *chain, uint32_t links)
{
    size_t n = d->story->moment.n;
    bool moved = true;
    while (moved) {
        moved = false;
        for (moment m = 1; m < n; m++) {
            const struct story_moment *at = &d->story->moment.at[m];
            for (size_t i = 0; i < at->after.n; i++) {
                uint32_t row = d->row[m] + d->shown[at->after.at[i]];
                if (d->row[at->after.at[i]] < row) {
                    d->row[at->after.at[i]] = row;
                    moved = true;
                }
            }
        }
        for (uint32_t i = 1; i < links; i++)
            if (d->row[chain[i]] < d->row[chain[i - 1]] + d->shown[chain[i]]) {
                d->row[chain[i]] = d->row[chain[i - 1]] + d->shown[chain[i]];
                moved = true;
            }
    }
}

/* ---- cells ---- */

static void put_news_item(FILE *out, const struct drawing *d, const struct story_op *call,
                          const struct answer_item *item)
{
    const struct scenario *scenario = d->story->scenario;
    const struct column *column = &scenario->column[call->rank];
    const struct statement *s = call->statement;
    uint32_t partition = SCENARIO_PARTITIONS, variable = 0;
    if (s->word->verb == VERB_COMPLETE || s->word->verb == VERB_ARRIVED)
        s = request_maker(d, call->rank, item, &partition);
    if (partition < SCENARIO_PARTITIONS)
        variable = partition;
    if (s != call->statement && s->label != NOTHING)
        fprintf(out, "%s: ", column->labels.at[s->label]);
    if (item->flags & ANSWERED_CANCELLED)
        fputs("cancelled", out);
    else if (item->message && item->flags & ANSWERED_SEEN)
        fprintf(out, "sees P%d", item->source);
    else if (item->message && s->into.n)
        fprintf(out, "%s = %d from P%d", variable_of(d, call->rank, s->into.at[variable]),
                (int32_t)(uint32_t)(item->content - 1), item->source);
    else if (item->message)
        fprintf(out, "from P%d", item->source);
    else
        fputs("complete", out);
}

/* What the accesses have read that are complete now. */
static void put_results(FILE *out, const struct drawing *d, const struct story_op *o)
{
    const char *before = "";
    for (uint32_t i = 0; i < o->answer->items; i++) {
        const struct answer_item *item = &o->answer->item[i];
        const struct statement *s = brought_access(d->story->scenario, o->rank, item);
        if (!s)
            continue;
        fprintf(out, "%s%s = %d", before, variable_of(d, o->rank, s->into.at[0]), (int32_t)(uint32_t)(item->content - 1));
        before = ", ";
    }
}

static char *news_of(const struct drawing *d, const struct story_op *o)
{
    char *text = NULL;
    size_t size = 0, told = 0;
    FILE *out = open_memstream(&text, &size);
    fputs("  -> ", out);
    if (!o->answer || o->said_no)
        fputs("no", out);
    if (is_window_call(o->statement))
        put_results(out, d, o);
    for (uint32_t i = 0; o->answer && !o->said_no && !is_window_call(o->statement) && i < o->answer->items; i++) {
        if (tells_no_news(d, o->rank, &o->answer->item[i]))
            continue;
        fputs(told++ ? ", " : "", out);
        put_news_item(out, d, o, &o->answer->item[i]);
    }
    fclose(out);
    return text;
}

static char *moment_text(const struct drawing *d, moment m)
{
    const struct story_moment *at = &d->story->moment.at[m];
    const struct story_op *o = &d->story->op.at[at->op];
    if (at->kind == MOMENT_START)
        return statement_text(d->story->scenario, o->rank, o->statement);
    if (at->kind == MOMENT_RETURN && brings_news(d, o))
        return news_of(d, o);
    const char *label = o->statement->label == NOTHING ? "it"
                                                       : d->story->scenario->column[o->rank].labels.at[o->statement->label];
    return xformat("  (%s %s)", label, at->kind == MOMENT_RETURN ? "returns" : "completes");
}

static void fill_cells(struct drawing *d)
{
    size_t ranks = (size_t)d->story->scenario->ranks;
    for (moment m = 1; m < d->story->moment.n; m++)
        d->rows = d->shown[m] && d->row[m] > d->rows ? d->row[m] : d->rows;
    d->cell = xcalloc((d->rows + 1) * ranks, sizeof *d->cell);
    for (moment m = 1; m < d->story->moment.n; m++) {
        if (!d->shown[m])
            continue;
        char **cell = &d->cell[(d->row[m] - 1) * ranks + (size_t)d->story->op.at[d->story->moment.at[m].op].rank];
        char *text = moment_text(d, m);
        if (*cell) {
            char *both = xformat("%s%s", *cell, text);
            free(*cell);
            free(text);
            text = both;
        }
        *cell = text;
    }
}

/* Who did not come to an end, in one more row. */
static void fill_last(struct drawing *d)
{
    const struct ending *ending = d->ending;
    char **cell = &d->cell[d->rows * (size_t)d->story->scenario->ranks];
    for (rank_t r = 0; r < d->story->scenario->ranks; r++)
        if (ending->machine[r]->state == MACHINE_ERROR)
            cell[r] = xformat("  %s", fault_name(ending->machine[r]->fault));
        else if (ending->machine[r]->state == MACHINE_RUNS)
            cell[r] = xstrdup(ending->stuck ? "  is stuck" : "  goes no further");
}

static void print_cells(FILE *out, const struct drawing *d)
{
    int ranks = d->story->scenario->ranks;
    size_t width[SCENARIO_RANKS];
    char *head[SCENARIO_RANKS];
    for (int r = 0; r < ranks; r++) {
        head[r] = xformat("P%d", r);
        width[r] = strlen(head[r]);
        for (uint32_t i = 0; i <= d->rows; i++) {
            const char *cell = d->cell[i * (size_t)ranks + (size_t)r];
            width[r] = cell && strlen(cell) > width[r] ? strlen(cell) : width[r];
        }
    }
    fputs("    ", out);
    print_row(out, ranks, head, width);
    for (uint32_t i = 0; i <= d->rows; i++) {
        bool any = false;
        for (int r = 0; r < ranks; r++)
            any = any || d->cell[i * (size_t)ranks + (size_t)r];
        if (!any)
            continue;
        fputs("    ", out);
        print_row(out, ranks, &d->cell[i * (size_t)ranks], width);
    }
    for (int r = 0; r < ranks; r++)
        free(head[r]);
}

void draw_run(FILE *out, const struct story *story, const struct ending *ending, const struct claim *claim,
              const struct event_order *order)
{
    struct drawing d = {.story = story, .ending = ending};
    moment chain[CLAIM_EVENTS];
    d.row = xcalloc(story->moment.n, sizeof *d.row);
    d.shown = xcalloc(story->moment.n, sizeof *d.shown);
    for (moment m = 1; m < story->moment.n; m++)
        d.shown[m] = is_shown(&d, m);
    for (uint32_t i = 0; i < order->n; i++) {
        chain[i] = story_find(story, &claim->event[order->event[i]]);
        d.shown[chain[i]] = true;
    }
    for (moment m = 1; m < story->moment.n; m++)
        d.row[m] = d.shown[m];
    lay_out_moments(&d, chain, order->n);
    fill_cells(&d);
    fill_last(&d);
    print_cells(out, &d);
    for (size_t i = 0; i < (d.rows + 1) * (size_t)story->scenario->ranks; i++)
        free(d.cell[i]);
    free(d.cell);
    free(d.row);
    free(d.shown);
}

/* ---- buffering ---- */

static void put_operations(FILE *out, const struct story *story, const struct op_name *name, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        const struct story_op *o = &story->op.at[story->first.at[name[i].rank] + name[i].op];
        char *text = statement_text(story->scenario, o->rank, o->statement);
        fprintf(out, "%s'%s' of P%d", i ? ", " : "    ", text, o->rank);
        free(text);
    }
    if (n)
        fprintf(out, " %s\n", what);
}

void draw_slack(FILE *out, const struct story *story)
{
    const struct account *account = story->account;
    put_operations(out, story, account->unbuffered_op, account->unbuffered, "wait here for the other side");
    if (account->unbuffered)
        put_operations(out, story, account->buffered_op, account->buffered, "must not");
}
