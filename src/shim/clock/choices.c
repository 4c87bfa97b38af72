#include "shim/clock/choices.h"

#include <stdlib.h>
#include <string.h>

#include "shim/clock/ledger.h"

static struct {
    struct decisions decided; /* until the rank is free */
    uint64_t at;              /* the next that can be due */
    uint64_t choices;
    uint64_t cancel;          /* the next of these that can be due */
    uint64_t postings;        /* sends and receives */
    bool left;
    uint64_t history;
} my;

const char *choices_open(void)
{
    const char *path = getenv(CAUSAL_ENV_DECISIONS);
    if (!path)
        return NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return CAUSAL_ENV_DECISIONS ": the file cannot be read";
    const char *wrong = decisions_read(&my.decided, file, shim.rank);
    fclose(file);
    return wrong;
}

static bool is_history(const struct op *op)
{
    return op_communicates(op) || op->kind == OP_CANCEL || op->kind == OP_FREE || op->kind == OP_DONE;
}

/* Neither places nor numbers of types: those depend on where things are in memory. */
void choices_note(const struct op *op, const uint32_t *list)
{
    if (!is_history(op))
        return;
    my.postings += op->kind == OP_SEND || op->kind == OP_RECV;
    uint64_t sum = my.history;
    sum = causal_mix(sum, (uint64_t)op->kind << 48 | (uint64_t)op->call << 32 | op->flags);
    sum = causal_mix(sum, (uint64_t)op->request << 32 | (uint32_t)op->peer);
    sum = causal_mix(sum, (uint64_t)(uint32_t)op->tag << 32 ^ op->context);
    sum = causal_mix(sum, op->bytes ^ op->signature);
    for (uint32_t i = 0; i < op->items && list; i++)
        sum = causal_mix(sum, list[i]);
    my.history = sum;
}

static const struct forced_decision *due(uint64_t number)
{
    const struct decisions *decided = &my.decided;
    while (my.at < decided->n && decided->at[my.at].number < number)
        my.at++;
    bool named = my.at < decided->n && decided->at[my.at].number == number && number < decided->free_from;
    return named ? &decided->at[my.at] : NULL;
}

enum cancel_outcome choices_cancel_outcome(void)
{
    const struct decisions *decided = &my.decided;
    uint64_t number = my.postings - 1;
    while (my.cancel < decided->cancels && decided->cancel[my.cancel].number < number)
        my.cancel++;
    bool named = my.cancel < decided->cancels && decided->cancel[my.cancel].number == number;
    return named ? decided->cancel[my.cancel].outcome : CANCEL_OPEN;
}

bool choices_were_left(void)
{
    return my.left;
}

bool choices_are_free(void)
{
    const struct decisions *decided = &my.decided;
    return !decided->n || decided->at[decided->n - 1].number < my.choices || decided->free_from <= my.choices;
}

static void be_free(const struct numbered_choice *c, uint64_t expected)
{
    LEDGER_PUT(CAUSAL_DIVERGED, causal_diverged, .number = c->number, .op = c->op, .expected = expected,
               .found = c->history);
    my.decided.n = my.decided.cancels = 0;
    my.left = true;
}

struct numbered_choice choice_begin(uint64_t op)
{
    struct numbered_choice c = {.number = my.choices++, .op = op, .history = my.history};
    c.decision = due(c.number);
    if (c.decision && c.decision->compare && c.decision->history != c.history) {
        be_free(&c, c.decision->history);
        c.decision = NULL;
    }
    return c;
}

void choice_diverge(struct numbered_choice *c)
{
    be_free(c, c->history);
    c->decision = NULL;
}

void choice_end(const struct numbered_choice *c, enum causal_choice_kind kind, int32_t value, uint64_t polls, uint64_t clock,
                const int32_t *item, uint32_t items)
{
    struct causal_choice *record = ledger_begin(CAUSAL_CHOICE, sizeof *record + items * sizeof *item);
    struct causal_record head = record->record;
    *record = (struct causal_choice){.record = head,
                                     .number = c->number,
                                     .op = c->op,
                                     .history = c->history,
                                     .clock = clock,
                                     .polls = polls,
                                     .kind = kind,
                                     .flags = c->decision ? CAUSAL_WAS_FORCED : 0,
                                     .value = value,
                                     .items = items};
    if (items)
        memcpy(record->item, item, items * sizeof *item);
    if (items % 2)
        record->item[items] = 0;
    ledger_commit();
}
