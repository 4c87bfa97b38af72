#include "result/assumptions.h"

#include <string.h>

#include "base/die.h"

static const struct {
    const char *name, *brief, *text;
} kinds[ASSUMPTION_KINDS] = {
    [ASSUMED_INPUT] = {"input", "this input",
                       "the program was run with these arguments, this environment, these files and this standard input"},
    [ASSUMED_LAYOUT] = {"layout", "same addresses",
                        "the memory of a rank is at the same addresses in every run; unless --layout is same or --heap is "
                        "system, each rank has its blocks of malloc and its stack at addresses of its own, and small blocks in "
                        "an order of its own; unless --heap is system, what malloc gives is zero"},
    [ASSUMED_CLOCKS] = {"clocks", "virtual clocks",
                        "MPI_Wtime, the clocks of the C library and the processor's counter advance when they are read, with "
                        "messages and by what is slept, and leap while polls say no; "
                        "how long computing takes is not varied"},
    [ASSUMED_REAL_CLOCKS] = {"clocks", "real clocks", "clocks show the time that it happened to be"},
    [ASSUMED_RANDOM] = {"randomness", "fixed randomness",
                        "what a rank draws at random is its own and the same in every run, and is not varied; neither is what memory holds that was never set"},
    [ASSUMED_NODES] = {"nodes", "one node", "all ranks are on one node and share its memory"},
    [ASSUMED_FAULTS] = {"faults", "no failing calls",
                        "calls of the C library, such as malloc and open, fail only if the system has them fail"},
    [ASSUMED_REDUCTIONS] = {"reductions", "one order of reductions",
                            "a reduction combines from the last rank to the first, one after the other; what MPI may combine in other "
                            "orders is rounded otherwise"},
    [ASSUMED_FILES] = {"files", "kept files", "what a run does to files is not undone before the next"},
    [ASSUMED_COLLECTIVES] = {"collectives", "synchronising collectives",
                             "beside each collective there is a second one that tells who has joined: ranks wait in it that "
                             "the program's own might have let go"},
    [ASSUMED_PREFERENCE] = {"preference", "generalized requests first",
                            "MPI_Waitany, MPI_Waitsome, MPI_Testany and MPI_Testsome name generalized requests, and others that "
                            "the MPI library keeps by itself, as soon as they are complete, before all others"},
    [ASSUMED_MEASUREMENTS] = {"measurements", "measurements of a library that is alone",
                              "performance variables (MPI_T_pvar_read) show what the MPI library below a rank measures, which is a single process and has no "
                              "messages; they are not varied"},
    [ASSUMED_POLLS] = {.name = "polls"},
    [ASSUMED_MERGING] = {.name = "merging"},
    [ASSUMED_FOLLOWING] = {.name = "following"},
    [ASSUMED_COPIES] = {.name = "copies"},
    [ASSUMED_THREADS] = {.name = "threads"},
    [ASSUMED_WINDOWS] = {.name = "windows"},
    [ASSUMED_BUFFERS] = {"buffers", "buffers by their sums",
                         "on this machine accesses cannot be watched one by one: that the program stores to a buffer too early is seen by "
                         "the sum of its bytes, that it loads from one is not, and neither are its loads and stores in windows"},
};

const char *assumption_name(enum assumption_kind kind)
{
    return kinds[kind].name;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void add_assumption(struct result *result, enum assumption_kind kind, const char *brief, const char *place,
                           const char *text)
{
    for (size_t i = 0; i < result->assumptions.n; i++) {
        const struct result_assumption *other = &result->assumptions.at[i];
        if (strcmp(other->text, text) == 0 && is_same_text(other->place, place))
            return;
    }
    vec_push(&result->assumptions, (struct result_assumption){xstrdup(kinds[kind].name), brief ? xstrdup(brief) : NULL,
                                                              xstrdup(text), place ? xstrdup(place) : NULL});
}

void result_assume(struct result *result, enum assumption_kind kind)
{
    if (!kinds[kind].text)
        BUG("nothing is known to be said of %s", kinds[kind].name);
    add_assumption(result, kind, kinds[kind].brief, NULL, kinds[kind].text);
}

void result_assume_that(struct result *result, enum assumption_kind kind, const char *place, const char *text)
{
    add_assumption(result, kind, NULL, place, text);
}

void result_assume_briefly(struct result *result, enum assumption_kind kind, const char *brief, const char *text)
{
    add_assumption(result, kind, brief, NULL, text);
}
