#include "scenario/scenario.h"

#include <string.h>

#include "call/window.h"
#include "sem/sem.h"

void scenario_init(struct scenario *scenario, int ranks)
{
    struct scenario_comm world = {.name = xstrdup("world")};
    *scenario = (struct scenario){.ranks = ranks, .slack = SLACK_INFINITE, .any_slack = true};
    scenario->column = xcalloc((size_t)ranks, sizeof *scenario->column);
    for (rank_t r = 0; r < ranks; r++)
        vec_push(&world.members, r);
    vec_push(&scenario->comms, world);
}

void statement_release(struct statement *statement)
{
    vec_release(&statement->values);
    vec_release(&statement->into);
    vec_release(&statement->requests);
}

static void release_text(char **text)
{
    free(*text);
}

static void release_comm(struct scenario_comm *comm)
{
    free(comm->name);
    vec_release(&comm->members);
}

static void release_claim(struct claim *claim)
{
    free(claim->text);
}

void scenario_release(struct scenario *scenario)
{
    for (int r = 0; r < scenario->ranks; r++) {
        struct column *column = &scenario->column[r];
        vec_release_each(&column->variables, release_text);
        vec_release_each(&column->labels, release_text);
        vec_release_each(&column->statements, statement_release);
        vec_release(&column->slots);
    }
    free(scenario->column);
    free(scenario->title);
    vec_release_each(&scenario->comms, release_comm);
    vec_release_each(&scenario->claims, release_claim);
    vec_release(&scenario->exprs);
}

int scenario_position(const struct scenario *scenario, uint32_t comm, rank_t rank)
{
    const struct scenario_comm *c = &scenario->comms.at[comm];
    for (size_t i = 0; i < c->members.n; i++)
        if (c->members.at[i] == rank)
            return (int)i;
    return -1;
}

bool partitions_are_sent(const struct statement *s)
{
    return s->word->call == CALL_Psend_init;
}

uint32_t partitions_of(const struct statement *s)
{
    return (uint32_t)(partitions_are_sent(s) ? s->values.n : s->into.n);
}

bool coll_has_root(enum coll_kind kind)
{
    return kind == COLL_BCAST || kind == COLL_REDUCE || kind == COLL_GATHER || kind == COLL_SCATTER;
}

bool coll_reduces(enum coll_kind kind)
{
    return kind >= COLL_REDUCE && kind <= COLL_EXSCAN;
}

bool coll_needs(enum coll_kind kind, int root, int me, int other)
{
    switch (kind) {
    case COLL_BARRIER:
    case COLL_ALLREDUCE:
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
        return true;
    case COLL_BCAST:
        return me != root && other == root;
    case COLL_SCATTER: /* the root takes its own share, which it has brought */
        return other == root;
    case COLL_REDUCE:
    case COLL_GATHER:
        return me == root;
    case COLL_SCAN:
        return other <= me;
    case COLL_EXSCAN:
        return other < me;
    }
    return false;
}

#define SENDS(word_, Name, flags)                                                                                      \
    {.word = #word_, .verb = VERB_SEND, .call = CALL_##Name, .blocking = true, .mode = flags},                         \
    {.word = "i" #word_, .verb = VERB_SEND, .call = CALL_I##word_, .mode = flags},                                     \
    {.word = #word_ "_init", .verb = VERB_SEND, .call = CALL_##Name##_init, .persistent = true, .mode = flags}

#define COLLS(word_, Name, KIND)                                                                                       \
    {.word = #word_, .verb = VERB_COLL, .call = CALL_##Name, .blocking = true, .coll = COLL_##KIND},                   \
    {.word = "i" #word_, .verb = VERB_COLL, .call = CALL_I##word_, .coll = COLL_##KIND}

#define COMPLETES(word_, Name, select_)                                                                                \
    {.word = "wait" word_, .verb = VERB_COMPLETE, .call = CALL_Wait##Name, .blocking = true, .select = select_},       \
    {.word = "test" word_, .verb = VERB_COMPLETE, .call = CALL_Test##Name, .poll = true, .select = select_}

#define EPOCHS(word_, Name, KIND, blocks)                                                                              \
    {.word = "win_" word_, .verb = VERB_EPOCH, .call = CALL_Win_##Name, .blocking = blocks, .epoch = EPOCH_##KIND}

static const struct verb_word words[] = {
    SENDS(send, Send, 0),
    SENDS(ssend, Ssend, OPF_SYNCHRONOUS),
    SENDS(bsend, Bsend, OPF_BUFFERED),
    SENDS(rsend, Rsend, OPF_READY),
    {.word = "recv", .verb = VERB_RECV, .call = CALL_Recv, .blocking = true},
    {.word = "irecv", .verb = VERB_RECV, .call = CALL_Irecv},
    {.word = "recv_init", .verb = VERB_RECV, .call = CALL_Recv_init, .persistent = true},
    {.word = "sendrecv", .verb = VERB_SENDRECV, .call = CALL_Sendrecv, .blocking = true},
    {.word = "probe", .verb = VERB_PROBE, .call = CALL_Probe, .blocking = true},
    {.word = "iprobe", .verb = VERB_PROBE, .call = CALL_Iprobe, .poll = true},
    {.word = "mprobe", .verb = VERB_PROBE, .call = CALL_Mprobe, .blocking = true, .take = true},
    {.word = "improbe", .verb = VERB_PROBE, .call = CALL_Improbe, .poll = true, .take = true},
    {.word = "mrecv", .verb = VERB_MRECV, .call = CALL_Mrecv, .blocking = true},
    {.word = "comm_connect", .verb = VERB_SEND, .call = CALL_Comm_connect, .blocking = true, .mode = OPF_SYNCHRONOUS, .port = true},
    {.word = "comm_accept", .verb = VERB_RECV, .call = CALL_Comm_accept, .blocking = true, .port = true},
    {.word = "psend_init", .verb = VERB_PARTITIONED, .call = CALL_Psend_init, .persistent = true},
    {.word = "precv_init", .verb = VERB_PARTITIONED, .call = CALL_Precv_init, .persistent = true},
    {.word = "pready", .verb = VERB_READY, .call = CALL_Pready},
    {.word = "pready_range", .verb = VERB_READY, .call = CALL_Pready_range},
    {.word = "pready_list", .verb = VERB_READY, .call = CALL_Pready_list},
    {.word = "parrived", .verb = VERB_ARRIVED, .call = CALL_Parrived, .poll = true},
    {.word = "start", .verb = VERB_START, .call = CALL_Start},
    {.word = "startall", .verb = VERB_START, .call = CALL_Startall},
    COMPLETES("", , SELECT_ALL),
    COMPLETES("all", all, SELECT_ALL),
    COMPLETES("any", any, SELECT_ANY),
    COMPLETES("some", some, SELECT_SOME),
    {.word = "cancel", .verb = VERB_CANCEL, .call = CALL_Cancel},
    {.word = "free", .verb = VERB_FREE, .call = CALL_Request_free},
    COLLS(barrier, Barrier, BARRIER),
    COLLS(bcast, Bcast, BCAST),
    COLLS(reduce, Reduce, REDUCE),
    COLLS(allreduce, Allreduce, ALLREDUCE),
    COLLS(scan, Scan, SCAN),
    COLLS(exscan, Exscan, EXSCAN),
    COLLS(gather, Gather, GATHER),
    COLLS(allgather, Allgather, ALLGATHER),
    COLLS(scatter, Scatter, SCATTER),
    COLLS(alltoall, Alltoall, ALLTOALL),
    {.word = "put", .verb = VERB_ACCESS, .call = CALL_Put, .access = WINDOW_PUT},
    {.word = "get", .verb = VERB_ACCESS, .call = CALL_Get, .access = WINDOW_GET},
    {.word = "accumulate", .verb = VERB_ACCESS, .call = CALL_Accumulate, .access = WINDOW_ACCUMULATE},
    {.word = "fetch_and_op", .verb = VERB_ACCESS, .call = CALL_Fetch_and_op, .access = WINDOW_FETCH},
    {.word = "compare_and_swap", .verb = VERB_ACCESS, .call = CALL_Compare_and_swap, .access = WINDOW_SWAP},
    EPOCHS("fence", fence, FENCE, true),
    EPOCHS("lock", lock, LOCK, true),
    EPOCHS("unlock", unlock, UNLOCK, true),
    EPOCHS("lock_all", lock_all, LOCK_ALL, true),
    EPOCHS("unlock_all", unlock_all, UNLOCK_ALL, true),
    EPOCHS("flush", flush, FLUSH, true),
    EPOCHS("flush_all", flush_all, FLUSH_ALL, true),
    EPOCHS("post", post, POST, false),
    EPOCHS("start", start, START, true),
    EPOCHS("complete", complete, COMPLETE, true),
    EPOCHS("wait", wait, WAIT, true),
    {.word = "set", .verb = VERB_ASSIGN},
    {.word = "if", .verb = VERB_IF},
    {.word = "else", .verb = VERB_ELSE},
    {.word = "while", .verb = VERB_WHILE},
    {.word = "end", .verb = VERB_END},
    {.word = "error", .verb = VERB_ERROR},
};

const struct verb_word *verb_find(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0)
            return &words[i];
    return NULL;
}

const char *modality_name(enum modality answer)
{
    static const char *const name[] = {"nothing", "always", "sometimes", "never"};
    return name[answer];
}
