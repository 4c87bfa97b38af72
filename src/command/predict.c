/*
 * predict -- from one execution: can others with the same control flow deadlock?
 *
 * If the program is at hand, that is a search with one run (verify.c), in which what is
 * predicted is made to come about; of a record, it is told here.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/calls.h"
#include "command/command.h"
#include "oracle/question.h"
#include "predict/load.h"

enum { EXIT_NONE = 0, EXIT_DEADLOCK = 1, EXIT_UNKNOWN = 2 };
enum { EXIT_CAN = 0, EXIT_CANNOT = 1 };

static void put_predicted_op(const struct execution *e, rank_t r, uint32_t index)
{
    const struct op *op = e->rank[r].op.at[index].op;
    const char *place = execution_place(e, r, op->place);
    printf("%s(", call_name(op->call));
    if (op->kind == OP_SEND)
        printf("dest=%d, tag=%d", op->peer, op->tag);
    else if (op->kind == OP_RECV || op->kind == OP_PROBE || op->kind == OP_IPROBE) {
        printf(op->peer == RANK_ANY ? "source=MPI_ANY_SOURCE" : "source=%d", op->peer);
        printf(op->tag == TAG_ANY ? ", tag=MPI_ANY_TAG" : ", tag=%d", op->tag);
    } else if (op->kind == OP_WAIT || op->kind == OP_TEST)
        printf("%u request%s", op->items, op->items == 1 ? "" : "s");
    printf(")%s%s", place ? " at " : "", place ? place : "");
}

static void put_line_of_op(const struct execution *e, const char *what, rank_t r, uint32_t index)
{
    printf("  rank %d%s ", r, what);
    put_predicted_op(e, r, index);
    printf("\n");
}

/* Who took what, where there was a choice. */
static void put_matches(const struct execution *e, const struct program *p, const struct prediction *got)
{
    enum { SHOWN = 40 };
    uint32_t *taken = xcalloc(p->slot.n + 1, sizeof *taken), shown = 0, all = 0;
    for (size_t i = 0; i < got->run.n; i++) {
        struct event event = got->run.at[i];
        if (event.kind != EVENT_MATCH)
            continue;
        const struct slot *slot = &p->slot.at[event.with];
        const struct send *send = &p->send.at[event.id];
        uint32_t recv = p->recv.at[slot->first + taken[event.with]++];
        if (slot->from != RANK_ANY || all++ >= SHOWN)
            continue;
        printf(shown++ ? "" : "it happens if\n");
        printf("  rank %d's ", slot->rank);
        put_predicted_op(e, slot->rank, recv);
        printf("\n    takes rank %d's ", send->rank);
        put_predicted_op(e, send->rank, send->op);
        printf("\n");
    }
    if (all > SHOWN)
        printf("  ... and %u more\n", all - SHOWN);
    free(taken);
}

static void put_predicted_run(const struct execution *e, const struct program *p, const struct prediction *got)
{
    put_matches(e, p, got);
    if (got->held.n + got->tight.n)
        printf("and MPI does not buffer\n");
    for (size_t i = 0; i < got->held.n; i++)
        put_line_of_op(e, "'s", p->send.at[got->held.at[i]].rank, p->send.at[got->held.at[i]].op);
    for (size_t i = 0; i < got->tight.n; i++)
        put_line_of_op(e, " (waits for all members):", p->part.at[got->tight.at[i]].rank,
                       p->part.at[got->tight.at[i]].op);
    if (got->carried.n)
        printf("and buffers\n");
    for (size_t i = 0; i < got->carried.n; i++)
        put_line_of_op(e, "'s", p->send.at[got->carried.at[i]].rank, p->send.at[got->carried.at[i]].op);
    if (got->stuck.n)
        printf("then\n");
    for (size_t i = 0; i < got->stuck.n; i++)
        put_line_of_op(e, " waits in", got->stuck.at[i].rank, got->stuck.at[i].op);
}

static bool all_ended(const struct execution *e)
{
    for (int r = 0; r < e->ranks; r++)
        if (!e->rank[r].ended)
            return false;
    return true;
}

static int put_prediction(const struct run_options *request, const struct execution *e, const struct program *p,
                          const struct prediction *got)
{
    int code = EXIT_UNKNOWN;
    if (got->verdict == PREDICTED_DEADLOCK) {
        printf("deadlock predicted, buffering %s, unless a rank does something else when it receives something else\n",
               request->buffering);
        put_predicted_run(e, p, got);
        printf("this is said of the control flow in the record; tourney predict -n %d %s runs the program and shows it\n",
               e->ranks, e->program);
        code = EXIT_DEADLOCK;
    } else if (got->verdict == PREDICTED_UNKNOWN) {
        printf("not known: %s\n", got->why);
    } else if (!all_ended(e)) {
        printf("no deadlock predicted as far as the record goes, buffering %s; the run did not end\n",
               request->buffering);
    } else {
        printf("no run with this control flow deadlocks, buffering %s\n", request->buffering);
        code = EXIT_NONE;
    }
    question_tell_size(p, got);
    return code;
}

/* The answer to --can. */
static int put_match(const struct run_options *request, const struct execution *e, const struct program *p,
                     const struct prediction *got)
{
    int code = got->verdict == PREDICTED_MATCH ? EXIT_CAN : EXIT_CANNOT;
    if (got->verdict == PREDICTED_UNKNOWN) {
        printf("not known: %s\n", got->why);
        code = EXIT_UNKNOWN;
    } else if (got->verdict == PREDICTED_MATCH) {
        printf("yes, %s can meet, buffering %s, unless a rank does something else when it receives something else\n",
               request->arguments.can, request->buffering);
        put_predicted_run(e, p, got);
    } else {
        printf("no, in no run with this control flow %s meet, buffering %s\n", request->arguments.can,
               request->buffering);
    }
    question_tell_size(p, got);
    return code;
}

static int predict_file(const struct run_options *run)
{
    struct execution execution;
    struct program program;
    char *error;
    if (execution_load(&execution, run->file, &error) < 0)
        die("%s: %s", run->file, error);
    struct prediction got = question_ask(run, &execution, &program, 0);
    int code = (run->arguments.can ? put_match : put_prediction)(run, &execution, &program, &got);
    if (fflush(stdout) != 0)
        die("standard output: %s", strerror(errno));
    prediction_release(&got);
    program_release(&program);
    execution_release(&execution);
    return code;
}

int command_predict(int argc, char **argv)
{
    struct run_options run = options_for_predict(argc, argv);
    question_prepare(&run);
    return run.file ? predict_file(&run) : command_verify(argc, argv);
}
