/*
 * last_words -- what ranks that failed wrote last to standard error.
 *
 * What ranks print in a search is thrown away: it is the output of thousands of runs.  When it is over, the
 * first run of each finding of a rank that failed is made once more, as for stacks, by ranks that are heard.
 */
#include <string.h>

#include "verification/verification.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "replay/rerun.h"

enum {
    FINDINGS = 8, /* findings whose ranks are listened to */
    RANKS = 3,    /* ranks of each finding */
    LINES = 5,    /* lines of each rank */
    LENGTH = 240, /* bytes of each line */
};

static enum visit note_run_end(void *ended, const struct run *run)
{
    *(enum run_end *)ended = run->end;
    return VISIT_GOOD;
}

/* How the run ends in which that is found; RUN_UNKNOWN: a rank that ended like that need not have said why. */
static enum run_end end_of_finding(const struct finding *finding)
{
    static const struct {
        const char *kind;
        enum run_end end;
    } heard[] = {{KIND_CRASH, RUN_CRASH}, {KIND_ASSERTION, RUN_CRASH}, {KIND_ABORT, RUN_ABORT},
                 {KIND_EXIT_CODE, RUN_CLEAN}, {KIND_NO_FINALIZE, RUN_CLEAN}};
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
        if (strcmp(finding->kind, heard[i].kind) == 0)
            return heard[i].end;
    return RUN_UNKNOWN;
}

/* Terminals would do what stands there. */
static char *plain_line(const char *text, size_t n)
{
    char *line = xcalloc(n + 1, 1);
    for (size_t i = 0; i < n; i++)
        line[i] = (unsigned char)text[i] < ' ' && text[i] != '\t' ? '?' : text[i] == 0x7f ? '?' : text[i];
    return line;
}

static struct last_words last_lines(rank_t rank, const char *text)
{
    struct last_words words = {.rank = rank};
    size_t end = strlen(text), first;
    while (end && text[end - 1] == '\n')
        end--;
    first = end;
    for (int lines = 0; first; first--)
        if (text[first - 1] == '\n' && ++lines == LINES)
            break;
    while (first < end) {
        size_t n = strcspn(text + first, "\n");
        vec_push(&words.lines, plain_line(text + first, n < LENGTH ? n : LENGTH));
        first += n + 1;
    }
    return words;
}

static void take_last_words(const struct drive *drive, struct finding *finding)
{
    for (size_t i = 0; i < finding->ranks.n && finding->last_words.n < RANKS; i++) {
        char *text = drive_heard(drive, finding->ranks.at[i]);
        if (text && text[strspn(text, "\n")])
            vec_push(&finding->last_words, last_lines(finding->ranks.at[i], text));
        free(text);
    }
}

/* False: there is nothing to be told. */
static bool hear_last_words(struct verification *v, struct finding *finding, double seconds)
{
    deadline_begin(seconds);
    struct world_options world = rerun_world(&v->result, finding, seconds);
    world.errors = true;
    world.unguarded = v->options.world.unguarded;
    struct rerun rerun = rerun_open(&v->result, finding, &world);
    enum run_end end = RUN_UNKNOWN;
    if (rerun_finding(&rerun, finding, note_run_end, &end) == 0 && end == end_of_finding(finding))
        take_last_words(rerun.run.drive, finding);
    rerun_close(&rerun);
    return finding->last_words.n;
}

bool verification_add_last_words(struct verification *v)
{
    double until = verification_end_of_again(v);
    bool any = false;
    v->is_searched = true;
    for (size_t i = 0, heard = 0; i < v->result.findings.n && heard < FINDINGS; i++) {
        struct finding *finding = &v->result.findings.at[i];
        double seconds = until - progress_seconds(&v->progress);
        if (end_of_finding(finding) == RUN_UNKNOWN || !finding->run)
            continue;
        if (seconds <= 0 || drive_signal() || (!heard++ && !verification_can_run_again(v)))
            break;
        progress_say(&v->progress, "runs are made once more, for what ranks said last; Ctrl-C leaves this out");
        any = hear_last_words(v, finding, seconds) || any;
    }
    progress_clear(&v->progress);
    return any;
}
