/*
 * mpi -- scenarios by a real MPI library.
 *
 * Every file is done several times, with random delays, and how it ended is printed as
 * outcome.h has it; each must be one that the other judges know.  Only for scenarios that
 * always come to an end: nobody here notices a deadlock.
 *
 * usage: mpiexec -n 4 mpi TIMES INTS SEED FILE...      INTS: how long messages are
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "outcome.h"
#include "scenario/machine.h"
#include "scenario/read.h"

enum { LONGEST = 50000, BUFFERS = 64 };

static int ints, size_of_world, me;
static uint64_t rng;
static MPI_Comm comms[SCENARIO_COMMS];
static MPI_Request request[SCENARIO_REQUESTS];
static MPI_Message message[SCENARIO_REQUESTS];
static bool prepared[SCENARIO_REQUESTS];
static int buffer[SCENARIO_REQUESTS][LONGEST], brought[SCENARIO_REQUESTS][SCENARIO_RANKS];

static unsigned below(unsigned n)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (unsigned)((rng >> 16) % n);
}

static void dawdle(void)
{
    if (below(100) < 30)
        usleep(below(400));
}

static int rank_in(struct ranked r, const struct statement *s, const struct peer_expression *peer)
{
    rank_t rank = machine_peer(r, peer, s->comm);
    return rank == RANK_ANY ? MPI_ANY_SOURCE : scenario_position(r.scenario, s->comm, rank);
}

static rank_t source_of(struct ranked r, const struct statement *s, const MPI_Status *status)
{
    return r.scenario->comms.at[s->comm].members.at[status->MPI_SOURCE];
}

static int tag_in(int32_t tag)
{
    return tag == TAG_ANY ? MPI_ANY_TAG : tag;
}

/* ---- posting ---- */

typedef int send_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int mode_of(const struct statement *s)
{
    return s->word->mode & OPF_SYNCHRONOUS ? 1 : s->word->mode & OPF_BUFFERED ? 2 : 0;
}

static void post_send(struct ranked r, const struct statement *s, bool starts)
{
    static send_fn *const blocking[] = {MPI_Send, MPI_Ssend, MPI_Bsend};
    static isend_fn *const immediate[] = {MPI_Isend, MPI_Issend, MPI_Ibsend};
    static isend_fn *const prepare[] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init};
    int slot = s->slot, to = rank_in(r, s, &s->peer);
    buffer[slot][0] = machine_value(r, s, 0);
    machine_post(r, s, (uint32_t)slot, !s->word->blocking);
    if (starts && !prepared[slot])
        prepare[mode_of(s)](buffer[slot], ints, MPI_INT, to, s->tag, comms[s->comm], &request[slot]);
    if (starts) {
        prepared[slot] = true;
        MPI_Start(&request[slot]);
    } else if (s->word->blocking) {
        blocking[mode_of(s)](buffer[slot], ints, MPI_INT, to, s->tag, comms[s->comm]);
    } else {
        immediate[mode_of(s)](buffer[slot], ints, MPI_INT, to, s->tag, comms[s->comm], &request[slot]);
    }
}

static void post_recv(struct ranked r, const struct statement *s, bool starts)
{
    int slot = s->slot, from = rank_in(r, s, &s->source), tag = tag_in(s->source_tag);
    MPI_Status status;
    machine_post(r, s, (uint32_t)slot, !s->word->blocking);
    if (starts && !prepared[slot])
        MPI_Recv_init(buffer[slot], ints, MPI_INT, from, tag, comms[s->comm], &request[slot]);
    if (starts) {
        prepared[slot] = true;
        MPI_Start(&request[slot]);
    } else if (s->word->blocking) {
        MPI_Recv(buffer[slot], ints, MPI_INT, from, tag, comms[s->comm], &status);
        machine_receive(r, s, source_of(r, s, &status), buffer[slot][0]);
    } else {
        MPI_Irecv(buffer[slot], ints, MPI_INT, from, tag, comms[s->comm], &request[slot]);
    }
}

static MPI_Op operator_of(const struct statement *s)
{
    switch (s->reduction) {
    case OPERATOR_PROD:
        return MPI_PROD;
    case OPERATOR_MAX:
        return MPI_MAX;
    case OPERATOR_MIN:
        return MPI_MIN;
    default:
        return MPI_SUM;
    }
}

/* What came out of a collective goes to the variables as MPI left it. */
static void collect(struct ranked r, const struct statement *s)
{
    int n = (int)r.scenario->comms.at[s->comm].members.n, root = scenario_position(r.scenario, s->comm, s->peer.rank);
    int position = scenario_position(r.scenario, s->comm, r.rank);
    struct coll_piece piece[SCENARIO_RANKS] = {{0}};
    struct statement plain = *s;
    plain.reduction = OPERATOR_NONE; /* MPI has done that */
    bool any = false;
    for (int p = 0; p < n; p++)
        any = any || coll_needs(s->word->coll, root, position, p);
    for (int p = 0; p < n && any; p++)
        if (s->word->coll == COLL_ALLGATHER || s->word->coll == COLL_GATHER || s->word->coll == COLL_ALLTOALL || p == 0)
            piece[p] = (struct coll_piece){buffer[s->slot][p], s->word->coll != COLL_BARRIER};
    machine_collect(r, &plain, piece);
}

static void post_coll(struct ranked r, const struct statement *s)
{
    MPI_Comm comm = comms[s->comm];
    int slot = s->slot, *in = brought[slot], *out = buffer[slot], root = scenario_position(r.scenario, s->comm, s->peer.rank);
    MPI_Request *q = &request[slot];
    MPI_Op op = operator_of(s);
    for (size_t i = 0; i < s->values.n; i++)
        in[i] = machine_value(r, s, i);
    out[0] = in[0];
    machine_post(r, s, (uint32_t)slot, !s->word->blocking);
    switch (s->word->coll) {
    case COLL_BARRIER:
        MPI_Ibarrier(comm, q);
        break;
    case COLL_BCAST:
        MPI_Ibcast(out, 1, MPI_INT, root, comm, q);
        break;
    case COLL_REDUCE:
        MPI_Ireduce(in, out, 1, MPI_INT, op, root, comm, q);
        break;
    case COLL_ALLREDUCE:
        MPI_Iallreduce(in, out, 1, MPI_INT, op, comm, q);
        break;
    case COLL_SCAN:
        MPI_Iscan(in, out, 1, MPI_INT, op, comm, q);
        break;
    case COLL_EXSCAN:
        MPI_Iexscan(in, out, 1, MPI_INT, op, comm, q);
        break;
    case COLL_GATHER:
        MPI_Igather(in, 1, MPI_INT, out, 1, MPI_INT, root, comm, q);
        break;
    case COLL_ALLGATHER:
        MPI_Iallgather(in, 1, MPI_INT, out, 1, MPI_INT, comm, q);
        break;
    case COLL_SCATTER:
        MPI_Iscatter(in, 1, MPI_INT, out, 1, MPI_INT, root, comm, q);
        break;
    case COLL_ALLTOALL:
        MPI_Ialltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm, q);
        break;
    }
    if (s->word->blocking) {
        MPI_Wait(q, MPI_STATUS_IGNORE);
        collect(r, s);
    }
}

static void start(struct ranked r, const struct statement *s)
{
    const struct column *column = &r.scenario->column[r.rank];
    for (size_t i = 0; i < s->requests.n; i++) {
        const struct statement *made = &column->statements.at[column->slots.at[s->requests.at[i]].statement];
        if (made->word->verb == VERB_SEND)
            post_send(r, made, true);
        else
            post_recv(r, made, true);
    }
}

static void sendrecv(struct ranked r, const struct statement *s)
{
    MPI_Status status;
    buffer[s->slot][0] = machine_value(r, s, 0);
    MPI_Sendrecv(buffer[s->slot], ints, MPI_INT, rank_in(r, s, &s->peer), s->tag, buffer[s->other_slot], ints, MPI_INT,
                 rank_in(r, s, &s->source), tag_in(s->source_tag), comms[s->comm], &status);
    machine_receive(r, s, source_of(r, s, &status), buffer[s->other_slot][0]);
}

/* ---- probes and completion ---- */

static int probe(struct ranked r, const struct statement *s)
{
    int from = rank_in(r, s, &s->source), tag = tag_in(s->source_tag), flag = 1;
    MPI_Status status;
    if (s->word->take && s->word->poll)
        MPI_Improbe(from, tag, comms[s->comm], &flag, &message[s->slot], &status);
    else if (s->word->take)
        MPI_Mprobe(from, tag, comms[s->comm], &message[s->slot], &status);
    else if (s->word->poll)
        MPI_Iprobe(from, tag, comms[s->comm], &flag, &status);
    else
        MPI_Probe(from, tag, comms[s->comm], &status);
    if (flag && s->word->take)
        r.machine->active[s->slot] = true;
    if (flag)
        machine_receive(r, s, source_of(r, s, &status), 0);
    return flag;
}

static void mrecv(struct ranked r, const struct statement *s)
{
    uint32_t slot = s->requests.at[0];
    const struct column *column = &r.scenario->column[r.rank];
    MPI_Status status;
    MPI_Mrecv(buffer[slot], ints, MPI_INT, &message[slot], &status);
    r.machine->active[slot] = false;
    machine_receive(r, s, source_of(r, &column->statements.at[column->slots.at[slot].statement], &status), buffer[slot][0]);
}

static bool deliver(struct ranked r, uint32_t slot, const MPI_Status *status)
{
    const struct column *column = &r.scenario->column[r.rank];
    const struct statement *made = &column->statements.at[column->slots.at[slot].statement];
    int cancelled = 0;
    r.machine->active[slot] = false;
    if (made->word->verb == VERB_COLL) {
        collect(r, made);
        return false;
    }
    MPI_Test_cancelled(status, &cancelled);
    if (made->word->verb == VERB_RECV && !cancelled)
        machine_receive(r, made, source_of(r, made, status), buffer[slot][0]);
    return cancelled;
}

static void complete(struct ranked r, const struct statement *s)
{
    uint32_t slots[SCENARIO_REQUESTS], n = machine_requests(r, s, slots);
    MPI_Request list[SCENARIO_REQUESTS];
    MPI_Status status[SCENARIO_REQUESTS];
    int index[SCENARIO_REQUESTS], count = (int)n, flag = 1, told;
    bool cancelled = false;
    for (uint32_t i = 0; i < n; i++) {
        list[i] = request[slots[i]];
        index[i] = (int)i;
    }
    if (s->word->select == SELECT_ANY) {
        count = 1;
        if (s->word->poll)
            MPI_Testany((int)n, list, index, &flag, status);
        else
            MPI_Waitany((int)n, list, index, status);
    } else if (s->word->select == SELECT_SOME) {
        if (s->word->poll)
            MPI_Testsome((int)n, list, &count, index, status);
        else
            MPI_Waitsome((int)n, list, &count, index, status);
        flag = count > 0;
    } else if (s->word->poll) {
        MPI_Testall((int)n, list, &flag, status);
    } else {
        MPI_Waitall((int)n, list, status);
    }
    told = s->word->select == SELECT_ANY ? -1 : 0;
    for (int i = 0; flag && i < count; i++) {
        uint32_t slot = slots[index[i]];
        request[slot] = list[index[i]];
        cancelled = deliver(r, slot, &status[i]) || cancelled;
        for (size_t k = 0; k < s->requests.n; k++)
            if (s->requests.at[k] == slot)
                told = s->word->select == SELECT_ANY ? (int)k : s->word->select == SELECT_SOME ? count : 1;
    }
    machine_return(r, told, cancelled);
}

/* ---- one run ---- */

static void call(struct ranked r)
{
    const struct statement *s = machine_call(r);
    int flag = 0;
    switch (s->word->verb) {
    case VERB_SEND:
        if (!s->word->persistent)
            post_send(r, s, false);
        break;
    case VERB_RECV:
        if (!s->word->persistent)
            post_recv(r, s, false);
        break;
    case VERB_SENDRECV:
        sendrecv(r, s);
        break;
    case VERB_PROBE:
        flag = probe(r, s);
        break;
    case VERB_MRECV:
        mrecv(r, s);
        break;
    case VERB_START:
        start(r, s);
        break;
    case VERB_COMPLETE:
        complete(r, s);
        return;
    case VERB_COLL:
        post_coll(r, s);
        break;
    case VERB_CANCEL:
        MPI_Cancel(&request[s->requests.at[0]]);
        break;
    default:
        MPI_Request_free(&request[s->requests.at[0]]);
        r.machine->active[s->requests.at[0]] = false;
    }
    machine_return(r, flag, false);
}

static void make_comms(const struct scenario *scenario)
{
    for (uint32_t c = 0; c < scenario->comms.n; c++) {
        int position = me < scenario->ranks ? scenario_position(scenario, c, me) : -1;
        MPI_Comm_split(MPI_COMM_WORLD, position < 0 ? MPI_UNDEFINED : 0, position, &comms[c]);
    }
}

/* What nobody waited for is taken back; communicators stay, for messages may be under way. */
static void clean_up(const struct scenario *scenario, const struct machine *machine)
{
    const struct column *column = &scenario->column[me];
    for (size_t i = 0; i < column->slots.n; i++) {
        const struct statement *s = &column->statements.at[column->slots.at[i].statement];
        if (machine->active[i] && s->word->verb == VERB_RECV) {
            MPI_Cancel(&request[i]);
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        }
        prepared[i] = false;
    }
}

static void run(const struct scenario *scenario, int number)
{
    static struct machine all[SCENARIO_RANKS];
    struct machine machine = {0};
    make_comms(scenario);
    if (me < scenario->ranks) {
        struct ranked r = {scenario, me, &machine};
        machine_start(r);
        while (machine.state == MACHINE_RUNS) {
            dawdle();
            call(r);
        }
    }
    MPI_Gather(&machine, sizeof machine, MPI_BYTE, all, sizeof machine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (me < scenario->ranks)
        clean_up(scenario, &machine);
    if (me == 0) {
        const struct machine *list[SCENARIO_RANKS];
        for (rank_t r = 0; r < scenario->ranks; r++)
            list[r] = &all[r];
        char *text = outcome_text(scenario, list);
        printf("outcome %d %s\n", number, text);
        free(text);
    }
}

int main(int argc, char **argv)
{
    static char attached[BUFFERS * (LONGEST * sizeof(int) + MPI_BSEND_OVERHEAD)];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size_of_world);
    MPI_Buffer_attach(attached, sizeof attached);
    ints = atoi(argv[2]);
    rng = strtoull(argv[3], NULL, 10) * 1000 + (uint64_t)me + 1;
    for (int i = 4; i < argc; i++) {
        struct scenario scenario;
        scenario_read(&scenario, argv[i]);
        if (scenario.ranks > size_of_world)
            die("%s has more ranks than there are", argv[i]);
        for (int k = 0; k < atoi(argv[1]); k++)
            run(&scenario, i - 4);
        scenario_release(&scenario);
    }
    if (me == 0) {
        printf("done\n");
        fflush(stdout);
        usleep(100000); /* it is on its way before the job is ended, with messages that nobody receives */
        MPI_Abort(MPI_COMM_WORLD, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
