/*
 * program -- performs drafts with real MPI calls, and writes down what every rank saw.
 *
 * What the ranks saw, put together, is an outcome.  Under mpiexec, with random delays before calls, a library
 * shows some outcomes of a draft; a search shows all.  Each draft has communicators of its own, which are not freed
 * before the end: else a message that nobody received would reach whoever gets that context next.
 * A draft that does not end is told by an alarm, and ends the job.
 *
 * usage: mpiexec -n 3 program FILE FIRST LAST TIMES DELAYS SECONDS
 *     FILE gets lines `SEED OUTCOME` and `SEED hangs`; without delays if DELAYS is 0; no alarm if SECONDS is 0.
 */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draft.h"

enum { SEEN = 1024, BUFFER = 1 << 16 };

static int me, file;
static unsigned long delays;
static MPI_Comm comm[2];
static char hangs[64];

/* What a request works on, until it is complete. */
static struct {
    const struct step *step;
    MPI_Request request;
    int in[DRAFT_RANKS], out[DRAFT_RANKS], counts[2][DRAFT_RANKS];
} work[DRAFT_REQUESTS + 1];
static int requests;
enum { BLOCKING = DRAFT_REQUESTS }; /* the work of a call that blocks */

static char seen[SEEN];
static int seen_length;

__attribute__((format(printf, 1, 2))) static void see(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    seen_length += vsnprintf(seen + seen_length, sizeof seen - (size_t)seen_length, format, arguments);
    va_end(arguments);
}

static void dawdle(void)
{
    if (delays && draft_below(&delays, 100) < 40)
        usleep(draft_below(&delays, 3000));
}

/* ---- collectives ---- */

static int is_absent(const struct step *step, int from, int to)
{
    return step->absent >> (step->collective == COLLECTIVE_ALLTOALLV ? 3 * from + to : from) & 1;
}

/* How much goes to each position and comes from it; who brings nothing to a gather or scatter, does so for all. */
static void fill_counts(int w)
{
    const struct step *step = work[w].step;
    for (int p = 0; p < DRAFT_RANKS; p++) {
        work[w].counts[0][p] = !is_absent(step, me, p);
        work[w].counts[1][p] = !is_absent(step, p, me);
    }
}

/* The same arguments for the three forms of a collective: NAME, INAME and NAME_init. */
#if MPI_VERSION >= 4
#define PERSISTENT(prepare, ...) prepare(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define PERSISTENT(prepare, ...) MPI_SUCCESS
#endif
#define CALL(blocking, immediate, prepare, ...)                 \
    switch (form) {                                             \
    case FORM_BLOCKING:                                         \
        return blocking(__VA_ARGS__);                           \
    case FORM_IMMEDIATE:                                        \
        return immediate(__VA_ARGS__, request);                 \
    case FORM_PERSISTENT:                                       \
        return PERSISTENT(prepare, __VA_ARGS__);                \
    }                                                           \
    break

static int call_collective(int w, enum step_form form)
{
    static const int displacements[DRAFT_RANKS] = {0, 1, 2};
    const struct step *s = work[w].step;
    int *in = work[w].in, *out = work[w].out, *to = work[w].counts[0], *from = work[w].counts[1], n = s->count, root = s->peer;
    int mine = to[0]; /* of what is gathered or scattered */
    MPI_Comm c = comm[s->comm];
    MPI_Request *request = &work[w].request;
    switch (s->collective) {
    case COLLECTIVE_BARRIER:
        CALL(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, c);
    case COLLECTIVE_BCAST:
        CALL(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, me == root ? out : in, n, MPI_INT, root, c);
    case COLLECTIVE_REDUCE:
        CALL(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, out, in, n, MPI_INT, MPI_SUM, root, c);
    case COLLECTIVE_ALLREDUCE:
        CALL(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, out, in, n, MPI_INT, MPI_SUM, c);
    case COLLECTIVE_GATHER:
        CALL(MPI_Gather, MPI_Igather, MPI_Gather_init, out, n, MPI_INT, in, n, MPI_INT, root, c);
    case COLLECTIVE_GATHERV:
        CALL(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, out, mine, MPI_INT, in, from, displacements, MPI_INT, root, c);
    case COLLECTIVE_SCATTER:
        CALL(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, n, MPI_INT, in, n, MPI_INT, root, c);
    case COLLECTIVE_SCATTERV:
        CALL(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out, from, displacements, MPI_INT, in, mine, MPI_INT, root, c);
    case COLLECTIVE_ALLGATHER:
        CALL(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, out, n, MPI_INT, in, n, MPI_INT, c);
    case COLLECTIVE_ALLTOALL:
        CALL(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, n, MPI_INT, in, n, MPI_INT, c);
    case COLLECTIVE_ALLTOALLV:
        CALL(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out, to, displacements, MPI_INT, in, from, displacements,
             MPI_INT, c);
    case COLLECTIVE_SCAN:
        CALL(MPI_Scan, MPI_Iscan, MPI_Scan_init, out, in, n, MPI_INT, MPI_SUM, c);
    case COLLECTIVE_EXSCAN:
        CALL(MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, out, in, n, MPI_INT, MPI_SUM, c);
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init, out, in, n, MPI_INT, MPI_SUM, c);
    case COLLECTIVES:
        break;
    }
    return MPI_ERR_OTHER;
}

/* ---- what a request brought ---- */

static void see_status(const MPI_Status *status, const int *value)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    if (count == 0)
        see("%d.%d", status->MPI_SOURCE, status->MPI_TAG);
    else
        see("%d.%d=%d", status->MPI_SOURCE, status->MPI_TAG, *value);
}

/* The status of a receive from MPI_PROC_NULL is not looked at: MPICH 4.0 tells in some that rank 0 or anybody has sent. */
static void see_completed(int w, const MPI_Status *status)
{
    if (work[w].step->peer == DRAFT_NULL)
        see("null");
    else if (work[w].step->kind == STEP_RECEIVE)
        see_status(status, work[w].in);
    else if (work[w].step->kind == STEP_COLLECTIVE)
        see("%d,%d,%d", work[w].in[0], work[w].in[1], work[w].in[2]);
    see(" ");
}

/* ---- posting ---- */

static int work_of(const struct step *step)
{
    return step->form == FORM_BLOCKING ? BLOCKING : step->request;
}

static void take_up(int w, const struct step *step)
{
    memset(&work[w], 0, sizeof work[w]);
    work[w].step = step;
    work[w].request = MPI_REQUEST_NULL;
    for (int p = 0; p < DRAFT_RANKS; p++)
        work[w].out[p] = step->value + 10 * p * (step->kind == STEP_COLLECTIVE);
    if (step->kind == STEP_COLLECTIVE)
        fill_counts(w);
}

static int peer_of(const struct step *step)
{
    return step->peer == DRAFT_ANY ? MPI_ANY_SOURCE : step->peer == DRAFT_NULL ? MPI_PROC_NULL : step->peer;
}

static int tag_of(const struct step *step)
{
    return step->tag == DRAFT_ANY ? MPI_ANY_TAG : step->tag;
}

/* Open MPI 4.1 has no persistent collectives under these names. */
static int is_prepared(const struct step *step)
{
    return step->form == FORM_PERSISTENT && (step->kind != STEP_COLLECTIVE || MPI_VERSION >= 4);
}

static void prepare(const struct step *s)
{
    typedef int init_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    static init_fn *const send_init[] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init};
    int w = work_of(s);
    take_up(w, s);
    if (s->kind == STEP_SEND)
        send_init[s->mode](work[w].out, s->count, MPI_INT, peer_of(s), s->tag, comm[s->comm], &work[w].request);
    else if (s->kind == STEP_RECEIVE)
        MPI_Recv_init(work[w].in, 1, MPI_INT, peer_of(s), tag_of(s), comm[s->comm], &work[w].request);
    else
        call_collective(w, FORM_PERSISTENT);
}

static void send(const struct step *s)
{
    typedef int send_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    typedef int isend_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    static send_fn *const blocking[] = {MPI_Send, MPI_Ssend, MPI_Bsend};
    static isend_fn *const immediate[] = {MPI_Isend, MPI_Issend, MPI_Ibsend};
    int w = work_of(s);
    take_up(w, s);
    if (s->form == FORM_BLOCKING)
        blocking[s->mode](work[w].out, s->count, MPI_INT, peer_of(s), s->tag, comm[s->comm]);
    else
        immediate[s->mode](work[w].out, s->count, MPI_INT, peer_of(s), s->tag, comm[s->comm], &work[w].request);
}

static void receive(const struct step *s)
{
    MPI_Status status;
    int w = work_of(s);
    take_up(w, s);
    if (s->form == FORM_BLOCKING) {
        MPI_Recv(work[w].in, 1, MPI_INT, peer_of(s), tag_of(s), comm[s->comm], &status);
        see_completed(w, &status);
    } else {
        MPI_Irecv(work[w].in, 1, MPI_INT, peer_of(s), tag_of(s), comm[s->comm], &work[w].request);
    }
}

static void collective(const struct step *s)
{
    MPI_Status none = {0};
    int w = work_of(s);
    take_up(w, s);
    call_collective(w, s->form == FORM_BLOCKING ? FORM_BLOCKING : FORM_IMMEDIATE);
    if (s->form == FORM_BLOCKING)
        see_completed(w, &none);
}

/* Receives what a probe saw. */
static void receive_seen(const struct step *s, MPI_Message *message, const MPI_Status *probed)
{
    MPI_Status status;
    int value = 0;
    see_status(probed, &value);
    dawdle();
    if (s->matched)
        MPI_Mrecv(&value, 1, MPI_INT, message, &status);
    else
        MPI_Recv(&value, 1, MPI_INT, probed->MPI_SOURCE, probed->MPI_TAG, comm[s->comm], &status);
    see_status(&status, &value);
    see(" ");
}

static void probe(const struct step *s)
{
    MPI_Status probed;
    MPI_Message message;
    if (s->matched)
        MPI_Mprobe(peer_of(s), tag_of(s), comm[s->comm], &message, &probed);
    else
        MPI_Probe(peer_of(s), tag_of(s), comm[s->comm], &probed);
    receive_seen(s, &message, &probed);
}

static void iprobe(const struct step *s)
{
    MPI_Status probed;
    MPI_Message message;
    int flag = 0;
    for (int k = 0; k < DRAFT_TRIES && !flag; k++) {
        dawdle();
        if (s->matched)
            MPI_Improbe(peer_of(s), tag_of(s), comm[s->comm], &flag, &message, &probed);
        else
            MPI_Iprobe(peer_of(s), tag_of(s), comm[s->comm], &flag, &probed);
        see("%d", flag);
    }
    see(" ");
    if (flag)
        receive_seen(s, &message, &probed);
}

/* ---- completing ---- */

static void cancel(const struct step *s)
{
    MPI_Status status;
    int cancelled;
    MPI_Cancel(&work[s->request].request);
    dawdle();
    MPI_Wait(&work[s->request].request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (cancelled)
        see("cancelled ");
    else
        see_completed(s->request, &status);
}

/* A request that is inactive, or gone, is not completed twice. */
static int is_open(int w)
{
    return work[w].step != NULL;
}

static void note_completed(int w, const MPI_Status *status)
{
    see_completed(w, status);
    work[w].step = NULL;
}

static void wait_or_test(const struct step *s)
{
    MPI_Status status;
    int flag = 1;
    if (!is_open(s->request))
        return;
    if (s->kind == STEP_WAIT)
        MPI_Wait(&work[s->request].request, &status);
    else
        MPI_Test(&work[s->request].request, &flag, &status);
    see("%s", flag ? "" : "no ");
    if (flag)
        note_completed(s->request, &status);
}

static void complete(const struct step *s)
{
    MPI_Request list[DRAFT_REQUESTS];
    MPI_Status status[DRAFT_REQUESTS];
    int which[DRAFT_REQUESTS], indices[DRAFT_REQUESTS], n = 0, done = 0;
    for (int w = 0; w < requests; w++)
        if (is_open(w)) {
            list[n] = work[w].request;
            which[n++] = w;
        }
    if (n == 0)
        return;
    for (int i = 0; i < n; i++)
        indices[i] = i;
    switch (s->by) {
    case BY_WAITALL:
        MPI_Waitall(n, list, status);
        done = n;
        break;
    case BY_WAITANY:
        MPI_Waitany(n, list, indices, status);
        done = 1;
        break;
    case BY_WAITSOME:
        MPI_Waitsome(n, list, &done, indices, status);
        break;
    case BY_TESTANY:
        MPI_Testany(n, list, indices, &done, status);
        break;
    case BY_TESTSOME:
        MPI_Testsome(n, list, &done, indices, status);
        break;
    case BY_TESTALL:
        MPI_Testall(n, list, &done, status);
        done = done ? n : 0;
        break;
    }
    for (int i = 0; i < n; i++)
        work[which[i]].request = list[i];
    /* In which order the library names several is not an outcome: a set is. */
    for (int i = 0; i < n; i++)
        for (int k = 0; k < done; k++)
            if (indices[k] == i) {
                see("%d:", which[i]);
                note_completed(which[i], &status[k]);
            }
    see("/ ");
}

/* ---- one draft ---- */

static void perform_step(const struct step *s)
{
    static void (*const by_kind[])(const struct step *) = {
        [STEP_SEND] = send,           [STEP_RECEIVE] = receive, [STEP_PROBE] = probe,
        [STEP_IPROBE] = iprobe,       [STEP_COLLECTIVE] = collective, [STEP_CANCEL] = cancel,
        [STEP_WAIT] = wait_or_test,   [STEP_TEST] = wait_or_test, [STEP_COMPLETE] = complete,
    };
    dawdle();
    if (is_prepared(s)) {
        work[s->request].step = s;
        MPI_Start(&work[s->request].request);
    } else {
        by_kind[s->kind](s);
    }
    if (s->kind == STEP_CANCEL)
        work[s->request].step = NULL;
}

static void prepare_all(const struct draft *draft)
{
    memset(work, 0, sizeof work);
    requests = 0;
    for (int i = 0; i < draft->steps[me]; i++) {
        const struct step *s = &draft->step[me][i];
        if (s->form != FORM_BLOCKING)
            requests = s->request + 1;
        if (is_prepared(s)) {
            prepare(s);
            work[s->request].step = NULL; /* until it is started */
        }
    }
}

static void free_persistent(void)
{
    for (int w = 0; w < requests; w++)
        if (work[w].request != MPI_REQUEST_NULL)
            MPI_Request_free(&work[w].request);
}

static void write_outcome(unsigned long seed, const char (*all)[SEEN])
{
    char line[DRAFT_RANKS * SEEN + 64];
    int length = snprintf(line, sizeof line, "%lu ", seed);
    for (int rank = 0; rank < DRAFT_RANKS; rank++)
        length += snprintf(line + length, sizeof line - (size_t)length, "%s|", all[rank]);
    line[length++] = '\n';
    if (write(file, line, (size_t)length) != length)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void perform(unsigned long seed, unsigned seconds)
{
    static char all[DRAFT_RANKS][SEEN], buffer[BUFFER];
    static struct draft draft;
    void *detached;
    int size;

    draft_make(&draft, seed);
    snprintf(hangs, sizeof hangs, "%lu hangs\n", seed);
    memset(seen, 0, sizeof seen);
    seen_length = 0;
    for (int c = 0; c < 2; c++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[c]);
    MPI_Buffer_attach(buffer, sizeof buffer);
    prepare_all(&draft);
    alarm(seconds);
    for (int i = 0; i < draft.steps[me]; i++) {
        const struct step *s = &draft.step[me][i];
        int late = s->late && is_prepared(s);
        perform_step(s + late);
        if (late) {
            perform_step(s);
            i++;
        }
    }
    MPI_Buffer_detach(&detached, &size);
    MPI_Gather(seen, SEEN, MPI_CHAR, all, SEEN, MPI_CHAR, 0, MPI_COMM_WORLD);
    alarm(0);
    if (me == 0)
        write_outcome(seed, (const char(*)[SEEN])all);
    free_persistent();
}

static void on_alarm(int signal)
{
    (void)signal;
    _exit(write(file, hangs, strlen(hangs)) > 0 ? 3 : 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc != 7) {
        fputs("usage: program FILE FIRST LAST TIMES DELAYS SECONDS\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0666);
    unsigned long first = strtoul(argv[2], NULL, 10), last = strtoul(argv[3], NULL, 10), times = strtoul(argv[4], NULL, 10);
    if (strcmp(argv[5], "0") != 0)
        delays = (strtoul(argv[5], NULL, 10) * DRAFT_RANKS + (unsigned long)me) * 0x9E3779B97F4A7C15ul;
    if (strcmp(argv[6], "0") != 0)
        signal(SIGALRM, on_alarm);
    for (unsigned long seed = first; seed <= last; seed++)
        for (unsigned long k = 0; k < times; k++)
            perform(seed, (unsigned)strtoul(argv[6], NULL, 10));
    MPI_Finalize();
    return 0;
}
