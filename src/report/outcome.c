#include "report/outcome.h"

#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "call/calls.h"
#include "report/describe.h"

struct report {
    FILE *out;
    const struct scene *scene;
    struct symbols *symbols;
};

static void put_place(const struct report *report, rank_t r, uint64_t address)
{
    char text[512];
    struct trace_place place = {.rank = r, .address = address};
    symbols_place(report->symbols, report->scene->process(report->scene->data, r), address, &place);
    fputs(trace_place_format(&place, text, sizeof text), report->out);
}

static void put_call(const struct report *report, rank_t r, const struct op *op)
{
    describe_op(report->out, report->scene, r, op);
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
        put_call(report, needs->rank, report->scene->op(report->scene->data, need->op));
        fputs("\n              ", report->out);
    }
    fputs("waits for ", report->out);
    put_ranks(report->out, need->ranks, need->n, need->all ? " and " : " or ");
    fputc('\n', report->out);
}

static void put_waiting(const struct report *report, rank_t r)
{
    const struct op *call = report->scene->call(report->scene->data, r);
    put_member(report, r, call);
    struct needs needs = {report, r, call->kind != OP_WAIT};
    sem_needs(report->scene->sem, r, put_need, &needs);
}

static void put_others(const struct report *report)
{
    for (rank_t r = 0; r < report->scene->ranks; r++) {
        int code = 0;
        enum fate fate = report->scene->fate(report->scene->data, r, &code);
        if (fate == FATE_FINALIZED)
            fprintf(report->out, "  rank %-4d has called MPI_Finalize\n", r);
        else if (fate == FATE_ENDED)
            fprintf(report->out, "  rank %-4d has ended without MPI_Finalize, exit code %d\n", r, code);
    }
}

struct look {
    const struct scene *scene;
    rank_t found;
};

/* Some rank that the given one waits for and that waits itself; the lowest. */
static void first_waiting(void *arg, const struct sem_need *need)
{
    struct look *look = arg;
    for (int i = 0; i < need->n; i++)
        if (scene_waits(look->scene, need->ranks[i]) && (look->found < 0 || need->ranks[i] < look->found))
            look->found = need->ranks[i];
}

static rank_t waits_for(const struct scene *scene, rank_t r)
{
    struct look look = {scene, RANK_NONE};
    sem_needs(scene->sem, r, first_waiting, &look);
    return look.found;
}

/* From any waiting rank, following who waits for whom ends in a circle, or at one that waits for nobody left. */
static void put_cycle(const struct report *report)
{
    int ranks = report->scene->ranks;
    int *visit = xcalloc(ranks, sizeof *visit);
    int walk = 0;
    for (rank_t start = 0; start < ranks; start++) {
        if (!scene_waits(report->scene, start) || visit[start])
            continue;
        rank_t r = start;
        walk++;
        while (r >= 0 && !visit[r]) {
            visit[r] = walk;
            r = waits_for(report->scene, r);
        }
        if (r < 0 || visit[r] != walk)
            continue;
        fprintf(report->out, "  cycle: rank %d", r);
        rank_t first = r;
        do {
            r = waits_for(report->scene, r);
            fprintf(report->out, " waits for %d%s", r, r == first ? "\n" : ", which");
        } while (r != first);
    }
    free(visit);
}

static void put_deadlock(const struct report *report)
{
    int waiting = 0, ranks = report->scene->ranks;
    for (rank_t r = 0; r < ranks; r++)
        waiting += scene_waits(report->scene, r);
    fprintf(report->out, "tourney: deadlock: %d of %d rank%s can never go on\n", waiting, ranks,
            ranks == 1 ? "" : "s");
    for (rank_t r = 0; r < ranks; r++)
        if (scene_waits(report->scene, r))
            put_waiting(report, r);
    put_others(report);
    put_cycle(report);
}

static void put_livelock(const struct report *report)
{
    fputs("tourney: livelock: ranks poll for ever, and nothing can come any more\n", report->out);
    for (rank_t r = 0; r < report->scene->ranks; r++) {
        if (scene_waits(report->scene, r)) {
            put_waiting(report, r);
        } else if (scene_call(report->scene, r)) {
            put_member(report, r, scene_call(report->scene, r));
            fputs("            is told no\n", report->out);
        }
    }
    put_others(report);
}

static bool is_in(const struct trace_place *place, const char *module)
{
    return place->module && strstr(place->module, module);
}

/* Not of tourney, nor of what every program stands on. */
static bool is_users(const struct trace_place *place)
{
    static const char *const names[] = {"/libtourney", "/libc.so",       "/libm.so",
                                        "/libgfortran.so", "/libstdc++.so", "[vdso]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_in(place, names[i]))
            return false;
    return place->module && !(place->function && strncmp(place->function, "_start", 6) == 0);
}

static struct trace_place frame(const struct report *report, const struct outcome *outcome, size_t i)
{
    struct trace_place place = {0};
    pid_t process = report->scene->process(report->scene->data, outcome->rank);
    symbols_place(report->symbols, process, outcome->stack.at[i], &place);
    return place;
}

/*
 * The stack from the program's point of view: from its innermost function to its
 * outermost, without what the C library does before and after; and of tourney's
 * own code only the MPI call it stood for.
 */
static void put_stack(const struct report *report, const struct outcome *outcome)
{
    size_t end = outcome->stack.n;
    bool begun = false;
    while (end > 0) {
        struct trace_place place = frame(report, outcome, end - 1);
        if (is_users(&place))
            break;
        end--;
    }
    for (size_t i = 0; i < end; i++) {
        char text[512];
        struct trace_place place = frame(report, outcome, i);
        bool ours = is_in(&place, "/libtourney");
        if (ours && place.function && strncmp(place.function, "MPI_", 4) == 0)
            fprintf(report->out, "  %.*s\n", (int)strcspn(place.function, "+"), place.function);
        begun = begun || is_users(&place);
        if (begun && !ours && place.module)
            fprintf(report->out, "  %s\n", trace_place_format(&place, text, sizeof text));
    }
}

static void put_crash(const struct report *report, const struct outcome *outcome)
{
    fprintf(report->out, "tourney: rank %d died of signal %d (%s)%s\n", outcome->rank, outcome->code,
            strsignal(outcome->code), outcome->early ? " before MPI_Init" : "");
    put_stack(report, outcome);
}

static void put_hang(const struct report *report, const struct outcome *outcome)
{
    fprintf(report->out, "tourney: rank %d has made no MPI call for %d s: it computes, sleeps or loops for ever\n",
            outcome->rank, outcome->code);
    put_stack(report, outcome);
    if (outcome->stack.n == 0)
        fputs("  its stack cannot be read\n", report->out);
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

void report_outcome(FILE *out, const struct scene *scene, const struct outcome *outcome, struct symbols *symbols)
{
    struct report report = {out, scene, symbols};
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
    case OUTCOME_HANG:
        put_hang(&report, outcome);
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
        snprintf(text, sizeof text, " is not supported %s", outcome->text ? outcome->text : "by tourney");
        put_event(&report, outcome, text);
        break;
    case OUTCOME_MISMATCH:
        put_mismatch(&report, outcome);
        break;
    case OUTCOME_STOPPED:
        fprintf(out, "tourney: stopped by signal %d (%s)\n", outcome->code, strsignal(outcome->code));
        break;
    }
}
