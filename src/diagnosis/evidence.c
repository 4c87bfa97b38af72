#include "diagnosis/evidence.h"

#include <signal.h>
#include <string.h>

#include "base/die.h"
#include "call/calls.h"
#include "diagnosis/blame.h"
#include "diagnosis/crossing.h"
#include "diagnosis/cycle.h"
#include "diagnosis/near_misses.h"
#include "symbols/site.h"
#include "symbols/stack.h"
#include "words/decision_words.h"
#include "words/describe.h"

struct report {
    FILE *out;
    const struct final_state *final;
    struct symbols *symbols;
};

static void put_place(const struct report *report, rank_t r, uint64_t address)
{
    char text[512];
    struct trace_place place = {.rank = r, .address = address};
    site_find(report->final, report->symbols, r, address, &place);
    fputs(trace_place_format(&place, text, sizeof text), report->out);
}

static void put_call(const struct report *report, rank_t r, const struct op *op)
{
    describe_op(report->out, report->final, r, op);
    fputs("  at ", report->out);
    put_place(report, r, op->place);
}

static void put_member(const struct report *report, rank_t r, const struct op *op)
{
    fprintf(report->out, "  rank %-4d ", r);
    put_call(report, r, op);
    fputc('\n', report->out);
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
        put_call(report, needs->rank, report->final->op(report->final->data, need->op));
        fputs("\n              ", report->out);
    }
    fputs("waits for ", report->out);
    describe_ranks(report->out, need->ranks, need->n, need->all ? " and " : " or ");
    if (need->op != OP_ID_NONE && sem_view(report->final->sem, need->op).matched)
        fputs(", which has taken the message and not received it", report->out);
    fputc('\n', report->out);
}

static void put_near_miss(void *out, const struct near_miss *miss)
{
    fprintf(out, "            %s\n", miss->text);
}

static void put_waiting(const struct report *report, rank_t r)
{
    const struct op *call = report->final->call(report->final->data, r);
    put_member(report, r, call);
    struct needs needs = {report, r, call->kind != OP_WAIT};
    sem_needs(report->final->sem, r, put_need, &needs);
    near_misses_tell(report->final, r, put_near_miss, report->out);
}

/* Of many ranks the first are enough; how many more there are is said. */
enum { SHOWN = 12 };

static void put_rest(const struct report *report, int all)
{
    if (all > SHOWN)
        fprintf(report->out, "  and %d more\n", all - SHOWN);
}

static void put_others(const struct report *report)
{
    int ended = 0;
    for (rank_t r = 0; r < report->final->ranks; r++) {
        int code = 0;
        enum rank_stand stand = report->final->stand(report->final->data, r, &code);
        if (stand != RANK_FINALIZED && stand != RANK_EXITED)
            continue;
        if (++ended > SHOWN)
            continue;
        if (stand == RANK_FINALIZED)
            fprintf(report->out, "  rank %-4d has called MPI_Finalize\n", r);
        else
            fprintf(report->out, "  rank %-4d has ended without MPI_Finalize, exit code %d\n", r, code);
    }
    put_rest(report, ended);
}

static void put_cycle(void *out, const rank_t *rank, int n)
{
    fprintf(out, "  cycle: rank %d", rank[0]);
    for (int i = 1; i <= n && i < SHOWN; i++)
        fprintf(out, "%s waits for %d", i > 1 ? ", which" : "", rank[i % n]);
    if (n >= SHOWN)
        fprintf(out, ", and so on: %d ranks, the last of which waits for %d", n, rank[0]);
    fputc('\n', out);
}

static void put_crossed(const struct report *report)
{
    rank_t ranks[2];
    if (crossing_find(report->final, ranks))
        fprintf(report->out, "  ranks %d and %d are in collectives on different communicators\n", ranks[0], ranks[1]);
}

static void put_blame(const struct report *report)
{
    struct blame blame = blame_find(report->final);
    if (blame.why) {
        fprintf(report->out, "  likely culprit%s: ", blame.culprits.n == 1 ? "" : "s");
        describe_ranks(report->out, blame.culprits.at, (int)blame.culprits.n, " and ");
        fprintf(report->out, ", %s\n", blame.why);
    }
    blame_release(&blame);
}

const char *evidence_condition(const struct outcome *outcome)
{
    return outcome->mixed   ? " if a collective holds some members and lets others go"
           : outcome->tight ? " if MPI buffers less"
                            : "";
}

static void put_deadlock(const struct report *report, const struct outcome *outcome)
{
    int waiting = 0, ranks = report->final->ranks;
    for (rank_t r = 0; r < ranks; r++)
        waiting += final_waits(report->final, r);
    fprintf(report->out, "tourney: deadlock%s: %d of %d rank%s can never continue\n", evidence_condition(outcome),
            waiting, ranks, ranks == 1 ? "" : "s");
    for (rank_t r = 0, told = 0; r < ranks; r++)
        if (final_waits(report->final, r) && told++ < SHOWN)
            put_waiting(report, r);
    put_rest(report, waiting);
    put_others(report);
    cycle_tell(report->final, put_cycle, report->out);
    put_crossed(report);
    put_blame(report);
}

static void put_livelock(const struct report *report, const struct outcome *outcome)
{
    fprintf(report->out, "tourney: livelock%s: ranks poll for ever, and nothing can come any more\n",
            outcome->tight ? " if MPI buffers less" : "");
    int told = 0;
    for (rank_t r = 0; r < report->final->ranks; r++) {
        if (!final_call(report->final, r) || ++told > SHOWN)
            continue;
        if (final_waits(report->final, r)) {
            put_waiting(report, r);
        } else {
            put_member(report, r, final_call(report->final, r));
            fprintf(report->out, "            returns %s each time\n", decision_words_no(final_call(report->final, r)));
            near_misses_tell(report->final, r, put_near_miss, report->out);
        }
    }
    put_rest(report, told);
    put_others(report);
}

static void put_frame(void *out, const struct trace_place *place, const char *call)
{
    char text[512];
    fprintf(out, "  %s\n", call ? call : trace_place_format(place, text, sizeof text));
}

static void put_stack(const struct report *report, const struct outcome *outcome)
{
    pid_t process = report->final->process(report->final->data, outcome->rank);
    stack_tell(report->symbols, process, outcome->stack.n, outcome->stack.at, put_frame, report->out);
}

static void put_crash(const struct report *report, const struct outcome *outcome)
{
    fprintf(report->out, "tourney: rank %d died of signal %d (%s)%s\n", outcome->rank, outcome->code,
            strsignal(outcome->code), outcome->early ? " before MPI_Init" : "");
    if (outcome->code == SIGKILL)
        fputs("  that is no crash: it was sent on purpose, or because memory ran out\n", report->out);
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

static void put_side(const struct report *report, rank_t r, const struct op *op, const char *says)
{
    put_member(report, r, op);
    if (says) {
        fputs("            ", report->out);
        describe_text(report->out, says);
        fputc('\n', report->out);
    }
}

static void put_mismatch(const struct report *report, const struct outcome *outcome)
{
    static const char *const what[] = {
        [COLL_ORDER] = "are in different collectives on one communicator",
        [COLL_ROOT] = "name different roots in one collective",
        [COLL_OPERATOR] = "combine with different operators in one collective",
        [COLL_COUNT] = "do not agree in one collective how much there is",
        [COLL_TYPE] = "do not agree in one collective on the type",
    };
    const struct op *op[2] = {&outcome->op, &outcome->other_op};
    rank_t rank[2] = {outcome->rank, outcome->other};
    int low = rank[0] > rank[1];
    fprintf(report->out, "tourney: ranks %d and %d %s\n", rank[low], rank[1 - low], what[outcome->fault]);
    put_side(report, rank[low], op[low], outcome->says[low]);
    put_side(report, rank[1 - low], op[1 - low], outcome->says[1 - low]);
}

void evidence_put(FILE *out, const struct final_state *final, const struct outcome *outcome, struct symbols *symbols)
{
    struct report report = {out, final, symbols};
    char text[600];
    switch (outcome->kind) {
    case RUN_CLEAN:
        break;
    case RUN_DEADLOCK:
        put_deadlock(&report, outcome);
        break;
    case RUN_LIVELOCK:
        put_livelock(&report, outcome);
        break;
    case RUN_CRASH:
        put_crash(&report, outcome);
        break;
    case RUN_HUNG:
        put_hang(&report, outcome);
        break;
    case RUN_ABORT:
        snprintf(text, sizeof text, " with code %d", outcome->code);
        put_event(&report, outcome, text);
        break;
    case RUN_ERROR:
        snprintf(text, sizeof text, ": %s", outcome->text);
        put_event(&report, outcome, text);
        break;
    case RUN_REFUSED:
        snprintf(text, sizeof text, " is not supported %s", outcome->text ? outcome->text : "by tourney");
        put_event(&report, outcome, text);
        break;
    case RUN_MISMATCH:
        put_mismatch(&report, outcome);
        break;
    case RUN_STOPPED:
        fprintf(out, "tourney: stopped by signal %d (%s)\n", outcome->code, strsignal(outcome->code));
        break;
    case RUN_DIVERGED:
    case RUN_UNKNOWN:
        BUG("a run that ended with %s has no outcome", run_end_name(outcome->kind));
    }
}
