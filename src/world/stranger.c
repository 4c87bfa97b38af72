#include "world/stranger.h"

#include "base/mem.h"

static char *on_launcher(const char *program, const char *launcher)
{
    return xformat("%s starts %s, but tourney is the launcher: give it the program that %s starts, or a script that "
                   "starts the program without %s", program, launcher, launcher, launcher);
}

static char *on_second(const char *program)
{
    return xformat("%s: a second process calls MPI_Init in the place of one rank: give tourney the program, or a "
                   "script that starts one MPI program, once and without a launcher", program);
}

static char *on_refusal(const struct rank_claim *claim)
{
    return xformat("%.*s", (int)sizeof claim->refusal - 1, claim->refusal);
}

/* A launcher that has started nobody who calls MPI_Init has failed, or waits for something. */
char *stranger_in(const struct rank_claim *claim, const char *program, bool silent)
{
    if (atomic_load(&claim->refused) == REFUSAL_IS_NOTED)
        return on_refusal(claim);
    bool launcher = atomic_load(&claim->noted) == LAUNCHER_IS_NOTED;
    switch (atomic_load(&claim->stranger)) {
    case STRANGER_OF_LAUNCHER:
        return on_launcher(program, launcher ? claim->launcher : "a launcher");
    case STRANGER_IS_SECOND:
        return on_second(program);
    }
    return silent && launcher && !atomic_load(&claim->pid) ? on_launcher(program, claim->launcher) : NULL;
}
