/*
 * judge -- random scenarios before several judges, who must agree.
 *
 * The outcomes of a scenario (outcome.h) by brute force (brute.h), by the search, and by
 * the search with histories merged must be the same; prediction, from the record of one
 * run, must not tell of a deadlock that is none, if no rank branches, and, if nothing but
 * matches is open, not miss one, unless it takes a collective that waits in some members only (doc/predict.md).  With -e, an assertion about an order is answered by the search's stories and
 * by brute force.  What is printed must be read again as the same.
 *
 * A scenario on which they differ is made smaller and, with -f, kept in a directory.
 * With -s, those of them that are small are written to another one, with their outcomes, for
 * judges that are not in this process: SPIN and real MPI libraries (judges.py).
 *
 * usage: judge [-f FOUND_DIR] [-s SAMPLE_DIR] SEED COUNT [FEATURES]
 *        judge -e SEED COUNT   what comes before what: by stories of the search, and by brute force
 *        judge -c FILE...      judges these
 *        judge -o FILE         its outcomes
 *        judge -p FILE...      in Promela
 *        judge -x COMMAND FILE the smallest form of it for which `COMMAND FILE` exits with 10
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "brute.h"
#include "draft.h"
#include "spin.h"
#include "record.h"
#include "scenario/inquiry.h"
#include "scenario/parse.h"
#include "scenario/print.h"
#include "scenario/read.h"

/* ---- the search ---- */

struct searching {
    struct scenario_runner runner;
    struct explorer *explorer;
    struct outcomes *outcomes;
    const char *record; /* to be written of the first run that ends well; NULL: not wanted, or done */
    bool recorded, mismatch;
    bool uniform; /* tells of deadlocks whether a collective waits in some members only */
    bool stuck;   /* some run is, without such */
};

static enum visit on_run(void *data, const struct run *run)
{
    struct searching *s = data;
    struct ending ending = scenario_ending(&s->runner, run);
    char *outcome = outcome_text(s->runner.scenario, ending.machine);
    s->stuck = s->stuck || (outcome_is_stuck(outcome) && !run->mixed);
    outcomes_add(s->outcomes, outcome);
    s->mismatch = s->mismatch || run->end == RUN_MISMATCH;
    if (run->end == RUN_CLEAN && s->record && !s->recorded) {
        struct story story;
        story_begin(&story, s->runner.scenario, s->explorer, run);
        record_write(s->record, &story);
        story_release(&story);
        s->recorded = true;
    }
    return VISIT_GOOD;
}

/* False: not all was seen; or members do not agree on a collective, which is for others to judge. */
static bool search(const struct scenario *scenario, bool merge, struct searching *found)
{
    struct searching s = *found;
    struct explore_options options = scenario_options(scenario);
    options.merge = merge;
    options.every_slack_deadlock =
        options.every_slack_deadlock && !found->uniform; /* else nobody asks (explore/slack_deadlocks.h) */
    options.seconds = 20;
    scenario_runner_init(&s.runner, scenario);
    struct runner runner = scenario_runner(&s.runner);
    s.explorer = explore_new(&runner, &options);
    struct explore_result result = explore_run(s.explorer, on_run, &s);
    explore_free(s.explorer);
    scenario_runner_release(&s.runner);
    *found = s;
    return !result.left && !s.mismatch;
}

/* ---- one scenario ---- */

enum { TOO_LARGE, AGREED, DIFFERED };

enum { SAMPLED = 1000 }; /* states of a scenario that others are to look at, too: they are slower */

struct judged {
    int verdict;
    char why[512];
    struct outcomes outcomes;
    bool predicted, stuck;
    size_t states; /* by brute force */
};

struct judge {
    char record[64];
    unsigned long several, stuck, predicted, deadlocks, outcomes;
};

static void differ(struct judged *j, const char *who, const char *what)
{
    j->verdict = DIFFERED;
    snprintf(j->why, sizeof j->why, "%s: %s", who, what);
}

static void compare(struct judged *j, const char *first, const char *second, const struct outcomes *other)
{
    const char *who, *what = outcomes_differ(&j->outcomes, other, &who);
    if (!what)
        return;
    char *sentence = xformat("of %s and %s %s", first, second, who);
    differ(j, sentence, what);
    free(sentence);
}

/* Prediction is about runs with the same control flow: what it takes to be fixed. */
enum {
    BRANCHES = 1, /* a rank goes on otherwise if it received something else */
    ANSWERS = 2,  /* a call may return otherwise */
};

static unsigned control_flow(const struct scenario *scenario)
{
    unsigned flow = 0;
    for (rank_t r = 0; r < scenario->ranks; r++)
        for (size_t i = 0; i < scenario->column[r].statements.n; i++) {
            const struct verb_word *word = scenario->column[r].statements.at[i].word;
            if (word->verb == VERB_IF || word->verb == VERB_WHILE)
                flow |= BRANCHES;
            if (word->verb == VERB_PROBE || word->verb == VERB_CANCEL || word->poll ||
                (word->verb == VERB_COMPLETE && word->select != SELECT_ALL))
                flow |= ANSWERS;
        }
    return flow;
}

static bool any_stuck(const struct outcomes *o)
{
    for (size_t i = 0; i < o->at.n; i++)
        if (outcome_is_stuck(o->at.at[i]))
            return true;
    return false;
}

static bool gets_stuck_uniformly(const struct scenario *scenario)
{
    struct outcomes outcomes = {0};
    struct searching searching = {.outcomes = &outcomes, .uniform = true};
    bool whole = search(scenario, false, &searching);
    outcomes_clear(&outcomes);
    return whole && searching.stuck;
}

static void judge_prediction(struct judged *j, const char *record, const struct scenario *scenario)
{
    enum predicted predicted = record_predict(record, scenario);
    j->predicted = predicted != PREDICTED_UNKNOWN;
    if (predicted == PREDICTED_DEADLOCK && !j->stuck && !(control_flow(scenario) & BRANCHES))
        differ(j, "prediction", "tells of a deadlock that is none");
    if (predicted == PREDICTED_NONE && j->stuck && !control_flow(scenario) && gets_stuck_uniformly(scenario))
        differ(j, "prediction", "misses a deadlock");
}

static void judge_search(struct judged *j, const char *record, const struct scenario *scenario)
{
    struct outcomes searched = {0}, merged = {0};
    struct searching plainly = {.outcomes = &searched, .record = record}, merging = {.outcomes = &merged};
    if (!search(scenario, false, &plainly) || !search(scenario, true, &merging)) {
        j->verdict = TOO_LARGE;
    } else {
        compare(j, "brute force", "the search", &searched);
        compare(j, "brute force", "the search with merging", &merged);
        if (plainly.recorded)
            judge_prediction(j, record, scenario);
    }
    outcomes_clear(&searched);
    outcomes_clear(&merged);
}

static void judge_scenario(struct judged *j, const char *record, const struct scenario *scenario, bool step_by_step)
{
    j->verdict = AGREED;
    j->states = brute_outcomes(scenario, step_by_step, &j->outcomes);
    if (!j->states) {
        j->verdict = TOO_LARGE;
        return;
    }
    j->stuck = any_stuck(&j->outcomes);
    judge_search(j, record, scenario);
}

/* ---- what comes before what ---- */

static unsigned draw(uint64_t *random, unsigned below)
{
    *random = *random * 6364136223846793005 + 1442695040888963407;
    return (unsigned)((*random >> 33) % below);
}

/* An event that can be asked for, of a call with a label; as text, to be freed.  NULL: this draw has none. */
static char *draw_event(const struct scenario *scenario, uint64_t *random)
{
    static const char *const does[] = {"starts", "completes", "returns"};
    rank_t r = (rank_t)draw(random, (unsigned)scenario->ranks);
    const struct column *column = &scenario->column[r];
    if (!column->statements.n)
        return NULL;
    const struct statement *s = &column->statements.at[draw(random, (unsigned)column->statements.n)];
    unsigned kind = draw(random, 3);
    bool posts = s->word->verb <= VERB_SENDRECV || s->word->verb == VERB_COLL;
    if (s->label == NOTHING || s->word->verb == VERB_START || s->word->verb == VERB_FREE || (kind == 1 && !posts) ||
        (kind == 2 && !s->word->blocking && !s->word->poll))
        return NULL;
    return xformat("P%d.%s %s", r, column->labels.at[s->label], does[kind]);
}

static char *draw_question(const char *text, uint64_t seed)
{
    struct scenario scenario;
    struct scenario_mistake mistake;
    uint64_t random = seed * 77 + 1;
    char *event[2] = {0}, *question = NULL;
    if (scenario_parse(&scenario, text, strlen(text), &mistake) != 0)
        die("line %u: %s in\n%s", mistake.line, mistake.sentence, text);
    for (int tries = 0; tries < 40 && !event[1]; tries++)
        event[event[0] != NULL] = draw_event(&scenario, &random);
    if (event[1] && strcmp(event[0], event[1]) != 0)
        question = xformat("%s\nassert %s before %s\n", text, event[0], event[1]);
    free(event[0]);
    free(event[1]);
    scenario_release(&scenario);
    return question;
}

/* An assertion about an order, answered by the stories of the search and by brute force. */
static struct judged judge_order(const char *text)
{
    struct judged j = {.verdict = AGREED};
    struct scenario scenario;
    struct scenario_mistake mistake;
    struct inquiry inquiry;
    bool seen[2] = {0};
    if (scenario_parse(&scenario, text, strlen(text), &mistake) != 0)
        die("line %u: %s in\n%s", mistake.line, mistake.sentence, text);
    const struct claim *claim = &scenario.claims.at[0];
    inquiry_make(&inquiry, &scenario, &(struct inquiry_options){.seconds = 20});
    if (inquiry.result.left || inquiry.result.by_end[RUN_MISMATCH] || claim->events != 2 || !brute_order(&scenario, claim->event, seen))
        j.verdict = TOO_LARGE;
    else if (memcmp(seen, inquiry.claims.at[0].seen, sizeof seen) != 0)
        differ(&j, claim->text, seen[0] && seen[1] ? "brute force says sometimes" : seen[1] ? "brute force says always" : "brute force says never");
    inquiry_release(&inquiry);
    scenario_release(&scenario);
    return j;
}

static int judge_orders(uint64_t first, long many, int features)
{
    long passed = 0, failed = 0, large = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)many && failed < 5; seed++) {
        struct draft draft;
        draft_make(&draft, seed, features);
        draft.buffering = seed % 2 ? "zero" : "infinite";
        draft_label(&draft);
        char *text = draft_text(&draft), *question = draw_question(text, seed);
        if (question) {
            struct judged j = judge_order(question);
            passed += j.verdict == AGREED;
            large += j.verdict == TOO_LARGE;
            failed += j.verdict == DIFFERED;
            if (j.verdict == DIFFERED)
                printf("seed %llu: %s:\n%s\n", (unsigned long long)seed, j.why, question);
        }
        free(text);
        free(question);
    }
    printf("orders: %ld too large\n%ld passed, %ld failed\n", large, passed, failed);
    return failed != 0;
}

static char *printed(const struct scenario *scenario)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    scenario_print(scenario, out);
    fclose(out);
    return text;
}

/* What is printed is read again as the same. */
static void judge_printing(struct judged *j, const struct scenario *scenario)
{
    struct scenario again;
    struct scenario_mistake mistake;
    char *text = printed(scenario);
    if (scenario_parse(&again, text, strlen(text), &mistake) != 0) {
        differ(j, "what is printed cannot be read", mistake.sentence);
        free(mistake.sentence);
    } else {
        char *twice = printed(&again);
        if (strcmp(text, twice) != 0)
            differ(j, "what is printed", "is read as something else");
        free(twice);
        scenario_release(&again);
    }
    free(text);
}

static struct judged judge_text(const char *record, const char *text, bool step_by_step)
{
    struct judged j = {0};
    struct scenario scenario;
    struct scenario_mistake mistake;
    if (scenario_parse(&scenario, text, strlen(text), &mistake) != 0) {
        j.verdict = DIFFERED;
        snprintf(j.why, sizeof j.why, "does not parse: line %u, column %u: %s", mistake.line, mistake.column,
                 mistake.sentence);
        free(mistake.sentence);
        return j;
    }
    judge_scenario(&j, record, &scenario, step_by_step);
    judge_printing(&j, &scenario);
    scenario_release(&scenario);
    return j;
}

/* ---- many ---- */

struct shrinking {
    const char *record;
    bool parses; /* what fails is not just that it cannot be read */
};

static bool still_fails(void *data, const struct draft *draft)
{
    struct shrinking *s = data;
    char *text = draft_text(draft);
    struct judged j = judge_text(s->record, text, false);
    bool fails = j.verdict == DIFFERED && (strncmp(j.why, "does not parse", 14) != 0) == s->parses;
    outcomes_clear(&j.outcomes);
    free(text);
    return fails;
}

static void write_file(const char *directory, const char *name, const char *ending, const char *text)
{
    char *path = xformat("%s/%s%s", directory, name, ending);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        die("%s: %s", path, strerror(errno));
    free(path);
}

static void report(const struct judge *judge, struct draft *draft, const struct judged *j, uint64_t seed, const char *found)
{
    struct shrinking shrinking = {judge->record, strncmp(j->why, "does not parse", 14) != 0};
    printf("seed %llu: %s\n", (unsigned long long)seed, j->why);
    draft_shrink(draft, still_fails, &shrinking);
    char *text = draft_text(draft), *name = xformat("seed-%llu", (unsigned long long)seed);
    struct judged small = judge_text(judge->record, text, false);
    printf("made smaller (%s):\n%s", small.why, text);
    if (found)
        write_file(found, name, ".scn", text);
    outcomes_clear(&small.outcomes);
    free(text);
    free(name);
}

static void write_sample(const char *directory, uint64_t seed, const char *text, const struct outcomes *outcomes)
{
    char *name = xformat("s%llu", (unsigned long long)seed), *lines = xstrdup("");
    for (size_t i = 0; i < outcomes->at.n; i++) {
        char *more = xformat("%s%s\n", lines, outcomes->at.at[i]);
        free(lines);
        lines = more;
    }
    write_file(directory, name, ".scn", text);
    write_file(directory, name, ".outcomes", lines);
    free(name);
    free(lines);
}

static void count(struct judge *judge, const struct judged *j)
{
    judge->several += j->outcomes.at.n > 1;
    judge->outcomes += j->outcomes.at.n;
    judge->stuck += j->stuck;
    judge->predicted += j->predicted;
}

static int judge_many(struct judge *judge, uint64_t first, long many, int features, const char *found, const char *sample)
{
    long passed = 0, failed = 0, large = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)many && failed < 5; seed++) {
        struct draft draft;
        draft_make(&draft, seed, features);
        char *text = draft_text(&draft);
        struct judged j = judge_text(judge->record, text, seed % 8 == 0);
        passed += j.verdict == AGREED;
        large += j.verdict == TOO_LARGE;
        failed += j.verdict == DIFFERED;
        if (j.verdict == AGREED)
            count(judge, &j);
        if (j.verdict == DIFFERED)
            report(judge, &draft, &j, seed, found);
        else if (j.verdict == AGREED && sample && j.states <= SAMPLED)
            write_sample(sample, seed, text, &j.outcomes);
        outcomes_clear(&j.outcomes);
        free(text);
    }
    printf("%lu outcomes; %lu scenarios have several, %lu can deadlock; prediction had a say in %lu; %ld too large\n",
           judge->outcomes, judge->several, judge->stuck, judge->predicted, large);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}

static char *read_file(const char *path)
{
    char *text = xcalloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    if (!file)
        die("%s: %s", path, strerror(errno));
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int judge_files(const struct judge *judge, char **path, bool tell)
{
    int passed = 0, failed = 0;
    for (; *path; path++) {
        char *text = read_file(*path);
        struct judged j = judge_text(judge->record, text, false);
        for (size_t i = 0; tell && i < j.outcomes.at.n; i++)
            puts(j.outcomes.at.at[i]);
        passed += j.verdict != DIFFERED;
        failed += j.verdict == DIFFERED;
        if (j.verdict == DIFFERED)
            printf("%s: %s\n", *path, j.why);
        outcomes_clear(&j.outcomes);
        free(text);
    }
    if (!tell)
        printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

struct outside {
    const char *command, *file;
};

static bool fails_outside(void *data, const struct draft *draft)
{
    const struct outside *outside = data;
    FILE *out = fopen(outside->file, "w");
    if (!out)
        die("%s: %s", outside->file, strerror(errno));
    draft_print(draft, out);
    fclose(out);
    char *line = xformat("%s %s", outside->command, outside->file);
    int status = system(line);
    free(line);
    return WIFEXITED(status) && WEXITSTATUS(status) == 10;
}

static int shrink_file(const char *command, const char *record, const char *path)
{
    struct outside outside = {command, record};
    struct draft draft;
    char *text = read_file(path);
    if (!draft_read(&draft, text))
        die("%s is not as random scenarios are", path);
    draft_shrink(&draft, fails_outside, &outside);
    draft_print(&draft, stdout);
    free(text);
    return 0;
}

static int print_promela(char **path, int n)
{
    struct scenario *scenario = xcalloc((size_t)n, sizeof *scenario);
    for (int i = 0; i < n; i++) {
        scenario_read(&scenario[i], path[i]);
        if (spin_lacks(&scenario[i]))
            die("%s: there are no %s in Promela", path[i], spin_lacks(&scenario[i]));
    }
    spin_print(stdout, scenario, (size_t)n);
    for (int i = 0; i < n; i++)
        scenario_release(&scenario[i]);
    free(scenario);
    return 0;
}

int main(int argc, char **argv)
{
    const char *found = NULL, *sample = NULL, *command = NULL;
    struct judge judge = {.record = "/tmp/tourney-judge-XXXXXX"};
    int option, code, fd = mkstemp(judge.record);
    bool files = false, tell = false, promela = false, orders = false;
    if (fd < 0)
        die("%s: %s", judge.record, strerror(errno));
    close(fd);
    while ((option = getopt(argc, argv, "ef:s:copx:")) != -1) {
        found = option == 'f' ? optarg : found;
        sample = option == 's' ? optarg : sample;
        files = files || option == 'c' || option == 'o';
        tell = tell || option == 'o';
        command = option == 'x' ? optarg : command;
        orders = orders || option == 'e';
        promela = promela || option == 'p';
    }
    argv += optind;
    argc -= optind;
    if (command)
        code = shrink_file(command, judge.record, argv[0]);
    else if (promela)
        code = print_promela(argv, argc);
    else if (files)
        code = judge_files(&judge, argv, tell);
    else if (orders)
        code = judge_orders(argc > 0 ? strtoull(argv[0], NULL, 10) : 1, argc > 1 ? atol(argv[1]) : 100, DRAFT_ALL);
    else
        code = judge_many(&judge, argc > 0 ? strtoull(argv[0], NULL, 10) : 1, argc > 1 ? atol(argv[1]) : 1000,
                          argc > 2 ? (int)strtol(argv[2], NULL, 0) : DRAFT_ALL, found, sample);
    unlink(judge.record);
    return code;
}
