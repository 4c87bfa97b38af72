/*
 * announcements -- what a verification says in the end: what was covered and what was found, to people and to
 * other tools.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/summary.h"
#include "result/annotate.h"
#include "result/junit.h"
#include "result/sarif.h"
#include "verification/verification.h"
#include "words/round_number.h"
#include "words/text.h"

/* One line that claims what was done, and no more. */
static void put_coverage(FILE *out, const struct verification *v, const struct explore_result *explored)
{
    uint64_t bad_runs = v->bad_runs - v->before.bad_runs;
    if (v->line && v->line->nodes)
        fprintf(out, "tourney: on nodes: %s\n", v->line->nodes);
    if (v->line && v->line->input)
        fprintf(out, "tourney: with the input: %s\n", v->line->input);
    if (v->line && *v->line->text)
        fprintf(out, "tourney: with the arguments: %s\n", v->line->text);
    fprintf(out, "tourney: %s buffering: %" PRIu64 " run%s", v->options.buffering, explored->runs,
           explored->runs == 1 ? "" : "s");
    if (explored->runs && isinf(explored->stood_for))
        fputs(explored->runs == 1 ? ", which stands for any number of them" : ", which stand for any number of them", out); /* somebody may go round */
    else if (explored->runs && explored->stood_for > (double)explored->runs)
        fprintf(out, ", which stand%s for %s%.*g", explored->runs == 1 ? "s" : "", explored->at_most ? "up to " : "",
               explored->stood_for < 1e15 ? 15 : 3, explored->stood_for); /* counted as long as that is exact */
    if (explored->estimate > 0) {
        fputs(" of ", out);
        round_number_put(out, explored->estimate);
    }
    if (bad_runs && explored->runs == 1)
        fputs(", and it fails", out);
    else if (bad_runs)
        fprintf(out, ", %" PRIu64 " of them fail%s", bad_runs, bad_runs == 1 ? "s" : "");
    else if (v->complaint_errors)
        fputs(explored->runs == 1 ? "; it ended, but has errors" : ", all ended, but there are errors", out);
    else
        fputs((explored->left && v->options.engine != ENGINE_PREDICT) || v->refused || v->diverged ? ", no error so far"
              : explored->runs == 1 ? "; it ended well"
                                    : ", all ended well",
              out);
    if (drive_signal())
        fprintf(out, "; stopped by signal %d (%s)", drive_signal(), strsignal(drive_signal()));
    else if (explored->left & LEFT_STOPS && v->options.engine != ENGINE_PREDICT)
        fputs("; stopped early, there are more", out);
    else
        for (size_t i = 0; i < v->result.bounds.n; i++)
            fprintf(out, "; %s", v->result.bounds.at[i]);
}

/* Nothing is to be said of a program that has nothing to do with MPI, but that, which was said. */
static bool is_about_mpi(const struct verification *v)
{
    return v->is_mpi || !v->refused;
}

void verification_tell_coverage(const struct verification *v, const struct explore_result *explored)
{
    if (!is_about_mpi(v))
        return;
    struct terminal terminal = options_terminal(stdout, &v->options.arguments);
    struct text text;
    text_open(&text);
    put_coverage(text.out, v, explored);
    char *lines = text_close(&text);
    terminal_show(&terminal, TONE_PLAIN, lines);
    free(lines);
}

/* Where the search was stopped it can be gone on with. */
static bool can_go_on(const struct verification *v)
{
    return v->options.engine != ENGINE_PATHS && v->session.journal && dir_has_journal(&v->session.dir) &&
           v->before.left & (LEFT_RUNS | LEFT_TIME | LEFT_RUNNER);
}

void verification_tell_findings(const struct verification *v)
{
    const struct policy *policy = &v->options.policy;
    struct terminal terminal = options_terminal(stdout, &v->options.arguments);
    size_t n = v->result.findings.n, shown = 0;
    for (size_t i = 0; i < n; i++)
        shown += policy_shows(policy, &v->result.findings.at[i]);
    if (shown)
        printf("tourney: %zu finding%s, kept in %s\n", shown, shown == 1 ? "" : "s", v->session.dir.path);
    for (size_t i = 0; i < n; i++)
        if (policy_shows(policy, &v->result.findings.at[i]))
            summary_of_finding(&terminal, &v->result, &v->result.findings.at[i], v->session.dir.path);
    if (is_about_mpi(v))
        summary_of_coverage(&terminal, &v->result,
                            &(struct coverage){v->session.dir.path, can_go_on(v), v->suppressed});
}

static void write_file(struct verification *v, const char *path, char *text)
{
    FILE *file = fopen(path, "we");
    bool failed = !file || fputs(text, file) < 0;
    if (file && fclose(file) != 0)
        failed = true;
    if (failed) {
        fprintf(stderr, "tourney: %s cannot be written: %s\n", path, strerror(errno));
        v->unsaved = true;
    }
    free(text);
}

void verification_tell_tools(struct verification *v)
{
    if (v->options.arguments.sarif)
        write_file(v, v->options.arguments.sarif, sarif_print(&v->result));
    if (v->options.arguments.junit)
        write_file(v, v->options.arguments.junit, junit_print(&v->result));
    char *lines = v->options.arguments.ci ? annotate_print(&v->result) : NULL;
    fputs(lines ? lines : "", stdout);
    free(lines);
}

void verification_tell_losses(struct verification *v)
{
    const char *dir = v->session.dir.path;
    char *lost = dir_lost(&v->session.dir);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "tourney: what was found could not all be printed%s%s\n", v->unsaved ? "" : "; it is in ",
                v->unsaved ? "" : dir);
        v->unprinted = true;
    }
    if (lost)
        fprintf(stderr, "tourney: could not be written in %s: %s\n", dir, lost);
    else if (v->was_unsaved)
        fprintf(stderr, "tourney: the result in %s is complete now\n", dir);
    free(lost);
}

/* Ready to be put into a file for --suppressions. */
void verification_tell_suppressions(const struct verification *v)
{
    for (size_t i = 0; i < v->result.findings.n && v->options.arguments.gen_suppressions; i++) {
        const struct finding *finding = &v->result.findings.at[i];
        if (!policy_shows(&v->options.policy, finding))
            continue;
        char *rule = policy_rule_for(finding);
        printf("# %s\n%s\n", finding->message, rule);
        free(rule);
    }
}
