#include "diagnosis/evidence.h"

#include <signal.h>
#include <string.h>

#include "base/die.h"
#include "call/calls.h"
#include "diagnosis/blame.h"
#include "diagnosis/crossing.h"
#include "diagnosis/cycle.h"
#include "diagnosis/near_misses.h"
#include "diagnosis/waiting_threads.h"
#include "symbols/site.h"
#include "symbols/stack.h"
#include "words/decision_words.h"
#include "words/describe.h"

struct evidence {
    FILE *out;
    const struct final_state *final;
    struct symbols *symbols;
};

static void put_evidence_place(const struct evidence *evidence, rank_t r, uint64_t address)
{
    char text[512];
    struct trace_place place = {.rank = r, .address = address};
    site_find(evidence->final, evidence->symbols, r, address, &place);
    fputs(trace_place_format(&place, text, sizeof text), evidence->out);
}

static void put_evidence_call(const struct evidence *evidence, rank_t r, const struct op *op)
{
    describe_op(evidence->out, evidence->final, r, op);
    fputs("  at ", evidence->out);
    put_evidence_place(evidence, r, op->place);
}

static void put_member(const struct evidence *evidence, rank_t r, const struct op *op)
{
    fprintf(evidence->out, "  rank %-4d ", r);
    put_evidence_call(evidence, r, op);
    fputc('\n', evidence->out);
}

/* One line for each thing that a rank waits for. */
struct needs {
    const struct evidence *evidence;
    rank_t rank;
    bool whole_call; /* the call is one operation, described already */
};

static void put_need(void *arg, const struct sem_need *need)
{
    const struct needs *needs = arg;
    const struct evidence *evidence = needs->evidence;
    fputs("            ", evidence->out);
    if (need->op != OP_ID_NONE && !needs->whole_call) {
        put_evidence_call(evidence, needs->rank, evidence->final->op(evidence->final->data, need->op));
        fputs("\n              ", evidence->out);
    }
    fputs("waits for ", evidence->out);
    describe_ranks(evidence->out, need->ranks, need->n, need->all ? " and " : " or ");
    if (need->op != OP_ID_NONE && sem_view(evidence->final->sem, need->op).matched)
        fputs(", which has matched the message by MPI_Mprobe and not received it", evidence->out);
    fputc('\n', evidence->out);
}

static void put_near_miss(void *out, const struct near_miss *miss)
{
    fprintf(out, "            %s\n", miss->text);
}

static void put_thread(const struct evidence *evidence, rank_t r, const struct op_thread *thread)
{
    fprintf(evidence->out, "            thread %u ", thread->thread);
    waiting_thread_put(evidence->out, evidence->final, r, thread);
    fputs("  at ", evidence->out);
    put_evidence_place(evidence, r, thread->place);
    fputc('\n', evidence->out);
}

/* Of a rank whose threads take turns, what each of them waits for. */
static void put_threads(const struct evidence *evidence, rank_t r, const struct op *call)
{
    uint32_t n;
    const struct op_thread *thread = op_threads(call, &n);
    for (uint32_t i = 0; i < n; i++)
        put_thread(evidence, r, &thread[i]);
}

static void put_waiting(const struct evidence *evidence, rank_t r)
{
    const struct op *call = evidence->final->call(evidence->final->data, r);
    uint32_t threads;
    op_threads(call, &threads);
    if (threads)
        fprintf(evidence->out, "  rank %-4d has %u threads, of which none can go on\n", r, threads);
    else
        put_member(evidence, r, call);
    put_threads(evidence, r, call);
    struct needs needs = {evidence, r, call->kind != OP_WAIT};
    final_needs(evidence->final, r, put_need, &needs);
    near_misses_tell(evidence->final, r, put_near_miss, evidence->out);
}

/* Of many ranks the first are enough; how many more there are is said. */
enum { SHOWN = 12 };

static void put_rest(const struct evidence *evidence, int all)
{
    if (all > SHOWN)
        fprintf(evidence->out, "  and %d more\n", all - SHOWN);
}

static void put_others(const struct evidence *evidence)
{
    int ended = 0;
    for (rank_t r = 0; r < evidence->final->ranks; r++) {
        int code = 0;
        enum rank_stand stand = evidence->final->stand(evidence->final->data, r, &code);
        if (stand != RANK_FINALIZED && stand != RANK_EXITED)
            continue;
        if (++ended > SHOWN)
            continue;
        if (stand == RANK_FINALIZED)
            fprintf(evidence->out, "  rank %-4d has called MPI_Finalize\n", r);
        else
            fprintf(evidence->out, "  rank %-4d has ended without MPI_Finalize, exit code %d\n", r, code);
    }
    put_rest(evidence, ended);
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

/* The same of threads. */
static void put_thread_circle(void *data, const struct waiting_thread_link *link, int n)
{
    const struct evidence *evidence = data;
    fputs("  cycle: ", evidence->out);
    waiting_threads_put_circle(evidence->out, evidence->final, link, n);
}

static void put_circles(struct evidence *evidence)
{
    if (waiting_threads_are_told(evidence->final))
        waiting_threads_tell_circle(evidence->final, put_thread_circle, evidence);
    else
        cycle_tell(evidence->final, put_cycle, evidence->out);
}

static void put_crossed(const struct evidence *evidence)
{
    rank_t ranks[2];
    if (crossing_find(evidence->final, ranks))
        fprintf(evidence->out, "  ranks %d and %d are in collectives on different communicators\n", ranks[0], ranks[1]);
}

static void put_blame(const struct evidence *evidence)
{
    struct blame blame = blame_find(evidence->final);
    if (blame.why) {
        fprintf(evidence->out, "  likely culprit%s: ", blame.culprits.n == 1 ? "" : "s");
        describe_ranks(evidence->out, blame.culprits.at, (int)blame.culprits.n, " and ");
        fprintf(evidence->out, ", %s\n", blame.why);
    }
    blame_release(&blame);
}

const char *evidence_condition(const struct outcome *outcome)
{
    return outcome->mixed   ? " if a collective holds some members and lets others go"
           : outcome->tight ? " if MPI buffers less"
                            : "";
}

static void put_deadlock(struct evidence *evidence, const struct outcome *outcome)
{
    int waiting = 0, ranks = evidence->final->ranks, born = final_count_born(evidence->final);
    for (rank_t r = 0; r < ranks; r++)
        waiting += final_waits(evidence->final, r);
    fprintf(evidence->out, "tourney: deadlock%s: %d of %d rank%s can never continue\n", evidence_condition(outcome),
            waiting, born, born == 1 ? "" : "s");
    for (rank_t r = 0, told = 0; r < ranks; r++)
        if (final_waits(evidence->final, r) && told++ < SHOWN)
            put_waiting(evidence, r);
    put_rest(evidence, waiting);
    put_others(evidence);
    put_circles(evidence);
    put_crossed(evidence);
    put_blame(evidence);
}

static void put_livelock(const struct evidence *evidence, const struct outcome *outcome)
{
    fprintf(evidence->out, "tourney: livelock%s: ranks poll for ever, and nothing can come any more\n",
            outcome->tight ? " if MPI buffers less" : "");
    int told = 0;
    for (rank_t r = 0; r < evidence->final->ranks; r++) {
        if (!final_call(evidence->final, r) || ++told > SHOWN)
            continue;
        if (final_waits(evidence->final, r)) {
            put_waiting(evidence, r);
        } else {
            put_member(evidence, r, final_call(evidence->final, r));
            fprintf(evidence->out, "            returns %s each time\n",
                    decision_words_no(final_call(evidence->final, r)));
            near_misses_tell(evidence->final, r, put_near_miss, evidence->out);
        }
    }
    put_rest(evidence, told);
    put_others(evidence);
}

static void put_frame_line(void *out, const struct trace_place *place, const char *call)
{
    char text[512];
    fprintf(out, "  %s\n", call ? call : trace_place_format(place, text, sizeof text));
}

static void put_crash_stack(const struct evidence *evidence, const struct outcome *outcome)
{
    pid_t process = evidence->final->process(evidence->final->data, outcome->rank);
    stack_tell(evidence->symbols, process, outcome->stack.n, outcome->stack.at, put_frame_line, evidence->out);
}

static void put_crash(const struct evidence *evidence, const struct outcome *outcome)
{
    bool early = !evidence->final->init(evidence->final->data, outcome->rank);
    fprintf(evidence->out, "tourney: rank %d died of signal %d (%s)%s\n", outcome->rank, outcome->code,
            strsignal(outcome->code), early ? " before MPI_Init" : "");
    if (outcome->code == SIGKILL)
        fputs("  that is no crash: it was sent on purpose, or because memory ran out\n", evidence->out);
    put_crash_stack(evidence, outcome);
}

static void put_hang(const struct evidence *evidence, const struct outcome *outcome)
{
    fprintf(evidence->out, "tourney: rank %d has made no MPI call for %d s: it computes, sleeps or loops for ever\n",
            outcome->rank, outcome->code);
    put_crash_stack(evidence, outcome);
    if (outcome->stack.n == 0)
        fputs("  its stack cannot be read\n", evidence->out);
}

/* One line: who, what, where. */
static void put_event_line(const struct evidence *evidence, const struct outcome *outcome, const char *what)
{
    fprintf(evidence->out, "tourney: rank %d", outcome->rank);
    if (outcome->op.thread)
        fprintf(evidence->out, ", thread %u", outcome->op.thread);
    fprintf(evidence->out, ": %s%s  at ", call_name(outcome->op.call), what);
    put_evidence_place(evidence, outcome->rank, outcome->op.place);
    fputc('\n', evidence->out);
}

static void put_side(const struct evidence *evidence, rank_t r, const struct op *op, const char *says)
{
    put_member(evidence, r, op);
    if (says) {
        fputs("            ", evidence->out);
        describe_text(evidence->out, says);
        fputc('\n', evidence->out);
    }
}

static void put_mismatch(const struct evidence *evidence, const struct outcome *outcome)
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
    fprintf(evidence->out, "tourney: ranks %d and %d %s\n", rank[low], rank[1 - low], what[outcome->fault]);
    put_side(evidence, rank[low], op[low], outcome->says[low]);
    put_side(evidence, rank[1 - low], op[1 - low], outcome->says[1 - low]);
}

void evidence_put(FILE *out, const struct final_state *final, const struct outcome *outcome, struct symbols *symbols)
{
    struct evidence evidence = {out, final, symbols};
    char text[600];
    switch (outcome->kind) {
    case RUN_CLEAN:
        break;
    case RUN_DEADLOCK:
        put_deadlock(&evidence, outcome);
        break;
    case RUN_LIVELOCK:
        put_livelock(&evidence, outcome);
        break;
    case RUN_CRASH:
        put_crash(&evidence, outcome);
        break;
    case RUN_HUNG:
        put_hang(&evidence, outcome);
        break;
    case RUN_ABORT:
        snprintf(text, sizeof text, " with code %d", outcome->code);
        put_event_line(&evidence, outcome, text);
        break;
    case RUN_ERROR:
        snprintf(text, sizeof text, ": %s", outcome->text);
        put_event_line(&evidence, outcome, text);
        break;
    case RUN_REFUSED:
        snprintf(text, sizeof text, " is not supported %s", outcome->text ? outcome->text : "by tourney");
        put_event_line(&evidence, outcome, text);
        break;
    case RUN_MISMATCH:
        put_mismatch(&evidence, outcome);
        break;
    case RUN_STOPPED:
        fprintf(out, "tourney: stopped by signal %d (%s)\n", outcome->code, strsignal(outcome->code));
        break;
    case RUN_DIVERGED:
    case RUN_UNKNOWN:
        BUG("a run that ended with %s has no outcome", run_end_name(outcome->kind));
    }
}
