/*
 * verify -- every run of a program.
 *
 * What is found is in the result directory before it is told, so that nothing is
 * lost however tourney ends.
 */
#include <stdio.h>

#include "base/die.h"
#include "command/command.h"
#include "options/choices.h"
#include "options/node_layouts.h"
#include "report/summary.h"
#include "verification/verification.h"

static const int verdict_codes[] = {[VERDICT_CLEAN] = 0, [VERDICT_DEFECTS] = 1, [VERDICT_INCOMPLETE] = 2};

static int verification_exit_code(const struct verification *v)
{
    if (drive_signal() || v->signal)
        return 128 + (v->signal ? v->signal : drive_signal());
    int code = v->refused && v->result.verdict != VERDICT_DEFECTS ? EXIT_TOURNEY : verdict_codes[v->result.verdict];
    if (v->result.verdict == VERDICT_DEFECTS && v->options.arguments.error_exitcode)
        code = v->options.arguments.error_exitcode;
    return code == 0 && (v->unsaved || v->unprinted) ? EXIT_TOURNEY : code;
}

static int finish_verification(struct verification *v)
{
    verification_finish(v);
    int code = verification_exit_code(v);
    verification_release(v);
    return code;
}

/* None: just the command as it is. */
static argument_lines_t lines_to_search(const struct run_options *options)
{
    const struct arguments *arguments = &options->arguments;
    argument_lines_t lines = arguments->each_args ? argument_lines_read(arguments->each_args, options->world.argv)
                                                  : choices_lines(&arguments->choose, options->world.argv);
    return node_layouts_spread(arguments->nodes, lines, options->world.argv);
}

int command_verify(int argc, char **argv)
{
    struct verification v = {.session = session_begin(argc, argv)};
    v.options = v.session.options;
    verification_begin_result(&v);
    verification_save_first(&v);
    if (!v.options.arguments.inputs)
        v.lines = lines_to_search(&v.options);
    if (v.options.arguments.inputs) {
        verification_search_inputs(&v);
    } else if (v.lines.n) {
        verification_search_each_line(&v);
    } else {
        session_open_journal(&v.session, argc, argv);
        verification_search(&v);
    }
    return finish_verification(&v);
}

/* There is no journal: no more is left to search, or it was one of those that are not resumed. */
static int tell_complete(const struct session *session)
{
    const char *dir = session->dir.path;
    struct result result = dir_read(dir);
    if (result.inputs && result.bounds.n)
        die("%s: a search with --inputs cannot be resumed; begin it again, with what is in %s now", dir, result.inputs);
    if (result.bounds.n)
        die("%s: this search did not come to its end and has no journal, so it cannot be resumed (as with --each-args and with "
            "several --choose or --nodes); begin it again", dir);
    struct terminal terminal = options_terminal(stdout, &session->options.arguments);
    printf("tourney: the search in %s is complete: %zu finding%s\n", dir, result.findings.n,
           result.findings.n == 1 ? "" : "s");
    for (size_t i = 0; i < result.findings.n; i++)
        summary_of_finding(&terminal, &result, &result.findings.at[i], dir);
    summary_of_coverage(&terminal, &result, &(struct coverage){.dir = dir});
    int code = verdict_codes[result.verdict];
    result_release(&result);
    return code;
}

int command_resume(int argc, char **argv)
{
    struct verification v = {.session = session_resume(argc, argv)};
    if (!v.session.journal)
        return tell_complete(&v.session);
    v.options = v.session.options;
    verification_begin_result(&v);
    verification_search(&v);
    return finish_verification(&v);
}
