/*
 * ask -- what MPI says about a scenario: always, sometimes or never.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "command/words.h"
#include "scenario/inquiry.h"
#include "scenario/read.h"

enum { EXIT_AS_EXPECTED = 0, EXIT_OTHERWISE = 1, EXIT_UNDECIDED = 2 };

struct request {
    struct inquiry_options options;
    bool quiet;
};

static struct request parse(int argc, char **argv)
{
    enum { MAX_RUNS = 256, SECONDS };
    static const struct option long_options[] = {
        {"max-runs", required_argument, NULL, MAX_RUNS},
        {"time", required_argument, NULL, SECONDS},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct request request = {.options.seconds = 60};
    int c;
    opterr = 0;
    while ((c = getopt_long_only(argc, argv, ":qh", long_options, NULL)) != -1) {
        char *end = NULL;
        switch (c) {
        case MAX_RUNS:
            request.options.max_runs = strtoull(optarg, &end, 10);
            if (*end || optarg[0] == '-' || !request.options.max_runs)
                die("--max-runs is a positive number, not '%s'", optarg);
            break;
        case SECONDS:
            request.options.seconds = strtod(optarg, &end);
            if (*end || end == optarg || !(request.options.seconds > 0))
                die("--time is a positive number of seconds, not '%s'", optarg);
            break;
        case 'q':
            request.quiet = true;
            break;
        case 'h':
            exit(tell(usage));
        default:
            word_refuse_option(c, argv, long_options);
        }
    }
    if (optind == argc)
        misuse("ask needs a FILE with a scenario");
    return request;
}

static void tell_run(const char *which, const char *run)
{
    if (run)
        printf("  %s\n%s", which, run);
}

/* Returns the exit code. */
static int tell_claim(const struct request *request, const struct inquiry *inquiry, const struct claim *claim, size_t i)
{
    enum modality answer = inquiry_answer(inquiry, i);
    const struct finding_of_claim *found = &inquiry->claims.at[i];
    const char *side = found->seen[1] ? "so far it holds" : "so far it does not hold";
    printf("  %s: %s", claim->text, answer ? modality_name(answer) : side);
    if (answer && claim->expected)
        printf(answer == claim->expected ? ", as expected" : ", but %s was expected", modality_name(claim->expected));
    putchar('\n');
    if (!request->quiet) {
        tell_run("A run in which it holds:", found->shown[1]);
        tell_run("A run in which it does not hold:", found->shown[0]);
    }
    if (!answer)
        return EXIT_UNDECIDED;
    return claim->expected && claim->expected != answer ? EXIT_OTHERWISE : EXIT_AS_EXPECTED;
}

static void tell_count(const struct inquiry *inquiry)
{
    unsigned long long runs = inquiry->result.runs + inquiry->result.cuts, stuck = inquiry->stuck;
    printf("  %llu run%s%s", runs, runs == 1 ? "" : "s", inquiry->result.left ? " and more" : "");
    if (stuck)
        printf(", of which %llu end%s in a deadlock", stuck, stuck == 1 ? "s" : "");
    putchar('\n');
}

static int ask_file(const struct request *request, const char *path)
{
    struct scenario scenario;
    struct inquiry inquiry;
    int code = EXIT_AS_EXPECTED;
    scenario_read(&scenario, path);
    inquiry_make(&inquiry, &scenario, &request->options);
    if (scenario.title)
        printf("%s: %s\n", path, scenario.title);
    else
        printf("%s\n", path);
    for (size_t i = 0; i < scenario.claims.n; i++) {
        int one = tell_claim(request, &inquiry, &scenario.claims.at[i], i);
        code = code == EXIT_OTHERWISE || one == EXIT_AS_EXPECTED ? code : one;
    }
    tell_count(&inquiry);
    inquiry_release(&inquiry);
    scenario_release(&scenario);
    return code;
}

int command_ask(int argc, char **argv)
{
    struct request request = parse(argc, argv);
    int code = EXIT_AS_EXPECTED;
    for (int i = optind; i < argc; i++) {
        int one = ask_file(&request, argv[i]);
        code = code == EXIT_OTHERWISE || one == EXIT_AS_EXPECTED ? code : one;
    }
    return tell("") ? EXIT_TOURNEY : code;
}
