#include "words/completeness_words.h"

#include <inttypes.h>

#include "words/text.h"

static void put_times(FILE *out, uint32_t n)
{
    if (n <= 2)
        fputs(n == 1 ? "once" : "twice", out);
    else
        fprintf(out, "%" PRIu32 " times", n);
}

static void put_polls(FILE *out, uint32_t late)
{
    if (!late) {
        fputs("say no only where no yes can come", out);
        return;
    }
    fputs("say no at most ", out);
    put_times(out, late);
    fputs(" where a yes can come", out);
}

static void put_choices(FILE *out, uint32_t other)
{
    if (other)
        fprintf(out, "at most %" PRIu32 " decision%s not the first that %s possible", other, other == 1 ? " is" : "s are",
                other == 1 ? "was" : "were");
    else
        fputs("every decision is the first that was possible", out);
}

static void put_premise(FILE *out, const struct completeness *complete)
{
    if (complete->buffered)
        fputs("if MPI buffers everything, ", out);
}

static char *sidesteps_sentence(const struct completeness *complete)
{
    struct text text;
    text_open(&text);
    put_premise(text.out, complete);
    fputs("every run was looked at that departs from the first run once, by another outcome of one of ", text.out);
    if (complete->known < complete->decisions)
        fprintf(text.out, "%s%" PRIu32 " of ", complete->known == complete->last ? "the last " : "", complete->known);
    fprintf(text.out, "its %" PRIu32 " decisions", complete->decisions);
    return text_close(&text);
}

/* If nothing else is complete; that there was a run without any is no news. */
static char *departures_sentence(const struct completeness *complete)
{
    struct text text;
    if (complete->departures < 2 && !complete->known)
        return NULL;
    if (complete->from == FROM_RUN_AHEAD)
        return sidesteps_sentence(complete);
    text_open(&text);
    put_premise(text.out, complete);
    fputs("every run was looked at that departs at most ", text.out);
    put_times(text.out, complete->departures < 2 ? 1 : complete->departures - 1);
    fputs(" from what the search decides first", text.out);
    if (complete->departures < 2 && complete->known < complete->decisions)
        fprintf(text.out, ", and that in %s%" PRIu32 " of %" PRIu32 " decisions", complete->known == complete->last ? "the last " : "",
                complete->known, complete->decisions);
    return text_close(&text);
}

char *completeness_sentence(const struct completeness *complete)
{
    struct text text;
    if (!completeness_is_news(complete))
        return departures_sentence(complete);
    text_open(&text);
    put_premise(text.out, complete);
    if (complete->any_other) {
        fputs("every order of messages was looked at", text.out);
        if (!complete->any_late) {
            fputs(", with polls that ", text.out);
            put_polls(text.out, complete->late);
        }
    } else {
        fputs("every run was looked at in which ", text.out);
        put_choices(text.out, complete->other);
        if (!complete->any_late) {
            fputs(", and polls ", text.out);
            put_polls(text.out, complete->late);
        }
    }
    return text_close(&text);
}

char *completeness_brief(const struct completeness *complete)
{
    struct text text;
    if (!completeness_is_news(complete) && complete->departures < 2)
        return NULL;
    text_open(&text);
    if (!completeness_is_news(complete)) {
        fprintf(text.out, "%" PRIu32 " departure%s", complete->departures - 1, complete->departures == 2 ? "" : "s");
        return text_close(&text);
    }
    if (!complete->any_other)
        fprintf(text.out, "%" PRIu32 " other choice%s", complete->other, complete->other == 1 ? "" : "s");
    if (!complete->any_late)
        fprintf(text.out, "%s%" PRIu32 " late poll%s", complete->any_other ? "" : ", ", complete->late,
                complete->late == 1 ? "" : "s");
    return text_close(&text);
}
