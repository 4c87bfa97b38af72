/*
 * confirmation -- whether what is wrong with a run comes out the same from a fresh start.
 *
 * In the search ranks are copied, and what the kernel keeps for a process is not all copied.  So before a rank is said to
 * crash, abort, hang or end badly, it is started anew, by a process that nobody copies, and given the recorded answers:
 * it must make the same calls and come to the same end.  What does not is a divergence, and no defect of the program.
 */
#include "verification/verification.h"

/* Every rank has a part in what a run comes to; of one that is stuck, those have that ended as they should not. */
enum suspects { NOBODY, ENDED_BADLY, ALL };

static enum suspects suspects_of(enum run_end end)
{
    switch (end) {
    case RUN_CLEAN:
    case RUN_ABORT:
    case RUN_ERROR:
    case RUN_CRASH:
    case RUN_HUNG:
        return ALL;
    case RUN_DEADLOCK:
    case RUN_LIVELOCK:
    case RUN_MISMATCH:
        return ENDED_BADLY;
    case RUN_REFUSED:
    case RUN_DIVERGED:
    case RUN_UNKNOWN:
    case RUN_STOPPED:
        return NOBODY;
    }
    return NOBODY;
}

static bool has_ended_badly(struct verification *v, rank_t r)
{
    struct history history = explore_history(v->run.explorer, v->run.run->node[r]);
    return history.end != SEGMENT_CALL && (history.end != SEGMENT_EXIT || history.code != 0 || !history.finished);
}

static bool is_suspect(struct verification *v, rank_t r, enum suspects suspects)
{
    bool copied = suspects == ALL && drive_is_of_copies(v->run.drive, v->run.run->node[r]);
    return suspects != NOBODY && (copied || has_ended_badly(v, r));
}

enum anew verification_confirm(struct verification *v)
{
    enum suspects suspects = suspects_of(v->run.run->end);
    for (rank_t r = 0; r < v->run.ranks && v->run.drive; r++) {
        enum anew anew = is_suspect(v, r, suspects) ? drive_run_anew(v->run.drive, v->run.run->node[r]) : ANEW_SAME;
        if (anew != ANEW_SAME)
            return anew;
    }
    return ANEW_SAME;
}
