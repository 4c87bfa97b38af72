#include "shim/clock/decisions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum field_kind { GOOD, DAMAGED, NO_MEMORY };

static bool read_number(const char *word, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(word, &end, base);
    return *word != '-' && end != word && !*end && !errno;
}

static bool read_int(const char *word, int32_t *value)
{
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    *value = (int32_t)number;
    return end != word && !*end && !errno && number == *value;
}

static bool read_kind(const char *word, struct forced_decision *d)
{
    static const char *const words[] = {[CHOICE_SOURCE] = "source",
                                        [CHOICE_INDEX] = "index",
                                        [CHOICE_SET] = "set",
                                        [CHOICE_YES] = "yes",
                                        [CHOICE_NO] = "no"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            d->kind = (enum causal_choice_kind)i;
            return true;
        }
    d->glimpse = strcmp(word, "glimpse") == 0;
    d->kind = CHOICE_SOURCE;
    return d->glimpse;
}

/* SOURCE,TAG,BYTES */
static bool read_glimpse(char *word, struct forced_decision *d)
{
    char *save, *part[3];
    int n = 0;
    for (char *w = strtok_r(word, ",", &save); w && n < 3; w = strtok_r(NULL, ",", &save))
        part[n++] = w;
    return n == 3 && read_int(part[0], &d->value) && read_int(part[1], &d->tag) && d->tag >= 0 &&
           read_number(part[2], 10, &d->bytes);
}

/* Rising: whoever looks at the last of them knows that all are in range. */
static enum field_kind read_items(char *word, struct forced_decision *d)
{
    char *save;
    size_t room = 1;
    for (const char *at = word; *at; at++)
        room += *at == ',';
    if (!(d->item = malloc(room * sizeof *d->item)))
        return NO_MEMORY;
    int32_t last = -1;
    for (char *item = strtok_r(word, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        if (!read_int(item, &d->item[d->items]) || d->item[d->items] <= last)
            return DAMAGED;
        last = d->item[d->items++];
    }
    return d->items ? GOOD : DAMAGED;
}

static enum field_kind read_value(char *word, struct forced_decision *d)
{
    if (d->kind == CHOICE_SET)
        return read_items(word, d);
    if (d->glimpse)
        return read_glimpse(word, d) ? GOOD : DAMAGED;
    return d->kind == CHOICE_YES || d->kind == CHOICE_NO || read_int(word, &d->value) ? GOOD : DAMAGED;
}

/* Room for one more; false: there is no memory. */
static bool make_room_in_list(void **list, uint64_t n, uint64_t *room, size_t size)
{
    if (n < *room)
        return true;
    uint64_t wanted = *room ? 2 * *room : 64;
    void *more = realloc(*list, wanted * size);
    if (!more)
        return false;
    *list = more;
    *room = wanted;
    return true;
}

/* RANK NUMBER KIND POLLS VALUE HISTORY */
static enum field_kind read_decision(struct decisions *decisions, char **word)
{
    if (!make_room_in_list((void **)&decisions->at, decisions->n, &decisions->room, sizeof *decisions->at))
        return NO_MEMORY;
    struct forced_decision *d = &decisions->at[decisions->n++];
    *d = (struct forced_decision){.compare = strcmp(word[5], "-") != 0};
    if (!read_number(word[1], 10, &d->number) || !read_kind(word[2], d) || !read_number(word[3], 10, &d->polls) ||
        (d->compare && !read_number(word[5], 16, &d->history)))
        return DAMAGED;
    return read_value(word[4], d);
}

/* RANK FATE NUMBER - - - */
static enum field_kind read_cancel_outcome(struct decisions *decisions, char **word, enum cancel_outcome outcome)
{
    if (!make_room_in_list((void **)&decisions->cancel, decisions->cancels, &decisions->cancels_room,
                           sizeof *decisions->cancel))
        return NO_MEMORY;
    struct decided_cancel *f = &decisions->cancel[decisions->cancels++];
    *f = (struct decided_cancel){.outcome = outcome};
    return read_number(word[2], 10, &f->number) ? GOOD : DAMAGED;
}

/* The list of a set may be long, so lines are of any length. */
static enum field_kind read_decision_line(struct decisions *decisions, char *line, rank_t rank)
{
    char *word[6], *save;
    int32_t whose;
    int n = 0;
    for (char *w = strtok_r(line, " \n", &save); w && n < 6; w = strtok_r(NULL, " \n", &save))
        word[n++] = w;
    if (n < 6 || !read_int(word[0], &whose))
        return DAMAGED;
    if (whose != rank)
        return GOOD;
    if (strcmp(word[1], "free") == 0)
        return read_number(word[2], 10, &decisions->free_from) ? GOOD : DAMAGED;
    if (strcmp(word[1], "withdrawn") == 0)
        return read_cancel_outcome(decisions, word, CANCEL_IN_TIME);
    if (strcmp(word[1], "matched") == 0)
        return read_cancel_outcome(decisions, word, CANCEL_TOO_LATE);
    return read_decision(decisions, word);
}

const char *decisions_read(struct decisions *decisions, FILE *file, rank_t rank)
{
    static const char *const wrong[] = {
        [GOOD] = NULL,
        [DAMAGED] = CAUSAL_ENV_DECISIONS ": this is not a decision file, or a damaged one",
        [NO_MEMORY] = CAUSAL_ENV_DECISIONS ": there is no memory for what it says",
    };
    char *line = NULL;
    size_t room = 0;
    *decisions = (struct decisions){.free_from = UINT64_MAX};
    bool ended = false, begun = getline(&line, &room, file) > 0 && strcmp(line, CAUSAL_DECISIONS "\n") == 0;
    enum field_kind reading = begun ? GOOD : DAMAGED;
    while (reading == GOOD && !ended && getline(&line, &room, file) > 0) {
        ended = strcmp(line, "end\n") == 0;
        reading = ended ? GOOD : read_decision_line(decisions, line, rank);
    }
    free(line);
    return wrong[reading == GOOD && !ended ? DAMAGED : reading];
}

void decisions_release(struct decisions *decisions)
{
    for (uint64_t i = 0; i < decisions->n; i++)
        free(decisions->at[i].item);
    free(decisions->at);
    free(decisions->cancel);
    *decisions = (struct decisions){0};
}
