#include "shim/clock/decide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/clock/ledger.h"

static struct {
    struct decision *decision; /* owned */
    uint64_t n, room;
    uint64_t at;               /* the next that can be due */
    uint64_t free_from;
    uint64_t choices;
    uint64_t history;
} my = {.free_from = UINT64_MAX};

static bool read_kind(const char *word, enum causal_choice_kind *kind)
{
    static const char *const words[] = {[CHOICE_SOURCE] = "source",
                                        [CHOICE_INDEX] = "index",
                                        [CHOICE_SET] = "set",
                                        [CHOICE_YES] = "yes",
                                        [CHOICE_NO] = "no"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            *kind = (enum causal_choice_kind)i;
            return true;
        }
    return false;
}

static bool read_items(char *word, struct decision *d)
{
    char *save;
    for (char *item = strtok_r(word, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        d->item = shim_realloc(d->item, (d->items + 1) * sizeof *d->item);
        d->item[d->items++] = atoi(item);
    }
    return d->items > 0;
}

static bool read_value(char *word, struct decision *d)
{
    if (d->kind == CHOICE_SET)
        return read_items(word, d);
    d->value = atoi(word);
    return true;
}

static bool read_decision(char *kind, const char *number, const char *polls, char *value, const char *history)
{
    struct decision d = {.number = strtoull(number, NULL, 10), .polls = strtoull(polls, NULL, 10)};
    if (!read_kind(kind, &d.kind) || !read_value(value, &d))
        return false;
    d.compare = strcmp(history, "-") != 0;
    if (d.compare)
        d.history = strtoull(history, NULL, 16);
    if (my.n == my.room) {
        my.room = my.room ? 2 * my.room : 64;
        my.decision = shim_realloc(my.decision, my.room * sizeof *my.decision);
    }
    my.decision[my.n++] = d;
    return true;
}

/* The list of a set may be long, so lines are of any length. */
static bool read_line(char *line)
{
    char *word[6], *save;
    int n = 0;
    for (char *w = strtok_r(line, " \n", &save); w && n < 6; w = strtok_r(NULL, " \n", &save))
        word[n++] = w;
    if (n < 6 || atoi(word[0]) != shim.rank)
        return n == 6;
    if (strcmp(word[1], "free") == 0) {
        my.free_from = strtoull(word[2], NULL, 10);
        return true;
    }
    return read_decision(word[2], word[1], word[3], word[4], word[5]);
}

static const char *read_lines(FILE *file)
{
    static const char damaged[] = CAUSAL_ENV_DECISIONS ": this is not a decision file, or a damaged one";
    char *line = NULL;
    size_t room = 0;
    bool good = getline(&line, &room, file) > 0 && strcmp(line, CAUSAL_DECISIONS "\n") == 0, ended = false;
    while (good && !ended && getline(&line, &room, file) > 0) {
        ended = strcmp(line, "end\n") == 0;
        good = ended || read_line(line);
    }
    free(line);
    return good && ended ? NULL : damaged;
}

const char *decide_open(void)
{
    const char *path = getenv(CAUSAL_ENV_DECISIONS);
    if (!path)
        return NULL;
    FILE *file = fopen(path, "re");
    if (!file)
        return CAUSAL_ENV_DECISIONS ": the file cannot be read";
    const char *wrong = read_lines(file);
    fclose(file);
    return wrong;
}

static bool is_history(const struct op *op)
{
    switch (op->kind) {
    case OP_SEND:
    case OP_RECV:
    case OP_COLL:
    case OP_WAIT:
    case OP_TEST:
    case OP_PROBE:
    case OP_IPROBE:
    case OP_CANCEL:
    case OP_FREE:
        return true;
    default:
        return false;
    }
}

/* Neither places nor numbers of types: those depend on where things are in memory. */
void decide_note(const struct op *op, const uint32_t *list)
{
    if (!is_history(op))
        return;
    uint64_t sum = my.history;
    sum = causal_mix(sum, (uint64_t)op->kind << 48 | (uint64_t)op->call << 32 | op->flags);
    sum = causal_mix(sum, (uint64_t)op->request << 32 | (uint32_t)op->peer);
    sum = causal_mix(sum, (uint64_t)(uint32_t)op->tag << 32 ^ op->context);
    sum = causal_mix(sum, op->bytes ^ op->signature);
    for (uint32_t i = 0; i < op->items && list; i++)
        sum = causal_mix(sum, list[i]);
    my.history = sum;
}

static const struct decision *due(uint64_t number)
{
    while (my.at < my.n && my.decision[my.at].number < number)
        my.at++;
    bool named = my.at < my.n && my.decision[my.at].number == number && number < my.free_from;
    return named ? &my.decision[my.at] : NULL;
}

static void be_free(const struct choice *c, uint64_t expected)
{
    LEDGER_PUT(CAUSAL_DIVERGED, causal_diverged, .number = c->number, .op = c->op, .expected = expected,
               .found = c->history);
    my.n = 0;
}

struct choice choice_begin(uint64_t op)
{
    struct choice c = {.number = my.choices++, .op = op, .history = my.history};
    c.decision = due(c.number);
    if (c.decision && c.decision->compare && c.decision->history != c.history) {
        be_free(&c, c.decision->history);
        c.decision = NULL;
    }
    return c;
}

void choice_diverge(struct choice *c)
{
    be_free(c, c->history);
    c->decision = NULL;
}

void choice_end(const struct choice *c, enum causal_choice_kind kind, int32_t value, uint64_t polls, uint64_t clock,
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
