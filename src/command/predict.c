/*
 * predict -- from one execution: can others with the same control flow deadlock?
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/calls.h"
#include "command/command.h"
#include "command/options.h"
#include "predict/load.h"
#include "predict/predict.h"

enum { EXIT_NONE = 0, EXIT_DEADLOCK = 1, EXIT_UNKNOWN = 2 };

struct request {
    struct prediction_options options;
    const char *buffering, *dimacs, *proof;
    const char *record;
    const char *ranks; /* -n; NULL: a record is given */
    char **program;    /* with its arguments */
};

/* ---- what was asked ---- */

static enum encoding encoding_of(const char *text)
{
    static const char *const name[] = {
        [ENCODING_OURS] = "ours", [ENCODING_PLAIN] = "plain", [ENCODING_MULTI] = "multi"};
    for (enum encoding e = ENCODING_OURS; e <= ENCODING_MULTI; e++)
        if (strcmp(text, name[e]) == 0)
            return e;
    die("--encoding is ours, plain or multi, not '%s'", text);
}

static struct request parse(int argc, char **argv)
{
    enum { BUFFERING = 256, ENCODING, DIMACS, PROOF };
    static const struct option long_options[] = {
        {"buffering", required_argument, NULL, BUFFERING},
        {"encoding", required_argument, NULL, ENCODING},
        {"dimacs", required_argument, NULL, DIMACS},
        {"proof", required_argument, NULL, PROOF},
        {"np", required_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct request request = {.options.minimal = true};
    int c;
    opterr = 0;
    while (!request.program && (c = getopt_long_only(argc, argv, "-:n:h", long_options, NULL)) != -1) {
        switch (c) {
        case 1: /* no option: with -n the program, and what follows is for it */
            if (request.ranks)
                request.program = argv + optind - 1;
            else if (request.record)
                misuse("predict takes one FILE");
            else
                request.record = optarg;
            break;
        case 'n':
            request.ranks = optarg;
            break;
        case BUFFERING:
            request.buffering = optarg;
            break;
        case ENCODING:
            request.options.encoding = encoding_of(optarg);
            break;
        case DIMACS:
            request.dimacs = optarg;
            break;
        case PROOF:
            request.proof = optarg;
            break;
        case 'h':
            exit(tell(usage));
        case ':':
            die("'%s' lacks its value (tourney --help)", argv[optind - 1]);
        default:
            die("'%s' is not an option of tourney predict (tourney --help)", argv[optind - 1]);
        }
    }
    if (request.ranks && !request.program && optind < argc) /* behind -- */
        request.program = argv + optind;
    if (!request.program && (!request.record || request.ranks))
        misuse("predict needs a FILE that tourney run -o wrote, or -n N and a program");
    return request;
}

static void choose_buffering(struct request *request)
{
    struct buffering *b = &request->options.buffering;
    if (!request->buffering)
        request->buffering = request->options.encoding == ENCODING_OURS ? "any" : "zero";
    b->any = strcmp(request->buffering, "any") == 0;
    if (b->any && request->options.encoding != ENCODING_OURS)
        die("--buffering=any needs --encoding=ours; the others know infinite, zero and eager=BYTES");
    if (!b->any)
        b->slack = options_slack(request->buffering);
}

static FILE *create(const char *path)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && !file)
        die("cannot write %s: %s", path, strerror(errno));
    return file;
}

static void finish(FILE *file, const char *path)
{
    if (file && (ferror(file) | fclose(file)) != 0)
        die("%s is not complete: %s", path, strerror(errno));
}

/* Runs the program once; returns the name of the record, to be removed and freed. */
static char *record(const struct request *request)
{
    const char *directory = getenv("TMPDIR");
    char *path = xformat("%s/tourney-XXXXXX", directory && *directory ? directory : "/tmp");
    int n = 0;
    int fd = mkstemp(path);
    if (fd < 0)
        die("cannot make a record in %s: %s", path, strerror(errno));
    close(fd);
    while (request->program[n])
        n++;
    char **argv = xcalloc((size_t)n + 6, sizeof *argv);
    argv[0] = "run";
    argv[1] = "-n";
    argv[2] = (char *)request->ranks;
    argv[3] = "-o";
    argv[4] = path;
    memcpy(argv + 5, request->program, (size_t)n * sizeof *argv);
    optind = 0;
    command_run(n + 5, argv);
    free(argv);
    return path;
}

/* ---- what is said ---- */

static void put_op(const struct execution *e, rank_t r, uint32_t index)
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

static void put_line(const struct execution *e, const char *what, rank_t r, uint32_t index)
{
    printf("  rank %d%s ", r, what);
    put_op(e, r, index);
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
        put_op(e, slot->rank, recv);
        printf("\n    takes rank %d's ", send->rank);
        put_op(e, send->rank, send->op);
        printf("\n");
    }
    if (all > SHOWN)
        printf("  ... and %u more\n", all - SHOWN);
    free(taken);
}

static void put_deadlock(const struct execution *e, const struct program *p, const struct prediction *got)
{
    put_matches(e, p, got);
    if (got->held.n + got->tight.n)
        printf("and MPI does not buffer\n");
    for (size_t i = 0; i < got->held.n; i++)
        put_line(e, "'s", p->send.at[got->held.at[i]].rank, p->send.at[got->held.at[i]].op);
    for (size_t i = 0; i < got->tight.n; i++)
        put_line(e, " (waits for all members):", p->part.at[got->tight.at[i]].rank, p->part.at[got->tight.at[i]].op);
    if (got->carried.n)
        printf("and buffers\n");
    for (size_t i = 0; i < got->carried.n; i++)
        put_line(e, "'s", p->send.at[got->carried.at[i]].rank, p->send.at[got->carried.at[i]].op);
    if (got->stuck.n)
        printf("then\n");
    for (size_t i = 0; i < got->stuck.n; i++)
        put_line(e, " waits in", got->stuck.at[i].rank, got->stuck.at[i].op);
}

static bool all_ended(const struct execution *e)
{
    for (int r = 0; r < e->ranks; r++)
        if (!e->rank[r].ended)
            return false;
    return true;
}

static int put_verdict(const struct request *request, const struct execution *e, const struct program *p,
                       const struct prediction *got)
{
    int code = EXIT_UNKNOWN;
    if (got->verdict == PREDICTED_DEADLOCK) {
        printf("deadlock predicted, buffering %s, unless a rank does something else when it receives something else\n",
               request->buffering);
        put_deadlock(e, p, got);
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
    printf("%zu sends, %zu receives, %llu pairs; %lld variables, %lld clauses, %llu circles; encoded in %.3f s, solved "
           "in %.3f s\n",
           p->send.n, p->recv.n, (unsigned long long)got->pairs, (long long)got->count.variables,
           (long long)got->count.clauses, (unsigned long long)got->circles, (double)got->encoding / 1e6,
           (double)got->solving / 1e6);
    return code;
}

int command_predict(int argc, char **argv)
{
    struct request request = parse(argc, argv);
    choose_buffering(&request);
    request.options.dimacs = create(request.dimacs);
    request.options.proof = create(request.proof);
    char *made = request.ranks ? record(&request) : NULL, *error;
    const char *file = made ? made : request.record;
    struct execution execution;
    struct program program;
    int wrong = execution_load(&execution, file, &error);
    if (made)
        unlink(made);
    if (wrong)
        die("%s: %s", file, error);
    program_init(&program, &execution, request.options.encoding != ENCODING_PLAIN);
    struct prediction got = predict(&program, &request.options);
    int code = put_verdict(&request, &execution, &program, &got);
    if (fflush(stdout) != 0)
        die("standard output: %s", strerror(errno));
    finish(request.options.dimacs, request.dimacs);
    finish(request.options.proof, request.proof);
    prediction_release(&got);
    program_release(&program);
    execution_release(&execution);
    free(made);
    return code;
}
