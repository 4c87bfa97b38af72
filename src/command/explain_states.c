/*
 * explain-states -- what keeps the states of ranks apart.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/die.h"
#include "command/command.h"
#include "drive/drive.h"
#include "options/options.h"
#include "states/explanation.h"
#include "world/input.h"
#include "world/program.h"

enum { MOST_TOLD = 40, EXIT_INCOMPLETE = 2 };

/* Small numbers as such; addresses and bits are easier to know as they are. */
static void print_value(uint64_t value)
{
    enum { SMALL = 1000000 };
    printf(value < SMALL ? "%" PRIu64 : "0x%" PRIx64, value);
}

static void tell_difference(const struct difference_count *count)
{
    printf("%8" PRIu64 "  %s (%s)", count->pairs, count->name, count->owner);
    if (count->offset)
        printf(", at +%" PRIu64, count->offset);
    printf(": ");
    print_value(count->a);
    printf(" and ");
    print_value(count->b);
    if (count->alone)
        printf("; %" PRIu64 " time%s in nothing else", count->alone, count->alone == 1 ? "" : "s");
    putchar('\n');
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void tell_sum(const struct explore_result *result, const struct explanation_sum *sum)
{
    printf("tourney: %" PRIu64 " segment%s of ranks were run, and %" PRIu64 " of them came to a known state; %" PRIu64
           " state%s were looked at\n",
           result->segments, plural(result->segments), result->merged, sum->states, plural(sum->states));
    if (!sum->compared) {
        printf("tourney: no two of them could have been the same\n");
        return;
    }
    printf("tourney: %" PRIu64 " of them could have been the same as another one, in the same call after the same "
           "operations; in how many what differs from the nearest:\n", sum->compared);
    for (size_t i = 0; i < sum->counts && i < MOST_TOLD; i++)
        tell_difference(&sum->count[i]);
    if (sum->counts > MOST_TOLD)
        printf("          and %zu other objects\n", sum->counts - MOST_TOLD);
    if (sum->outside)
        printf("%8" PRIu64 "  nothing in memory, but what the kernel keeps for the rank, or where memory is mapped\n",
               sum->outside);
}

int command_explain_states(int argc, char **argv)
{
    struct run_options options = options_for_explain_states(argc, argv);
    struct explore_options search = {.ranks = options.world.ranks,
                                     .slack = options.world.slack,
                                     .any_slack = options.any_slack,
                                     .merge = true,
                                     .jobs = 1,
                                     .max_runs = (uint64_t)options.arguments.max_runs,
                                     .seconds = options.world.seconds};
    input_keep(true);
    struct drive *drive = drive_new(&options.world);
    struct explanation *explanation = explanation_new(drive);
    struct explore_result result = explanation_search(explanation, &search);
    if (result.by_end[RUN_REFUSED])
        die("%s makes a call that explain-states does not know, such as one that starts ranks; tourney verify names it", options.world.argv[0]);
    int code = drive_signal() ? 128 + drive_signal() : result.left ? EXIT_INCOMPLETE : 0;
    if (!drive_mpi(drive) && program_lacks_mpi(options.world.argv[0])) {
        code = EXIT_TOURNEY;
    } else {
        struct explanation_sum sum = explanation_sum(explanation);
        tell_sum(&result, &sum);
    }
    explanation_free(explanation);
    drive_free(drive);
    options_release(&options);
    return code;
}
