/*
 * ask -- what MPI says about a scenario: always, sometimes or never.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "options/arguments.h"
#include "options/usage.h"
#include "scenario/inquiry.h"
#include "scenario/read.h"

enum { EXIT_AS_EXPECTED = 0, EXIT_OTHERWISE = 1, EXIT_UNDECIDED = 2 };

enum { SECONDS = 60 }; /* that it may take by default */

static void show_witness_run(const char *which, const char *run)
{
    if (run)
        printf("  %s\n%s", which, run);
}

/* Returns the exit code. */
static int tell_claim(const struct arguments *arguments, const struct inquiry *inquiry, const struct claim *claim,
                      size_t i)
{
    enum modality answer = inquiry_answer(inquiry, i);
    const struct finding_of_claim *found = &inquiry->claims.at[i];
    const char *side = found->seen[1] ? "so far it holds" : "so far it does not hold";
    printf("  %s: %s", claim->text, answer ? modality_name(answer) : side);
    if (answer && claim->expected)
        printf(answer == claim->expected ? ", as expected" : ", but %s was expected", modality_name(claim->expected));
    putchar('\n');
    if (!arguments->quiet) {
        show_witness_run("A run in which it holds:", found->shown[1]);
        show_witness_run("A run in which it does not hold:", found->shown[0]);
    }
    if (!answer)
        return EXIT_UNDECIDED;
    return claim->expected && claim->expected != answer ? EXIT_OTHERWISE : EXIT_AS_EXPECTED;
}

static void tell_count(const struct inquiry *inquiry)
{
    unsigned long long runs = inquiry->result.runs + inquiry->result.slack_deadlocks, stuck = inquiry->stuck;
    printf("  %llu run%s%s", runs, runs == 1 ? "" : "s", inquiry->result.left ? " and more" : "");
    if (stuck)
        printf(", of which %llu end%s in a deadlock", stuck, stuck == 1 ? "s" : "");
    putchar('\n');
}

static int ask_file(const struct arguments *arguments, const char *path)
{
    struct scenario scenario;
    struct inquiry inquiry;
    int code = EXIT_AS_EXPECTED;
    scenario_read(&scenario, path);
    inquiry_make(&inquiry, &scenario,
                 &(struct inquiry_options){.max_runs = (uint64_t)arguments->max_runs,
                                           .seconds = arguments->given[OPTION_TIME] ? arguments->time : SECONDS});
    if (scenario.title)
        printf("%s: %s\n", path, scenario.title);
    else
        printf("%s\n", path);
    for (size_t i = 0; i < scenario.claims.n; i++) {
        int one = tell_claim(arguments, &inquiry, &scenario.claims.at[i], i);
        code = code == EXIT_OTHERWISE || one == EXIT_AS_EXPECTED ? code : one;
    }
    tell_count(&inquiry);
    if (scenario.numbers)
        puts("  races were not looked for: puts and gets that conflict were made in one order, and atomic accesses of one rank to one\n"
             "  target in that of their calls");
    inquiry_release(&inquiry);
    scenario_release(&scenario);
    return code;
}

int command_ask(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_ASK, argc, argv);
    int code = EXIT_AS_EXPECTED;
    for (char **file = arguments.words; *file; file++) {
        int one = ask_file(&arguments, *file);
        code = code == EXIT_OTHERWISE || one == EXIT_AS_EXPECTED ? code : one;
    }
    return tell("") ? EXIT_TOURNEY : code;
}
