#include "report/outcome.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "call/calls.h"
#include "report/describe.h"

struct report {
    FILE *out;
    const struct play *play;
    const struct world *world;
    struct symbols *symbols;
};

static void put_place(const struct report *report, rank_t r, uint64_t address)
{
    char text[512];
    struct trace_place place = {.rank = r, .address = address};
    symbols_place(report->symbols, world_process(report->world, r), address, &place);
    fputs(trace_place_format(&place, text, sizeof text), report->out);
}

static void put_call(const struct report *report, rank_t r, const struct op *op)
{
    describe_op(report->out, report->play, r, op);
    fputs("  at ", report->out);
    put_place(report, r, op->place);
}

static void put_member(const struct report *report, rank_t r, const struct op *op)
{
    fprintf(report->out, "  rank %-4d ", r);
    put_call(report, r, op);
    fputc('\n', report->out);
}

static void put_ranks(FILE *out, const rank_t *rank, int n, const char *joint)
{
    enum { SHOWN = 8 };
    fprintf(out, "rank%s ", n == 1 ? "" : "s");
    for (int i = 0; i < n && i < SHOWN; i++)
        fprintf(out, "%s%d", i == 0 ? "" : i == n - 1 ? joint : ", ", rank[i]);
    if (n > SHOWN)
        fprintf(out, " ... (%d in all)", n);
}

/* One line for each thing that a rank waits for. */
struct needs {
    const struct report *report;
    rank_t rank;
    bool whole_call; /* the call is one operation, described already */
};

static void put_need(void *arg, const struct sem_need *need)
{
    const struct needs *needs = arg;
    const struct report *report = needs->report;
    fputs("            ", report->out);
    if (need->op != OP_ID_NONE && !needs->whole_call) {
        put_call(report, needs->rank, play_op(report->play, need->op));
        fputs("\n              ", report->out);
    }
    fputs("waits for ", report->out);
    put_ranks(report->out, need->ranks, need->n, need->all ? " and " : " or ");
    fputc('\n', report->out);
}

static void put_waiting(const struct report *report, rank_t r)
{
    const struct op *call = play_call(report->play, r);
    put_member(report, r, call);
    struct needs needs = {report, r, call->kind != OP_WAIT};
    sem_needs(play_sem(report->play), r, put_need, &needs);
}

static void put_others(const struct report *report)
{
    for (rank_t r = 0; r < world_ranks(report->world); r++) {
        const struct rank *rank = world_rank(report->world, r);
        if (play_is_waiting(report->play, r))
            continue;
        if (rank->left)
            fprintf(report->out, "  rank %-4d has called MPI_Finalize\n", r);
        else if (rank->life == LIFE_GONE)
            fprintf(report->out, "  rank %-4d has ended without MPI_Finalize, exit code %d\n", r,
                    WEXITSTATUS(rank->status));
    }
}

/* Some rank that the given one waits for and that waits itself; the lowest. */
static void first_waiting(void *arg, const struct sem_need *need)
{
    struct { const struct play *play; rank_t found; } *look = arg;
    for (int i = 0; i < need->n; i++)
        if (play_is_waiting(look->play, need->ranks[i]) && (look->found < 0 || need->ranks[i] < look->found))
            look->found = need->ranks[i];
}

static rank_t waits_for(const struct play *play, rank_t r)
{
    struct { const struct play *play; rank_t found; } look = {play, RANK_NONE};
    sem_needs(play_sem(play), r, first_waiting, &look);
    return look.found;
}

/* From any waiting rank, following who waits for whom ends in a circle, or at one that waits for nobody left. */
static void put_cycle(const struct report *report)
{
    int ranks = world_ranks(report->world);
    int *visit = xcalloc(ranks, sizeof *visit);
    int walk = 0;
    for (rank_t start = 0; start < ranks; start++) {
        if (!play_is_waiting(report->play, start) || visit[start])
            continue;
        rank_t r = start;
        walk++;
        while (r >= 0 && !visit[r]) {
            visit[r] = walk;
            r = waits_for(report->play, r);
        }
        if (r < 0 || visit[r] != walk)
            continue;
        fprintf(report->out, "  cycle: rank %d", r);
        rank_t first = r;
        do {
            r = waits_for(report->play, r);
            fprintf(report->out, " waits for %d%s", r, r == first ? "\n" : ", which");
        } while (r != first);
    }
    free(visit);
}

static void put_deadlock(const struct report *report)
{
    int waiting = 0, ranks = world_ranks(report->world);
    for (rank_t r = 0; r < ranks; r++)
        waiting += play_is_waiting(report->play, r);
    fprintf(report->out, "tourney: deadlock: %d of %d rank%s can never go on\n", waiting, ranks,
            ranks == 1 ? "" : "s");
    for (rank_t r = 0; r < ranks; r++)
        if (play_is_waiting(report->play, r))
            put_waiting(report, r);
    put_others(report);
    put_cycle(report);
}

static void put_livelock(const struct report *report)
{
    fputs("tourney: livelock: ranks poll for ever, and nothing can come any more\n", report->out);
    for (rank_t r = 0; r < world_ranks(report->world); r++) {
        if (play_is_waiting(report->play, r)) {
            put_waiting(report, r);
        } else if (world_rank(report->world, r)->life == LIFE_ASLEEP) {
            put_member(report, r, play_call(report->play, r));
            fputs("            is told no\n", report->out);
        }
    }
    put_others(report);
}

static bool is_in(const struct trace_place *place, const char *module)
{
    return place->module && strstr(place->module, module);
}

/*
 * The stack from the program's point of view: not how the signal came about in
 * the C library, and of tourney's own code only the MPI call it stood for.
 */
static void put_stack(const struct report *report, const struct outcome *outcome)
{
    bool begun = false;
    pid_t process = world_process(report->world, outcome->rank);
    for (size_t i = 0; i < outcome->stack.n; i++) {
        char text[512];
        struct trace_place place = {0};
        symbols_place(report->symbols, process, outcome->stack.at[i], &place);
        bool ours = is_in(&place, "/libtourney");
        if (ours && place.function && strncmp(place.function, "MPI_", 4) == 0)
            fprintf(report->out, "  %.*s\n", (int)strcspn(place.function, "+"), place.function);
        if (ours || !place.module || (!begun && is_in(&place, "/libc.so")))
            continue;
        begun = true;
        fprintf(report->out, "  %s\n", trace_place_format(&place, text, sizeof text));
        if (place.function && strcmp(place.function, "main") == 0)
            break;
    }
}

static void put_crash(const struct report *report, const struct outcome *outcome)
{
    const struct rank *rank = world_rank(report->world, outcome->rank);
    fprintf(report->out, "tourney: rank %d died of signal %d (%s)%s\n", outcome->rank, outcome->code,
            strsignal(outcome->code), rank->attached ? "" : " before MPI_Init");
    put_stack(report, outcome);
}

/* One line: who, what, where. */
static void put_event(const struct report *report, const struct outcome *outcome, const char *what)
{
    fprintf(report->out, "tourney: rank %d: %s%s  at ", outcome->rank, call_name(outcome->op.call), what);
    put_place(report, outcome->rank, outcome->op.place);
    fputc('\n', report->out);
}

static void put_mismatch(const struct report *report, const struct outcome *outcome)
{
    bool in_order = outcome->rank < outcome->other;
    rank_t low = in_order ? outcome->rank : outcome->other, high = in_order ? outcome->other : outcome->rank;
    fprintf(report->out, "tourney: ranks %d and %d are in different collectives on one communicator\n", low, high);
    put_member(report, low, in_order ? &outcome->op : &outcome->other_op);
    put_member(report, high, in_order ? &outcome->other_op : &outcome->op);
}

void report_outcome(FILE *out, const struct play *play, const struct outcome *outcome, const struct world *world,
                    struct symbols *symbols)
{
    struct report report = {out, play, world, symbols};
    char text[600];
    switch (outcome->kind) {
    case OUTCOME_ENDED:
        break;
    case OUTCOME_DEADLOCK:
        put_deadlock(&report);
        break;
    case OUTCOME_LIVELOCK:
        put_livelock(&report);
        break;
    case OUTCOME_CRASH:
        put_crash(&report, outcome);
        break;
    case OUTCOME_ABORT:
        snprintf(text, sizeof text, " with code %d", outcome->code);
        put_event(&report, outcome, text);
        break;
    case OUTCOME_ERROR:
        snprintf(text, sizeof text, ": %s", outcome->text);
        put_event(&report, outcome, text);
        break;
    case OUTCOME_REFUSED:
        put_event(&report, outcome, " is not supported by tourney");
        break;
    case OUTCOME_MISMATCH:
        put_mismatch(&report, outcome);
        break;
    case OUTCOME_STOPPED:
        fprintf(out, "tourney: stopped by signal %d (%s)\n", outcome->code, strsignal(outcome->code));
        break;
    }
}
