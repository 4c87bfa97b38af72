#include "report/summary.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "words/describe.h"
#include "words/text.h"

static const char margin[] = "     ";

/* So that a shell takes it as one word. */
static void put_word(FILE *out, const char *word)
{
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,@%:=-")]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    fputc('\'', out);
}

/* ---- what goes wrong, and how often ---- */

/* Runs that were played are outcomes: each is another set of decisions, or stands for several that come to the same. */
static void put_frequency(FILE *out, const struct result *result, const struct finding *finding)
{
    const char *seen = result->bounds.n ? " seen" : "";
    if (finding_is(finding, KIND_BUFFERING_DEADLOCK) || finding_is(finding, KIND_MIXED_SYNCHRONISATION) ||
        !finding->runs)
        return;
    if (result->runs == 1)
        fputs(*seen ? ", in the one outcome seen" : ", in every run", out);
    else if (finding->runs == result->runs)
        fprintf(out, ", in all %" PRIu64 " outcomes%s", result->runs, seen);
    else
        fprintf(out, ", in %" PRIu64 " of %" PRIu64 " outcomes%s", finding->runs, result->runs, seen);
}

static void say_what(const struct terminal *terminal, const struct result *result, const struct finding *finding)
{
    char head[16];
    struct text text;
    snprintf(head, sizeof head, "%3" PRIu32 "  ", finding->id);
    text_open(&text);
    if (!finding_is_error(finding))
        fprintf(text.out, "%c%s: %s", toupper((unsigned char)finding->severity[0]), finding->severity + 1, finding->message);
    else
        fprintf(text.out, "%c%s", toupper((unsigned char)finding->message[0]), finding->message + !!finding->message[0]);
    put_frequency(text.out, result, finding);
    fprintf(text.out, "  [%s]", finding->kind);
    char *words = text_close(&text);
    terminal_say(terminal, head, tone_of(finding->severity), words);
    free(words);
}

/* ---- where ---- */

static bool is_same_site(const struct site *a, const struct site *b)
{
    return strcmp(a->place, b->place) == 0 && strcmp(a->call ? a->call : "", b->call ? b->call : "") == 0;
}

enum { CALLERS = 2 }; /* are told: a call in a function of the user's own for it says little without the next */

static size_t callers_told(const struct site *site)
{
    return site->callers.n < CALLERS ? site->callers.n : CALLERS;
}

static bool has_same_callers(const struct site *a, const struct site *b)
{
    bool same = callers_told(a) == callers_told(b);
    for (size_t i = 0; same && i < callers_told(a); i++)
        same = strcmp(a->callers.at[i].place, b->callers.at[i].place) == 0;
    return same;
}

static void put_callers(FILE *out, const struct site *site)
{
    for (size_t i = 0; i < callers_told(site); i++)
        fprintf(out, ", %s %s", i ? "from" : "called at", site->callers.at[i].place);
}

typedef VEC(rank_t) ranks_t;

/* Those of the sites that are at the same place as one of them, and came there alike; false: an earlier one was. */
static bool gather_ranks_at_site(const struct site *site, size_t n, size_t at, ranks_t *ranks)
{
    vec_clear(ranks);
    for (size_t i = 0; i < n; i++) {
        if (!is_same_site(&site[i], &site[at]) || site[i].thread != site[at].thread || !has_same_callers(&site[i], &site[at]))
            continue;
        if (i < at)
            return false;
        if (!ranks->n || vec_last(ranks) != site[i].rank)
            vec_push(ranks, site[i].rank);
    }
    return true;
}

enum { SHOWN = 4 };

static void put_site_of_ranks(FILE *out, const struct site *site, const ranks_t *ranks, const char *verb)
{
    describe_ranks(out, ranks->at, (int)ranks->n, " and ");
    if (site->thread)
        fprintf(out, ", thread %u,", site->thread);
    if (site->call)
        fprintf(out, "%s %s", verb, site->call);
    else if (site->text)
        fprintf(out, " %s,", site->text);
    fprintf(out, " at %s", site->place);
    put_callers(out, site);
}

/* Ranks at the same place are named together; `is` and `are` are for one and for several. */
static void put_sites_together(FILE *out, const struct site *site, size_t n, const char *is, const char *are)
{
    ranks_t ranks = {0};
    size_t told = 0, more = 0;
    for (size_t i = 0; i < n; i++) {
        if (!gather_ranks_at_site(site, n, i, &ranks))
            continue;
        if (told == SHOWN) {
            more++;
            continue;
        }
        fputs(told++ ? "; " : "", out);
        put_site_of_ranks(out, &site[i], &ranks, ranks.n == 1 ? is : are);
    }
    if (more)
        fprintf(out, "; and %zu more place%s", more, more == 1 ? "" : "s");
    vec_release(&ranks);
}

static void say_sentence(const struct terminal *terminal, enum tone tone, struct text *text)
{
    char *words = text_close(text);
    words[0] = (char)toupper((unsigned char)words[0]);
    terminal_say(terminal, margin, tone, words);
    free(words);
}

static bool are_told(const struct finding *finding)
{
    for (size_t i = 0; i < finding->places.n; i++)
        if (!strstr(finding->message, finding->places.at[i].place))
            return false;
    return true;
}

static void say_where_found(const struct terminal *terminal, const struct finding *finding)
{
    struct text text;
    const struct site *first = finding->places.at;
    bool waits = finding->waits.n, told = are_told(finding);
    if (!finding->places.n || (told && finding->ranks.n < 2))
        return;
    text_open(&text);
    if (told) {
        fputs("on ", text.out);
        describe_ranks(text.out, finding->ranks.at, (int)finding->ranks.n, " and ");
    } else {
        put_sites_together(text.out, first, finding->places.n, waits ? " is blocked in" : ":",
                           waits ? " are blocked in" : ":");
    }
    say_sentence(terminal, TONE_PLAIN, &text);
}

/* ---- why ---- */

/* A receive that names its source has a choice, too, if one end may be cancelled. */
static bool takes_any_source(const struct kept_decision *choice)
{
    const char *arguments = choice->site.text ? strchr(choice->site.text, '(') : NULL;
    return choice->decision.kind == DECIDED_MATCH && arguments &&
           strncmp(arguments, DESCRIBED_ANY_SOURCE, strlen(DESCRIBED_ANY_SOURCE)) == 0;
}

static void put_chooser(FILE *out, const struct kept_decision *choice)
{
    fprintf(out, "rank %d's %s%s at %s", choice->site.rank, choice->site.call ? choice->site.call : "call",
            takes_any_source(choice) ? "(MPI_ANY_SOURCE)" : "", choice->site.place);
    put_callers(out, &choice->site);
    fputs(choice->site.callers.n ? "," : "", out);
}

static void say_critical_decision(const struct terminal *terminal, const struct finding *finding)
{
    if (finding->critical < 0 || (size_t)finding->critical >= finding->decisions.n)
        return;
    const struct kept_decision *bad = &finding->decisions.at[finding->critical];
    const struct kept_decision *good =
        (size_t)finding->critical < finding->clean.n ? &finding->clean.at[finding->critical] : NULL;
    struct text text;
    text_open(&text);
    fputs("This happens when ", text.out);
    put_chooser(text.out, bad);
    fprintf(text.out, " %s", bad->text);
    if (good) {
        fputs("; when ", text.out);
        if (good->site.rank == bad->site.rank && is_same_site(&good->site, &bad->site))
            fputs("it", text.out);
        else
            put_chooser(text.out, good);
        fprintf(text.out, " %s, the run ends well", good->text);
    }
    say_sentence(terminal, TONE_PLAIN, &text);
}

static void say_buffering(const struct terminal *terminal, const struct finding *finding)
{
    struct text text;
    if (!finding->unbuffered.n && !finding->buffered.n)
        return;
    text_open(&text);
    if (finding->unbuffered.n) {
        fputs("This needs MPI to let these calls wait, which the standard allows: ", text.out);
        put_sites_together(text.out, finding->unbuffered.at, finding->unbuffered.n, " in", " in");
        if (finding->buffered.n)
            fputs("; and that it lets these return at once: ", text.out);
    } else {
        fputs("This needs MPI to let these calls return at once, which the standard allows: ", text.out);
    }
    put_sites_together(text.out, finding->buffered.at, finding->buffered.n, " in", " in");
    say_sentence(terminal, TONE_PLAIN, &text);
}

static void say_blame(const struct terminal *terminal, const struct finding *finding)
{
    struct text text;
    if (!finding->culprits.n || !finding->blame)
        return;
    text_open(&text);
    fprintf(text.out, "likely culprit%s: ", finding->culprits.n == 1 ? "" : "s");
    describe_ranks(text.out, finding->culprits.at, (int)finding->culprits.n, " and ");
    fprintf(text.out, ", %s", finding->blame);
    say_sentence(terminal, TONE_PLAIN, &text);
}

/* As they were written: the program has said why, or whoever made it hopes so. */
static void say_last_words(const struct terminal *terminal, const struct finding *finding)
{
    for (size_t i = 0; i < finding->last_words.n; i++) {
        const struct last_words *words = &finding->last_words.at[i];
        fprintf(terminal->out, "%sThe last lines of rank %d on standard error:\n", margin, words->rank);
        for (size_t k = 0; k < words->lines.n; k++)
            fprintf(terminal->out, "%s| %s\n", margin, words->lines.at[k]);
    }
}

/* ---- what to type ---- */

static void say_command(const struct terminal *terminal, const char *head, const char *command, const char *dir, uint32_t id)
{
    struct text text;
    text_open(&text);
    fprintf(text.out, "tourney %s ", command);
    put_word(text.out, dir);
    if (id)
        fprintf(text.out, " %" PRIu32, id);
    char *words = text_close(&text);
    terminal_offer(terminal, head, words);
    free(words);
}

static void say_input(const struct terminal *terminal, const struct finding *finding)
{
    if (!finding->input)
        return;
    char *words = xformat("With the input %s", finding->input);
    terminal_say(terminal, margin, TONE_PLAIN, words);
    free(words);
}

void summary_of_finding(const struct terminal *terminal, const struct result *result, const struct finding *finding,
                        const char *dir)
{
    say_what(terminal, result, finding);
    say_where_found(terminal, finding);
    say_input(terminal, finding);
    say_critical_decision(terminal, finding);
    say_buffering(terminal, finding);
    say_blame(terminal, finding);
    say_last_words(terminal, finding);
    if (finding_is(finding, KIND_UNSUPPORTED_CALL))
        terminal_say(terminal, margin, TONE_PLAIN, "What is done with each MPI call is in tourney-calls(7)");
    else if (!finding_is(finding, KIND_DIVERGENCE))
        say_command(terminal, "     To reproduce it: ", "replay", dir, finding->id);
}

/* ---- how much that is ---- */

static void put_bounds(FILE *out, const struct result *result)
{
    for (size_t i = 0; i < result->bounds.n; i++)
        fprintf(out, "%s%s", i ? "; " : "", result->bounds.at[i]);
}

/* In few words. */
static const char *input_of(const struct result *result)
{
    for (size_t i = 0; i < result->assumptions.n; i++)
        if (result->assumptions.at[i].brief && strcmp(result->assumptions.at[i].kind, "input") == 0)
            return result->assumptions.at[i].brief;
    return "this input";
}

static void put_scope(FILE *out, const struct result *result)
{
    const char *others = !result->spawned.n ? "" : result->ranks == 1 ? ", with those that it starts," : ", with those that they start,";
    fprintf(out, "outcome that %d rank%s%s can have with %s, under %s buffering", result->ranks,
            result->ranks == 1 ? "" : "s", others, input_of(result), result->buffering);
}

static enum tone put_result_verdict(FILE *out, const struct result *result, bool suppressed)
{
    if (result->verdict == VERDICT_CLEAN) {
        fprintf(out, "no %s in any ", result->findings.n ? "errors" : "defects");
        put_scope(out, result);
        fputs(suppressed ? ", but for what is suppressed" : "", out);
        return TONE_GOOD;
    }
    if (result->verdict == VERDICT_INCOMPLETE || result->bounds.n) {
        fputs(result->verdict == VERDICT_INCOMPLETE ? "not decided: no defect so far, but " : "there may be more: ", out);
        fputs("not every outcome was explored", out);
        fputs(result->bounds.n ? " (" : "", out);
        put_bounds(out, result);
        fputs(result->bounds.n ? ")" : "", out);
        return TONE_WARN;
    }
    fputs("every ", out);
    put_scope(out, result);
    fputs(", was explored", out);
    return TONE_PLAIN;
}

/* What holds for every search like this, in one line. */
static void say_always_assumed(const struct terminal *terminal, const struct result *result)
{
    const char *between = "";
    struct text text;
    text_open(&text);
    for (size_t i = 0; i < result->assumptions.n; i++)
        if (result->assumptions.at[i].brief) {
            fprintf(text.out, "%s%s", between, result->assumptions.at[i].brief);
            between = ", ";
        }
    char *words = text_close(&text);
    if (*between)
        terminal_say(terminal, "tourney: assumed: ", TONE_PLAIN, words);
    free(words);
}

static void say_one_assumed(const struct terminal *terminal, const struct result_assumption *assumption)
{
    struct text text;
    text_open(&text);
    fprintf(text.out, "%s%s%s", assumption->place ? assumption->place : "", assumption->place ? ": " : "",
            assumption->text);
    char *words = text_close(&text);
    terminal_say(terminal, assumption->place ? "tourney: assumed at " : "tourney: assumed: ", TONE_PLAIN, words);
    free(words);
}

static void say_assumptions(const struct terminal *terminal, const struct result *result)
{
    enum { MOST = 5 };
    size_t n = 0;
    say_always_assumed(terminal, result);
    for (size_t i = 0; i < result->assumptions.n; i++)
        if (!result->assumptions.at[i].brief && n++ < MOST)
            say_one_assumed(terminal, &result->assumptions.at[i]);
    if (n > MOST) {
        char words[64];
        snprintf(words, sizeof words, "%zu more, see result.json", n - MOST);
        terminal_say(terminal, "tourney: assumed: ", TONE_PLAIN, words);
    }
}

/* What was looked at all the same, and what may help. */
static void say_way_on(const struct terminal *terminal, const struct result *result)
{
    if (result->complete && result->bounds.n)
        terminal_say(terminal, "tourney: complete: ", TONE_PLAIN, result->complete);
    for (size_t i = 0; i < result->next.n; i++)
        terminal_say(terminal, "tourney: to try next: ", TONE_PLAIN, result->next.at[i]);
}

void summary_of_coverage(const struct terminal *terminal, const struct result *result, const struct coverage *coverage)
{
    struct text text;
    text_open(&text);
    enum tone tone = put_result_verdict(text.out, result, coverage->suppressed);
    char *words = text_close(&text);
    terminal_say(terminal, "tourney: ", tone, words);
    free(words);
    say_way_on(terminal, result);
    say_assumptions(terminal, result);
    if (coverage->can_go_on)
        say_command(terminal, "tourney: to go on: ", "resume", coverage->dir, 0);
    if (result->findings.n)
        say_command(terminal, "tourney: to see it as a page: ", "report", coverage->dir, 0);
}
