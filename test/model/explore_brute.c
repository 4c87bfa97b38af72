/*
 * explore_brute -- judges src/explore by plain enumeration.
 *
 * Random small programs, whose control flow depends on what their calls return,
 * are run in two ways: by the explorer, through a runner that interprets them;
 * and here, by every interleaving of every post, match and return that M1-M9
 * allow, one at a time, with a set of visited states and nothing clever.  The
 * ends must be the same: per rank the values returned and where it stopped, and
 * what every wildcard receive took; each once.  Only the interpreter is shared.
 *
 * With F_ANY, buffering is open (M7): the enumeration lets any standard send and
 * any collective complete as early as MPI allows, whenever it likes.  All its
 * deadlocks must be those that the explorer tells, with infinite slack or as slack_deadlocks;
 * and what the explorer says of a slack deadlock, that it needs these operations to be loose
 * and those not to be, is tried by enumerating with just this choice; and that it is mixed, by
 * enumerating with the collectives of its cause waiting in all their members.
 *
 * With F_EMPTY a member takes nothing from some others in a collective, and with F_ABSENT
 * some never call the last one: then runs end with a collective that not all have joined.
 *
 * With F_CHOOSE ranks choose, freely, or so that at most one of them chooses otherwise than the first, or that all choose the same:
 * the enumeration has these laws in two variables.
 *
 * Bounds (src/explore/deepening.c) are judged by counting on the way: a decision is free if no option before it can be taken,
 * however long it is waited for one, which is enumerated, too.  All ends that are within the bounds must be found.
 *
 * Merging (explore.h) is judged by where everybody stands at the ends: that must be
 * the same, though not as often.
 *
 * usage: explore_brute [SEED [COUNT [FEATURES [STATES]]]]     FEATURES: sum of bits, below; STATES: programs with more are left out
 * A program on which they differ is shrunk and printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/buffer_room.h"
#include "explore/explore.h"
#include "explore/reduction.h"

enum {
    F_TAGS = 1,      /* several tags, any tag */
    F_CONTEXTS = 2,  /* two communicators */
    F_PENDING = 4,   /* Irecv, Isend, Wait in any order */
    F_SELECT = 8,    /* Waitany, Waitsome */
    F_POLL = 16,     /* Test, Testany, Testsome, Testall, also in loops */
    F_PROBE = 32,    /* Probe, Mprobe, Iprobe, Improbe */
    F_COLL = 64,     /* barrier, broadcast, reduce, scan */
    F_SLACK = 128,   /* synchronous sends, no or little buffering */
    F_BRANCH = 256,  /* control flow depends on what calls returned */
    F_DATA = 512,    /* so do the messages */
    F_STEP = 1024,   /* the enumeration interleaves posts, too */
    F_ENDS = 2048,   /* ranks that abort */
    F_CANCEL = 4096, /* requests are cancelled */
    F_EMPTY = 8192,  /* collectives of which some parts are empty */
    F_ABSENT = 16384, /* collectives that some members do not call */
    F_ALL = 32767,
    F_DENSE = 32768,  /* not a feature: more messages, nearly all to wildcards of two ranks */
    F_ANY = 65536,   /* nor is this: any buffering */
    F_BUFFER = 131072, /* nor this: messages that may lie in an attached buffer until they are received */
    F_NULL = 262144,   /* nor this: requests that need nobody (D7) */
    F_CHOOSE = 524288, /* nor this: ranks choose, also so that what others may choose depends on it (src/explore/bonds.h) */
    F_DENIED = 1048576, /* nor this: of some that need nobody a test may say no all the same (W20) */
};

enum {
    RANKS = 5,
    INS = 24,
    BLOCKS = 7,
    OPS = 24,
    REQS = 16,
    LIST = 4,
    RECORD = 120,
    CONTEXTS = 2,
    COMMONS = 8,   /* choices that all make together */
    ANY = -1,
    NUMBERS = 256, /* operations of a rank, numbered */
    WITHDRAWN = 255,
    SLACK_DEADLOCKS = 64, /* of one program that are kept */
    TRIED = 6,            /* of these, those whose causes are tried */
};

static size_t most_states = 60000; /* of a program; one that has more is left out */

/* ---- the language ---- */

enum kind { SEND, RECV, COLL, WAIT, TEST, PROBE, IPROBE, ABORT, CANCEL, MRECV /* or Imrecv */, CHOOSE };
enum select { ALL, ONE, SOME };
enum coll { BARRIER, BCAST, REDUCE, SCAN };
enum bound { FREE, ONCE, COMMON }; /* a choice: of those at most one in a run is not the first; all ranks choose the same */

struct ins {
    uint8_t kind;
    int8_t peer, tag, ctx; /* peer: a collective's root */
    bool blocking, sync, big, take, loop; /* loop: the last poll of a round */
    bool null;                            /* a send to nobody: it never blocks, and has a request */
    bool deniable;                        /* the same, and a test may say no (W20) */
    bool lies;                            /* a buffered send: it takes room in the attached buffer */
    uint8_t back;                         /* the loop is so many polls long, less one */
    uint8_t limit;                        /* the rank gives up after it if it went round so often; 0: never */
    uint8_t req, coll, select, listed, list[LIST];
    uint8_t empty; /* a collective: ranks from whom nothing is taken, a set */
    uint8_t bound, alternatives; /* a choice */
};

/* A block, then, by the parity of what was returned so far, one of two others. */
struct block {
    int n, child[2]; /* -1: the rank exits */
    struct ins at[INS];
};

struct program {
    int ranks;
    uint64_t slack;
    bool data, step;
    bool any;     /* whether sends are buffered and collectives synchronise is open */
    bool goes_on; /* then: calls that need nobody under infinite slack ask nothing */
    uint8_t room; /* in the buffer of each rank; 0: none is attached */
    struct { int blocks; struct block at[BLOCKS]; } rank[RANKS];
};

/* Where a rank is. */
struct vm {
    uint8_t block, pc, acc, over; /* over: 1 exited, 2 aborted */
    uint16_t active;              /* requests */
    uint16_t null;                /* of these, those that need nobody, */
    uint16_t deniable;            /* and of those, the ones of which a test may say no */
    uint16_t held;                /* messages that matched probes took and that were not received, by request */
    uint16_t done;                /* of these, for the interpreter: those that are complete under infinite slack */
    uint8_t count;                /* operations issued */
    uint8_t recorded;
    uint8_t head_acc, head_recorded, head_count; /* as they were when it entered a round of polls */
    uint8_t rounds;               /* of polls in vain, if it counts them */
    uint8_t commons;              /* choices so far that all make together: their turns, as of collectives */
    uint8_t record[RECORD];
};

static const struct ins *vm_ins(const struct program *prog, int rank, const struct vm *vm)
{
    return &prog->rank[rank].at[vm->block].at[vm->pc];
}

/* Comes to an instruction, or to the end. */
static void vm_land(const struct program *prog, int rank, struct vm *vm)
{
    while (!vm->over && vm->pc == prog->rank[rank].at[vm->block].n) {
        int child = prog->rank[rank].at[vm->block].child[vm->acc & 1];

        if (child < 0)
            vm->over = 1;
        else
            vm->block = (uint8_t)child;
        vm->pc = 0;
    }
}

static int vm_list(const struct ins *ins, const struct vm *vm, int *list)
{
    int n = 0;

    for (int i = 0; i < ins->listed; i++)
        if (vm->active >> ins->list[i] & 1)
            list[n++] = ins->list[i];
    return n;
}

/* The last poll of the round this one is in, or -1. */
static int round_end(const struct block *block, int pc)
{
    for (int i = pc; i < block->n; i++)
        if (block->at[i].loop)
            return i - block->at[i].back <= pc ? i : -1;
    return -1;
}

static int vm_round_head(const struct program *prog, int rank, const struct vm *vm)
{
    const struct block *block = &prog->rank[rank].at[vm->block];
    int end = round_end(block, vm->pc);

    return end < 0 ? -1 : end - block->at[end].back;
}

static void vm_enter_round(const struct program *prog, int rank, struct vm *vm)
{
    if (vm_round_head(prog, rank, vm) == vm->pc) {
        vm->head_acc = vm->acc;
        vm->head_recorded = vm->recorded;
        vm->head_count = vm->count;
    }
}

/* It goes on behind its round of polls, and knows that these were in vain. */
static void vm_give_up(struct vm *vm, int end)
{
    vm->pc = (uint8_t)(end + 1);
    vm->acc = (uint8_t)(vm->acc * 3 + 1);
    vm->head_acc = vm->head_recorded = vm->head_count = vm->rounds = 0;
}

/* The call at pc returns these values; `no`: a poll in vain. */
static void vm_return(const struct program *prog, int rank, struct vm *vm, const uint8_t *value, int n, bool no)
{
    const struct block *block = &prog->rank[rank].at[vm->block];
    int end = round_end(block, vm->pc);
    const struct ins *ins = &block->at[vm->pc];

    vm->count++;
    if (vm->recorded + n + 1 > RECORD)
        abort();
    if (n)
        vm->record[vm->recorded++] = (uint8_t)(200 + n);
    for (int i = 0; i < n; i++) {
        vm->record[vm->recorded++] = value[i];
        vm->acc = (uint8_t)(vm->acc * 3 + value[i] + i);
    }
    if (no && end == vm->pc) {
        vm->pc = (uint8_t)(end - ins->back);
        memset(&vm->record[vm->head_recorded], 0, (size_t)(vm->recorded - vm->head_recorded));
        vm->acc = vm->head_acc;
        vm->recorded = vm->head_recorded;
        vm->count = vm->head_count;
        vm->rounds += ins->limit > 0;
        if (ins->limit && vm->rounds == ins->limit)
            vm_give_up(vm, end);
    } else if (no) {
        vm->pc++;
    } else {
        vm->pc = (uint8_t)((end < 0 ? vm->pc : end) + 1);
    }
    if (!no || end < 0)
        vm->head_acc = vm->head_recorded = vm->head_count = vm->rounds = 0;
    vm_land(prog, rank, vm);
}

/* Passes a completion call that has nothing to complete: MPI says yes, so a round ends, too. */
static void vm_pass(const struct program *prog, int rank, struct vm *vm)
{
    int end = round_end(&prog->rank[rank].at[vm->block], vm->pc);

    vm->pc = (uint8_t)((end < 0 ? vm->pc : end) + 1);
    vm->head_acc = vm->head_recorded = vm->head_count = vm->rounds = 0;
    vm_land(prog, rank, vm);
}

static bool is_void(const struct ins *ins, const struct vm *vm)
{
    int list[LIST];

    if (ins->kind == CANCEL) /* of what is complete for good there is nothing to withdraw */
        return !(vm->active >> ins->req & 1) || vm->null >> ins->req & 1;
    if (ins->kind == MRECV)
        return !(vm->held >> ins->req & 1);
    return (ins->kind == WAIT || ins->kind == TEST) && vm_list(ins, vm, list) == 0;
}

/* D7: a test that cannot say no, for what it asks for needs nobody; of some that is not enough (W20). */
static bool is_sure(const struct ins *ins, const struct vm *vm)
{
    int list[LIST], n = vm_list(ins, vm, list), null = 0;

    for (int i = 0; i < n; i++)
        null += (vm->null & ~vm->deniable) >> list[i] & 1;
    return ins->kind == TEST && (ins->select == ALL ? null == n : null > 0);
}

/* A request is posted. */
static void vm_activate(struct vm *vm, const struct ins *ins)
{
    vm->active |= (uint16_t)(1u << ins->req);
    vm->null = (uint16_t)((vm->null & ~(1u << ins->req)) | (unsigned)ins->null << ins->req);
    vm->deniable = (uint16_t)((vm->deniable & ~(1u << ins->req)) | (unsigned)ins->deniable << ins->req);
}

static bool is_buffered(const struct program *prog, const struct ins *ins)
{
    return ins->null || (!ins->sync && (ins->lies || prog->slack == SLACK_INFINITE || (ins->big ? 8u : 1u) < prog->slack));
}

/* A matched probe has taken a message for this request; it is received. */
static void vm_hold(struct vm *vm, int req)
{
    vm->held |= (uint16_t)(1u << req);
    vm->active &= (uint16_t)~(1u << req);
}

static void vm_receive(const struct program *prog, int rank, struct vm *vm, int req)
{
    vm->held &= (uint16_t)~(1u << req);
    vm->active |= (uint16_t)(1u << req);
    vm->done &= (uint16_t)~(1u << req);
    vm->count++;
    vm->pc++;
    vm_land(prog, rank, vm);
}

/* ---- printing ---- */

static void print_list(const struct ins *ins)
{
    for (int i = 0; i < ins->listed; i++)
        printf("%s%d", i ? "," : "", ins->list[i]);
}

static void print_ins(const struct ins *ins)
{
    static const char *const coll[] = {"barrier", "bcast", "reduce", "scan"};
    static const char *const select[] = {"all", "any", "some"};

    switch ((enum kind)ins->kind) {
    case SEND:
        printf("%s%s(to %d, tag %d, ctx %d%s", ins->blocking ? "" : "i", ins->sync ? "ssend" : "send", ins->peer,
               ins->tag, ins->ctx, ins->big ? ", big" : "");
        printf("%s%s", ins->lies ? ", lies" : "", ins->deniable ? ", deniable" : ins->null ? ", null" : "");
        break;
    case RECV:
        printf("%srecv(from %d, tag %d, ctx %d", ins->blocking ? "" : "i", ins->peer, ins->tag, ins->ctx);
        break;
    case COLL:
        printf("%s%s(root %d, ctx %d, but %#x", ins->blocking ? "" : "i", coll[ins->coll], ins->peer, ins->ctx,
               ins->empty);
        break;
    case WAIT:
    case TEST:
        printf("%s%s(", ins->kind == WAIT ? "wait" : "test", select[ins->select]);
        print_list(ins);
        break;
    case PROBE:
    case IPROBE:
        printf("%s%sprobe(from %d, tag %d, ctx %d", ins->kind == PROBE ? "" : "i", ins->take ? "m" : "", ins->peer,
               ins->tag, ins->ctx);
        break;
    case ABORT:
        printf("abort(");
        break;
    case CANCEL:
        printf("cancel(");
        break;
    case MRECV:
        printf("imrecv(");
        break;
    case CHOOSE:
        printf("choose(%d%s", ins->alternatives, ins->bound == ONCE ? ", once" : ins->bound == COMMON ? ", common" : "");
        break;
    }
    if (ins->req)
        printf(", req %d", ins->req);
    printf(")%s ", ins->loop ? " until yes" : "");
    if (ins->limit)
        printf("[%d times] ", ins->limit);
    if (ins->loop && ins->back)
        printf("[round of %d] ", ins->back + 1);
}

static void print_program(const struct program *prog)
{
    printf("%d ranks, slack %s%s%s\n", prog->ranks,
           prog->any                        ? "any"
           : prog->slack == SLACK_INFINITE ? "infinite"
           : prog->slack                   ? "4 bytes"
                                           : "zero",
           prog->goes_on ? ", goes on" : "", prog->data ? ", data" : "");
    for (int r = 0; r < prog->ranks; r++)
        for (int b = 0; b < prog->rank[r].blocks; b++) {
            const struct block *block = &prog->rank[r].at[b];

            printf("  rank %d.%d: ", r, b);
            for (int i = 0; i < block->n; i++)
                print_ins(&block->at[i]);
            if (block->child[0] >= 0 || block->child[1] >= 0)
                printf("then %d or %d", block->child[0], block->child[1]);
            printf("\n");
        }
}

/* ---- outcomes ---- */

struct hash {
    uint64_t a, b;
};

struct outcome {
    struct hash hash;
    uint32_t stuck;
    uint32_t absent; /* it ended well, but for a collective that not all members called */
};

struct outcomes {
    struct outcome *at;
    size_t n, cap;
    size_t stuck;
};

static void hash_word(struct hash *h, uint64_t word)
{
    h->a = (h->a ^ word) * 0x9e3779b97f4a7c15u;
    h->a ^= h->a >> 29;
    h->b = (h->b + word + 1) * 6364136223846793005u;
    h->b ^= h->b >> 31;
}

/* Four words at a time, which do not wait for each other: states are large, and hashing them is half of the work. */
static struct hash hash_bytes(const void *bytes, size_t n)
{
    enum { LANES = 4 };
    const char *p = bytes;
    uint64_t word[LANES];
    struct hash lane[LANES], h = {1469598103934665603u, 88172645463325252u};

    for (uint64_t k = 0; k < LANES; k++)
        lane[k] = (struct hash){h.a + k, h.b - k};
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(word, p, sizeof word);
#pragma GCC unroll 4
        for (int k = 0; k < LANES; k++)
            hash_word(&lane[k], word[k]);
    }
    for (int k = 0; k < LANES; k++) {
        hash_word(&h, lane[k].a);
        hash_word(&h, lane[k].b);
    }
    for (; n; n--, p++)
        hash_word(&h, (unsigned char)*p);
    return h;
}

static int by_hash(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(struct outcome));
}

static void add_outcome(struct outcomes *o, struct hash h, bool stuck, bool absent)
{
    if (o->n == o->cap) {
        o->cap = o->cap ? 2 * o->cap : 64;
        o->at = realloc(o->at, o->cap * sizeof *o->at);
    }
    o->at[o->n++] = (struct outcome){h, stuck, absent};
    o->stuck += stuck;
}

static void sort_outcomes(struct outcomes *o)
{
    qsort(o->at, o->n, sizeof *o->at, by_hash);
}

/* Leaves one of each; sorted. */
static void unite_outcomes(struct outcomes *o)
{
    size_t kept = 0;

    sort_outcomes(o);
    o->stuck = 0;
    for (size_t i = 0; i < o->n; i++)
        if (!kept || by_hash(&o->at[kept - 1], &o->at[i])) {
            o->stuck += o->at[i].stuck;
            o->at[kept++] = o->at[i];
        }
    o->n = kept;
}

/* What identifies a run that has ended; all zero before it is filled. */
struct end {
    struct {
        uint8_t block, pc, over, recorded, record[RECORD];
        uint8_t took[NUMBERS][2]; /* by operation, a wildcard receive: source + 1, and the number of the send */
    } rank[RANKS];
};

static void end_vm(struct end *end, int rank, const struct vm *vm)
{
    end->rank[rank].block = vm->block;
    end->rank[rank].pc = vm->pc;
    end->rank[rank].over = vm->over;
    end->rank[rank].recorded = vm->recorded;
    memcpy(end->rank[rank].record, vm->record, RECORD);
}

/*
 * Whether a run that ended so has come by there; not if that is its own end.
 * What had matched there, it cannot have withdrawn.
 */
static bool is_on_way(const struct end *there, bool matched[RANKS][NUMBERS], const struct end *end)
{
    for (int r = 0; r < RANKS; r++) {
        if (there->rank[r].recorded > end->rank[r].recorded ||
            memcmp(there->rank[r].record, end->rank[r].record, there->rank[r].recorded))
            return false;
        for (int i = 0; i < NUMBERS; i++)
            if ((there->rank[r].took[i][0] && memcmp(there->rank[r].took[i], end->rank[r].took[i], 2)) ||
                (matched[r][i] && end->rank[r].took[i][0] == WITHDRAWN))
                return false;
    }
    return memcmp(there, end, sizeof *end) != 0;
}

/* ---- enumeration ---- */

struct bop {
    uint8_t kind, sync, big, coll, turn, value, count, gone, withdrawn;
    uint8_t empty;
    uint8_t null;
    uint8_t escaped; /* a cancel of it failed though it was unmatched */
    uint8_t lies;    /* it takes room in the attached buffer until it is received */
    uint8_t loose; /* M7: a send is buffered, a collective goes by its data flow */
    uint8_t kept;  /* by a matched probe, and not received */
    int8_t ctx, peer, tag;
    int8_t with_rank, with_op; /* -1: unmatched */
};

struct brank {
    struct vm vm;
    uint8_t blocked; /* in the call at pc */
    uint8_t ops, turns[CONTEXTS];
    int8_t op_of[REQS];
    int8_t own; /* the operation of the blocking call it is in */
    struct bop op[OPS];
};

struct brute {
    struct brank rank[RANKS];
    uint8_t once;            /* a choice that only one may make otherwise was made otherwise */
    uint8_t common[COMMONS]; /* by turn: 1 + what the first has chosen for all; 0: nobody has yet */
};

/* M7: which choice of slack is enumerated. */
enum slack_mode {
    SLACK_OF_PROGRAM, /* that of the program; collectives go by their data flow */
    SLACK_OPEN,       /* every choice */
    SLACK_CHOSEN,     /* `loose` */
};

static const struct program *prog;
static enum slack_mode slack_mode;
static bool overflows, found_overflows; /* a buffered send may find no room, as enumerated and as explored */
static bool loose[RANKS][NUMBERS]; /* by the number of the operation: it may complete early */
static bool whole[CONTEXTS][OPS];   /* by the turn of the collective: all its parts wait all the same */
static const struct end *way;      /* the end of the run that is followed; NULL: any */
static bool stuck_on_way;          /* it got stuck before that end */
static bool stuck_by_cause;        /* it got stuck there with all of `cause` holding up their ranks */
static const struct op_name *cause;
static size_t causes;
static struct hash *visited;
static size_t visited_n, visited_cap;
static struct outcomes truth;
static bool too_many;

/*
 * If histories are merged, an end is only where everybody stands; of a round of
 * polls, not in which of them.
 */
static bool only_places;

static void leave_places(struct end *end)
{
    for (int r = 0; r < prog->ranks; r++) {
        const struct block *block = &prog->rank[r].at[end->rank[r].block];
        int last = end->rank[r].over ? -1 : round_end(block, end->rank[r].pc);

        if (last >= 0)
            end->rank[r].pc = (uint8_t)(last - block->at[last].back);
        end->rank[r].recorded = 0;
        memset(end->rank[r].record, 0, sizeof end->rank[r].record);
        memset(end->rank[r].took, 0, sizeof end->rank[r].took);
    }
}

static struct hash hash_end(struct end *end)
{
    if (only_places)
        leave_places(end);
    return hash_bytes(end, sizeof *end);
}

/*
 * What the decisions so far cost, and what they may.  A question is whether something can come up that is before an option
 * of a point, while that is undecided: it is answered by enumerating what else can happen.
 */
enum { NO_BOUND = 1000 };

struct spent {
    unsigned late, other;
};

struct question {
    int rank, recv;   /* the point: a receive by its number, or -1, the call */
    int source;       /* something of a lower source */
    unsigned set;     /* of the list that the call is about: something that is not in it */
    bool yes;         /* anything */
};

static bool counts; /* costs are counted */
static struct spent spent, within;
static const struct question *question; /* NULL: none is asked */
static bool comes_up;

static bool brute_seen(const struct brute *s)
{
    struct hash h = hash_bytes(s, sizeof *s);
    size_t i;

    h.a += spent.late * 0x9e3779b97f4a7c15u + spent.other * 0xbf58476d1ce4e5b9u;

    if (visited_n * 2 >= visited_cap) {
        struct hash *old = visited;
        size_t old_cap = visited_cap;

        visited_cap = old_cap ? old_cap * 2 : 1024;
        visited = calloc(visited_cap, sizeof *visited);
        for (size_t k = 0; k < old_cap; k++) {
            if (!old[k].a)
                continue;
            for (i = old[k].b & (visited_cap - 1); visited[i].a; i = (i + 1) & (visited_cap - 1))
                ;
            visited[i] = old[k];
        }
        free(old);
    }
    for (i = h.b & (visited_cap - 1); visited[i].a; i = (i + 1) & (visited_cap - 1))
        if (visited[i].a == h.a && visited[i].b == h.b)
            return true;
    visited[i] = h;
    visited_n++;
    return false;
}

static int position(int ctx, int rank)
{
    return ctx ? prog->ranks - 1 - rank : rank;
}

static bool needs(int coll, int root, int ctx, int empty, int me, int other)
{
    if (empty >> other & 1)
        return false;
    switch ((enum coll)coll) {
    case BARRIER:
        return true;
    case BCAST:
        return me != root && other == root;
    case REDUCE:
        return me == root;
    case SCAN:
        return position(ctx, other) <= position(ctx, me);
    }
    return false;
}

static const struct bop *coll_part(const struct brute *s, int rank, int ctx, int turn)
{
    for (int i = 0; i < s->rank[rank].ops; i++) {
        const struct bop *op = &s->rank[rank].op[i];

        if (op->kind == COLL && op->ctx == ctx && op->turn == turn)
            return op;
    }
    return NULL;
}

/* Matched, and not kept by a matched probe alone. */
static bool is_received(const struct brute *s, const struct bop *op)
{
    return op->with_rank >= 0 && !op->kept && !s->rank[op->with_rank].op[op->with_op].kept;
}

static bool brute_complete(const struct brute *s, int rank, int i)
{
    const struct bop *op = &s->rank[rank].op[i];

    if (op->withdrawn || op->null)
        return true;
    if (op->kind == SEND)
        return (op->loose && !op->sync) || is_received(s, op);
    if (op->kind == RECV)
        return is_received(s, op);
    for (int q = 0; q < prog->ranks; q++)
        if ((!op->loose || needs(op->coll, op->peer, op->ctx, op->empty, rank, q)) && !coll_part(s, q, op->ctx, op->turn))
            return false;
    return true;
}

static bool envelope_fits(const struct bop *send, int from, int at, int peer, int ctx, int tag)
{
    return send->kind == SEND && !send->null && send->with_rank < 0 && !send->withdrawn && send->peer == at && send->ctx == ctx &&
           (peer == ANY || peer == from) && (tag == ANY || tag == send->tag);
}

/* M1, M2: the send is the first of its channel that fits. */
static bool is_first(const struct brute *s, int from, int i, int at, int peer, int ctx, int tag)
{
    if (!envelope_fits(&s->rank[from].op[i], from, at, peer, ctx, tag))
        return false;
    for (int k = 0; k < i; k++)
        if (envelope_fits(&s->rank[from].op[k], from, at, peer, ctx, tag))
            return false;
    return true;
}

/* M3: no receive posted before the k-th fits it. */
static bool none_before(const struct brute *s, int from, int i, int at, int before)
{
    for (int k = 0; k < before; k++) {
        const struct bop *recv = &s->rank[at].op[k];

        if (recv->kind == RECV && recv->with_rank < 0 && !recv->withdrawn &&
            envelope_fits(&s->rank[from].op[i], from, at, recv->peer, recv->ctx, recv->tag))
            return false;
    }
    return true;
}

static bool is_loose(const struct ins *ins, int rank, int number)
{
    if (ins->lies || ins->null)
        return true;
    if (slack_mode == SLACK_CHOSEN)
        return loose[rank][number];
    return slack_mode == SLACK_OF_PROGRAM && (ins->kind == COLL || is_buffered(prog, ins));
}

enum { OVERHEAD = 1 };

static unsigned room_of(const struct bop *op)
{
    return (op->big ? 8 : 1) + OVERHEAD;
}

/* Of the messages in the buffer; one has left it when a call has told its receiver so. */
static unsigned room_taken(const struct brute *s, int rank)
{
    unsigned taken = 0;

    for (int i = 0; i < s->rank[rank].ops; i++) {
        const struct bop *op = &s->rank[rank].op[i];

        if (op->lies && !op->withdrawn && (op->with_rank < 0 || !s->rank[op->with_rank].op[op->with_op].gone))
            taken += room_of(op);
    }
    return taken;
}

static struct bop *brute_post(struct brute *s, int rank, const struct ins *ins)
{
    struct brank *b = &s->rank[rank];
    struct bop *op = &b->op[b->ops];

    if (b->ops == OPS)
        abort();
    *op = (struct bop){.kind = ins->kind, .peer = ins->peer, .tag = ins->tag, .ctx = ins->ctx, .sync = ins->sync,
                       .big = ins->big, .coll = ins->coll, .empty = ins->empty, .null = ins->null, .with_rank = -1, .with_op = -1, .count = b->vm.count};
    if (ins->kind != RECV)
        op->loose = is_loose(ins, rank, op->count);
    if (ins->lies && slack_mode == SLACK_OF_PROGRAM && room_taken(s, rank))
        overflows = overflows || room_taken(s, rank) + room_of(op) > prog->room;
    op->lies = ins->lies;
    if (ins->kind != RECV && prog->data)
        op->value = b->vm.acc & 3;
    if (ins->kind == COLL)
        op->turn = b->turns[ins->ctx]++;
    if (ins->kind == COLL && slack_mode == SLACK_CHOSEN && whole[op->ctx][op->turn])
        op->loose = false;
    if (ins->req) {
        b->op_of[ins->req] = (int8_t)b->ops;
        if (!ins->blocking)
            vm_activate(&b->vm, ins);
    }
    b->own = (int8_t)b->ops++;
    return op;
}

/* Whether a rank stays in the call that it has just begun. */
static bool brute_blocks(const struct brute *s, int rank, const struct ins *ins)
{
    if (ins->kind == SEND)
        return ins->blocking && !brute_complete(s, rank, s->rank[rank].own);
    return ins->kind <= COLL ? ins->blocking : true;
}

/* One instruction of a rank that is not blocked. */
static void brute_step(struct brute *s, int rank)
{
    struct brank *b = &s->rank[rank];
    const struct ins *ins = vm_ins(prog, rank, &b->vm);

    if (ins->kind == ABORT) {
        b->vm.over = 2;
        return;
    }
    if (is_void(ins, &b->vm)) {
        vm_pass(prog, rank, &b->vm);
        return;
    }
    if (ins->kind == MRECV) {
        b->op[b->op_of[ins->req]].kept = false;
        vm_receive(prog, rank, &b->vm, ins->req);
        return;
    }
    if (ins->kind == TEST || ins->kind == IPROBE)
        vm_enter_round(prog, rank, &b->vm);
    if (ins->kind <= COLL)
        brute_post(s, rank, ins);
    if (brute_blocks(s, rank, ins)) {
        b->blocked = true;
        return;
    }
    b->own = 0;
    b->vm.count++;
    b->vm.pc++;
    vm_land(prog, rank, &b->vm);
}

static int put_completion(const struct brute *s, int rank, int i, uint8_t *value)
{
    const struct bop *op = &s->rank[rank].op[i];
    int n = 0;

    if (op->withdrawn) {
        value[n++] = 99;
    } else if (op->kind == RECV) {
        const struct bop *send = &s->rank[op->with_rank].op[op->with_op];

        value[n++] = (uint8_t)(op->with_rank + 1);
        value[n++] = (uint8_t)(send->tag + 1 + 16 * send->big);
        value[n++] = send->value;
    }
    for (int p = 0; op->kind == COLL && p < prog->ranks; p++) {
        int q = position(op->ctx, p); /* it is its own inverse */

        if (needs(op->coll, op->peer, op->ctx, op->empty, rank, q))
            value[n++] = coll_part(s, q, op->ctx, op->turn)->value;
    }
    return n;
}

static void brute_visit(const struct brute *);

/* Whether something comes up before an option, now or later. */
static bool may_come_up(const struct brute *s, struct question asked)
{
    struct hash *outer = visited;
    size_t outer_n = visited_n, outer_cap = visited_cap;
    struct spent before = spent;

    if (!counts || question)
        return false;
    visited = NULL;
    visited_n = visited_cap = 0;
    spent = (struct spent){0};
    question = &asked;
    comes_up = false;
    brute_visit(s);
    question = NULL;
    spent = before;
    free(visited);
    visited = outer;
    visited_n = outer_n;
    visited_cap = outer_cap;
    return comes_up;
}

/* Goes on after a decision that costs this much, if that is allowed; what was spent is restored by the caller. */
static bool spend(bool late, bool other)
{
    spent.late += counts && !question && late;
    spent.other += counts && !question && other;
    return !counts || (spent.late <= within.late && spent.other <= within.other);
}

static void brute_go(const struct brute *s, int rank, const uint8_t *value, int n, bool no, unsigned done)
{
    struct brute t = *s;
    struct brank *b = &t.rank[rank];

    b->blocked = false;
    b->own = 0;
    b->vm.active &= (uint16_t)~done;
    for (int q = 0; q < REQS; q++)
        if (done >> q & 1) {
            b->op[b->op_of[q]].gone = true;
            b->op[b->op_of[q]].loose = false; /* it does not matter any more */
            b->op_of[q] = 0;
        }
    vm_return(prog, rank, &b->vm, value, n, no);
    brute_visit(&t);
}

/* The call returns with these positions of the list. */
static void brute_return_set(const struct brute *s, int rank, const int *list, int n, unsigned set)
{
    uint8_t value[64] = {1};
    const struct ins *ins = vm_ins(prog, rank, &s->rank[rank].vm);
    struct question before = {.rank = rank, .recv = -1, .set = ins->select == ONE ? ~((set & -set) - 1) : set};
    struct spent old = spent;
    int used = 1;
    unsigned done = 0;

    for (int i = 0; i < n; i++) {
        if (!(set >> i & 1))
            continue;
        value[used++] = (uint8_t)list[i];
        used += put_completion(s, rank, s->rank[rank].op_of[list[i]], value + used);
        done |= 1u << list[i];
    }
    if (spend(false, ins->select != ALL && may_come_up(s, before)))
        brute_go(s, rank, value, used, false, done);
    spent = old;
}

/* The positions of the list that are complete. */
static unsigned brute_list_complete(const struct brute *s, int rank, const int *list, int n)
{
    unsigned complete = 0;

    for (int i = 0; i < n; i++)
        if (brute_complete(s, rank, s->rank[rank].op_of[list[i]]))
            complete |= 1u << i;
    return complete;
}

static bool brute_returns_list(const struct brute *s, int rank, const struct ins *ins, bool really)
{
    int list[LIST], n = vm_list(ins, &s->rank[rank].vm, list);
    unsigned complete = brute_list_complete(s, rank, list, n);
    bool any = false;

    for (unsigned set = 1; set < 1u << n; set++) {
        bool one = (set & (set - 1)) == 0, all = set == (1u << n) - 1;

        if ((set & ~complete) || (ins->select == ONE && !one) || (ins->select == ALL && !all))
            continue;
        any = true;
        if (really)
            brute_return_set(s, rank, list, n, set);
    }
    return any;
}

static bool brute_returns_probe(const struct brute *s, int rank, const struct ins *ins, bool really)
{
    bool any = false;

    for (int q = 0; q < prog->ranks; q++)
        for (int i = 0; i < s->rank[q].ops; i++) {
            struct brute t = *s;
            struct spent old = spent;
            uint8_t value[3] = {1, (uint8_t)(q + 1), (uint8_t)(s->rank[q].op[i].tag + 1 + 16 * s->rank[q].op[i].big)};

            if (!is_first(s, q, i, rank, ins->peer, ins->ctx, ins->tag) ||
                !none_before(s, q, i, rank, s->rank[rank].ops))
                continue;
            any = true;
            if (!really)
                continue;
            if (ins->take) {
                struct ins recv = {
                    .kind = RECV, .peer = (int8_t)q, .tag = s->rank[q].op[i].tag, .ctx = ins->ctx, .req = ins->req};
                struct bop *op = brute_post(&t, rank, &recv);

                op->with_rank = (int8_t)q;
                op->with_op = (int8_t)i;
                t.rank[q].op[i].with_rank = (int8_t)rank;
                t.rank[q].op[i].escaped = false;
                t.rank[q].op[i].with_op = (int8_t)(op - t.rank[rank].op);
                op->kept = true;
                vm_hold(&t.rank[rank].vm, ins->req);
            }
            if (spend(false, may_come_up(s, (struct question){.rank = rank, .recv = -1, .source = q})))
                brute_go(&t, rank, value, 3, false, 0);
            spent = old;
        }
    return any;
}

static bool brute_says_yes(const struct brute *s, int rank, const struct ins *ins, bool really)
{
    return ins->kind == WAIT || ins->kind == TEST ? brute_returns_list(s, rank, ins, really)
                                                  : brute_returns_probe(s, rank, ins, really);
}

/* Whether "no" gets this rank anywhere: not if it is at the head of a round that it goes for ever and that cannot end now. */
static bool no_helps(const struct brute *s, int rank)
{
    const struct brank *b = &s->rank[rank];
    const struct block *block = &prog->rank[rank].at[b->vm.block];
    int end = round_end(block, b->vm.pc), head = vm_round_head(prog, rank, &b->vm);

    if (end < 0 || head != b->vm.pc || block->at[end].limit)
        return true;
    for (int i = head; i <= end; i++)
        if (is_void(&block->at[i], &b->vm) || brute_says_yes(s, rank, &block->at[i], false))
            return true;
    return false;
}

static void brute_cancel_so(const struct brute *s, int rank, int req, bool withdrawn, bool escaped)
{
    struct brute t = *s;
    struct brank *b = &t.rank[rank];
    struct bop *op = &b->op[b->op_of[req]];
    struct spent old = spent;

    op->withdrawn = withdrawn;
    op->escaped = escaped;
    op->loose = op->loose || escaped;
    b->blocked = false;
    b->vm.count++;
    b->vm.pc++;
    vm_land(prog, rank, &b->vm);
    if (spend(false, escaped))
        brute_visit(&t);
    spent = old;
}

/* D5.  With any buffering, that it escapes says that it is buffered. */
static bool may_escape(const struct bop *op)
{
    return op->kind == SEND && !op->sync && !op->withdrawn && (op->loose || slack_mode != SLACK_OF_PROGRAM);
}

/* Cancels: the operation is withdrawn if it is not matched by now; a send that is buffered may go its way instead. */
static void brute_cancel(const struct brute *s, int rank, int req)
{
    const struct bop *op = &s->rank[rank].op[s->rank[rank].op_of[req]];
    bool open = op->kind != COLL && op->with_rank < 0;

    if (open && !op->escaped)
        brute_cancel_so(s, rank, req, true, false);
    if (!open || op->escaped || may_escape(op))
        brute_cancel_so(s, rank, req, op->withdrawn, open);
}

static bool brute_may_choose(const struct brute *s, int rank, const struct ins *ins, int choice)
{
    int turn = s->rank[rank].vm.commons;

    if (ins->bound == ONCE)
        return choice == 0 || !s->once;
    return ins->bound == FREE || !s->common[turn] || s->common[turn] == choice + 1;
}

static void brute_chooses(const struct brute *s, int rank, const struct ins *ins)
{
    bool first = true;

    for (int choice = 0; choice < ins->alternatives; choice++) {
        struct brute t = *s;
        struct spent old = spent;
        uint8_t value[] = {1, (uint8_t)choice};

        if (!brute_may_choose(s, rank, ins, choice))
            continue;
        t.once |= ins->bound == ONCE && choice > 0;
        if (ins->bound == COMMON)
            t.common[t.rank[rank].vm.commons++] = (uint8_t)(choice + 1);
        if (spend(false, !first))
            brute_go(&t, rank, value, 2, false, 0);
        spent = old;
        first = false;
    }
}

static bool brute_returns(const struct brute *s, int rank)
{
    const struct brank *b = &s->rank[rank];
    const struct ins *ins = vm_ins(prog, rank, &b->vm);
    uint8_t value[64] = {0};

    switch ((enum kind)ins->kind) {
    case SEND:
    case RECV:
    case COLL:
        if (!brute_complete(s, rank, b->own))
            return false;
        {
            struct brute t = *s;
            int n = put_completion(s, rank, b->own, value);

            t.rank[rank].op[b->own].gone = true;
            t.rank[rank].op[b->own].loose = false;
            if (ins->req)
                t.rank[rank].op_of[ins->req] = 0;
            brute_go(&t, rank, value, n, false, 0);
        }
        return true;
    case WAIT:
    case PROBE:
        return brute_says_yes(s, rank, ins, true);
    case TEST:
    case IPROBE:
        brute_says_yes(s, rank, ins, true);
        if (is_sure(ins, &b->vm))
            return true;
        if (!no_helps(s, rank))
            return false;
        {
            bool late = may_come_up(s, (struct question){.rank = rank, .recv = -1, .yes = true});
            struct spent old = spent;

            if (spend(late, late))
                brute_go(s, rank, value, 1, true, 0);
            spent = old;
        }
        return true;
    case CANCEL:
        brute_cancel(s, rank, ins->req);
        return true;
    case CHOOSE:
        brute_chooses(s, rank, ins);
        return true;
    case MRECV:
    case ABORT:
        break;
    }
    return false;
}

static bool brute_matches(const struct brute *s, int at, int k)
{
    const struct bop *recv = &s->rank[at].op[k];
    bool any = false;

    if (recv->kind != RECV || recv->with_rank >= 0 || recv->withdrawn)
        return false;
    for (int q = 0; q < prog->ranks; q++)
        for (int i = 0; i < s->rank[q].ops; i++)
            if (is_first(s, q, i, at, recv->peer, recv->ctx, recv->tag) && none_before(s, q, i, at, k)) {
                struct brute t = *s;
                struct spent old = spent;

                t.rank[at].op[k].with_rank = (int8_t)q;
                t.rank[at].op[k].with_op = (int8_t)i;
                t.rank[q].op[i].with_rank = (int8_t)at;
                t.rank[q].op[i].escaped = false; /* it could not be cancelled any more anyway */
                t.rank[q].op[i].with_op = (int8_t)k;
                if (spend(false, may_come_up(s, (struct question){.rank = at, .recv = k, .source = q})))
                    brute_visit(&t);
                spent = old;
                any = true;
            }
    return any;
}

/* M7: the operation completes although it need not. */
static void brute_loosen(const struct brute *s, int rank, int i)
{
    struct brute t = *s;
    struct bop *op = &t.rank[rank].op[i];

    if (op->kind == RECV || op->loose || brute_complete(s, rank, i))
        return;
    op->loose = true;
    if (brute_complete(&t, rank, i))
        brute_visit(&t);
}

/* Any of those that the call, or the round of polls, of a rank is about. */
static void brute_loosens(const struct brute *s, int rank)
{
    const struct brank *b = &s->rank[rank];
    const struct block *block = &prog->rank[rank].at[b->vm.block];
    int end = round_end(block, b->vm.pc), first = end < 0 ? b->vm.pc : end - block->at[end].back;

    if (block->at[b->vm.pc].kind <= COLL)
        brute_loosen(s, rank, b->own);
    for (int k = first; k <= (end < 0 ? b->vm.pc : end); k++) {
        int list[LIST], n = vm_list(&block->at[k], &b->vm, list);

        for (int i = 0; i < n; i++)
            brute_loosen(s, rank, b->op_of[list[i]]);
    }
}

/* Whether a call of this rank, or a round of polls, is about the operation, which would complete if it were loose. */
static bool is_held_by(const struct brute *s, int rank, int i)
{
    const struct brank *b = &s->rank[rank];
    const struct block *block = &prog->rank[rank].at[b->vm.block];
    int end = round_end(block, b->vm.pc), first = end < 0 ? b->vm.pc : end - block->at[end].back;
    struct brute t = *s;
    bool about = block->at[b->vm.pc].kind <= COLL && b->own == i;

    if (b->vm.over || brute_complete(s, rank, i))
        return false;
    for (int k = first; k <= (end < 0 ? b->vm.pc : end); k++) {
        int list[LIST], n = vm_list(&block->at[k], &b->vm, list);

        for (int m = 0; m < n; m++)
            about = about || b->op_of[list[m]] == i;
    }
    t.rank[rank].op[i].loose = true;
    return about && brute_complete(&t, rank, i);
}

static bool cause_holds(const struct brute *s)
{
    for (size_t c = 0; c < causes; c++) {
        const struct brank *b = &s->rank[cause[c].rank];
        bool held = false;

        for (int i = 0; i < b->ops; i++)
            held = held || (b->op[i].kind != RECV && b->op[i].count == cause[c].op - CONTEXTS && !b->op[i].gone &&
                            is_held_by(s, cause[c].rank, i));
        if (!held)
            return false;
    }
    return true;
}

static bool is_unjoined(const struct brute *s)
{
    for (int r = 0; r < prog->ranks; r++)
        for (int i = 0; i < s->rank[r].ops; i++)
            for (int q = 0; q < prog->ranks; q++)
                if (s->rank[r].op[i].kind == COLL && !coll_part(s, q, s->rank[r].op[i].ctx, s->rank[r].op[i].turn))
                    return true;
    return false;
}

static void brute_end(const struct brute *s)
{
    static struct end end;
    bool matched[RANKS][NUMBERS] = {{0}}, stuck = false, aborted = false;

    memset(&end, 0, sizeof end);
    for (int r = 0; r < prog->ranks; r++) {
        const struct brank *b = &s->rank[r];

        end_vm(&end, r, &b->vm);
        stuck = stuck || !b->vm.over;
        aborted = aborted || b->vm.over == 2;
        for (int i = 0; i < b->ops; i++) {
            matched[r][b->op[i].count] = b->op[i].with_rank >= 0;
            if (b->op[i].withdrawn) {
                end.rank[r].took[b->op[i].count][0] = WITHDRAWN;
            } else if (b->op[i].kind == RECV && b->op[i].peer == ANY && b->op[i].with_rank >= 0) {
                end.rank[r].took[b->op[i].count][0] = (uint8_t)(b->op[i].with_rank + 1);
                end.rank[r].took[b->op[i].count][1] = s->rank[b->op[i].with_rank].op[b->op[i].with_op].count;
            }
        }
    }
    if (slack_mode == SLACK_OPEN && aborted)
        return; /* not for want of slack */
    if (way && stuck && !aborted && is_on_way(&end, matched, way))
        stuck_on_way = true;
    if (way && stuck && !aborted && is_on_way(&end, matched, way) && cause_holds(s))
        stuck_by_cause = true;
    add_outcome(&truth, hash_end(&end), stuck, !stuck && !aborted && is_unjoined(s));
}

/* Whether there is a message of a lower source for it. */
static bool has_lower_source(const struct brute *s, int at, const struct bop *asks, int before, int source)
{
    for (int q = 0; q < source; q++)
        for (int i = 0; i < s->rank[q].ops; i++)
            if (is_first(s, q, i, at, asks->peer, asks->ctx, asks->tag) && none_before(s, q, i, at, before))
                return true;
    return false;
}

/* Whether what is asked for is there. */
static bool is_answer(const struct brute *s)
{
    const struct brank *b = &s->rank[question->rank];
    const struct ins *ins = question->recv < 0 ? vm_ins(prog, question->rank, &b->vm) : NULL;
    int list[LIST], n;

    if (!ins)
        return has_lower_source(s, question->rank, &b->op[question->recv], question->recv, question->source);
    if (question->yes)
        return brute_says_yes(s, question->rank, ins, false);
    if (ins->kind == PROBE || ins->kind == IPROBE)
        return has_lower_source(s, question->rank, &(struct bop){.peer = ins->peer, .ctx = ins->ctx, .tag = ins->tag},
                                b->ops, question->source);
    n = vm_list(ins, &b->vm, list);
    return brute_list_complete(s, question->rank, list, n) & ~question->set;
}

/* The point in question stays undecided. */
static bool is_in_question(int rank, int recv)
{
    return question && question->rank == rank && question->recv == recv;
}

static bool is_running(const struct brute *s, int rank)
{
    return !s->rank[rank].blocked && !s->rank[rank].vm.over;
}

static void brute_visit(const struct brute *from)
{
    struct brute s = *from;
    bool moves = false;

    for (int r = 0; r < prog->ranks && !prog->step; r++)
        while (is_running(&s, r))
            brute_step(&s, r);
    if (too_many || brute_seen(&s))
        return;
    too_many = visited_n > most_states && !question;
    comes_up = question && (comes_up || is_answer(&s));
    if (comes_up)
        return;
    for (int r = 0; r < prog->ranks; r++) {
        if (is_running(&s, r)) {
            struct brute t = s;

            brute_step(&t, r);
            brute_visit(&t);
            moves = true;
        } else if (s.rank[r].blocked) {
            moves = (!is_in_question(r, -1) && brute_returns(&s, r)) || moves;
            if (slack_mode == SLACK_OPEN)
                brute_loosens(&s, r);
        }
        for (int k = 0; k < s.rank[r].ops; k++)
            moves = (!is_in_question(r, k) && brute_matches(&s, r, k)) || moves;
    }
    if (!moves && !question)
        brute_end(&s);
}

/* Adds the ends under one choice of slack, or under all. */
static void enumerate_under(const struct program *p, enum slack_mode mode)
{
    struct brute s;

    memset(&s, 0, sizeof s);
    prog = p;
    slack_mode = mode;
    free(visited);
    visited = NULL;
    visited_n = visited_cap = 0;
    for (int r = 0; r < p->ranks; r++)
        vm_land(p, r, &s.rank[r].vm);
    brute_visit(&s);
}

static void forget_truth(void)
{
    truth.n = truth.stuck = 0;
    too_many = false;
}

static void enumerate(const struct program *p)
{
    forget_truth();
    overflows = false;
    enumerate_under(p, SLACK_OF_PROGRAM);
    if (!p->any)
        return;
    enumerate_under(p, SLACK_OPEN);
    unite_outcomes(&truth);
}

/* How many deadlocks there are under the choice in `loose`. */
static size_t enumerate_chosen(const struct program *p)
{
    forget_truth();
    enumerate_under(p, SLACK_CHOSEN);
    unite_outcomes(&truth);
    return truth.stuck;
}

/* ---- the explorer's side: a runner that interprets ---- */

struct interpreter {
    struct vm *at; /* by node */
    uint16_t *turns; /* by node: two bytes, one for each context */
    size_t cap;
    char *bytes;
    size_t used, room;
    uint64_t contents[1024];
    uint32_t ncontents, count;
};

static struct interpreter interp;
static struct outcomes found;
static bool wrong_place, mismatch;
static struct decision last[512]; /* of the last run that is no slack deadlock */
static struct end last_end;       /* how that run ended */
static uint64_t places[512];
static size_t last_n, places_n;

/* A run that was told, and is no slack deadlock.  Such deadlocks may be told later than other runs. */
struct ended_run {
    uint32_t step;
    bool ends_well;
    bool absent[CONTEXTS][OPS]; /* collectives that not all members called, by turn */
    struct end end;
};
static VEC(struct ended_run) ended_runs;

/* What the explorer says of a slack deadlock. */
struct slack_deadlock {
    struct outcome outcome;
    struct end run; /* the run on whose way it is */
    bool ends_well; /* that run ends well */
    bool mixed;     /* it takes a collective that waits in some members only */
    bool absent;    /* it takes one that somebody never calls */
    struct { int8_t ctx, turn; } coll[RANKS * OPS]; /* by `unbuffered_op`; -1: a send */
    size_t buffered, unbuffered;
    struct op_name buffered_op[RANKS * OPS], unbuffered_op[RANKS * OPS];
    size_t decisions, places;
    struct decision decision[512];
    uint64_t place[512];
};
static struct slack_deadlock slack_deadlocks[SLACK_DEADLOCKS];
static size_t slack_deadlocks_n;

static struct op *emit(const struct op *op, const void *tail, size_t size)
{
    struct op *at;
    size_t whole = sizeof *op + op_round(size);

    if (interp.used + whole > interp.room) {
        interp.room = 2 * (interp.used + whole);
        interp.bytes = realloc(interp.bytes, interp.room);
    }
    at = (struct op *)(interp.bytes + interp.used);
    memset(at, 0, whole);
    *at = *op;
    at->size = (uint32_t)whole;
    if (size)
        memcpy(at + 1, tail, size);
    interp.used += whole;
    interp.count++;
    return at;
}

static context_t context_of(int ctx)
{
    return 1000 + (context_t)ctx * 7;
}

/* Operations before those of the program. */
static uint32_t first_op(void)
{
    return CONTEXTS + (prog->room > 0);
}

static void emit_attached(void)
{
    struct op op = {.kind = OP_ATTACHED, .flags = OPF_WENT_ON, .bytes = prog->room, .count = OVERHEAD};

    if (prog->room)
        emit(&op, NULL, 0);
}

static void emit_contexts(void)
{
    for (int c = 0; c < CONTEXTS; c++) {
        struct op op = {.kind = OP_CONTEXT, .context = context_of(c)};
        struct { struct op_group group; rank_t member[RANKS]; } tail = {.group = {.members = (uint32_t)prog->ranks,
                                                                               .first_group = (uint32_t)prog->ranks}};
        rank_t *member = tail.group.member;

        for (int r = 0; r < prog->ranks; r++)
            member[position(c, r)] = r;
        emit(&op, &tail, sizeof tail.group + (size_t)prog->ranks * sizeof *member);
    }
}

static void emit_coll(int rank, struct op op, const struct ins *ins, uint8_t value)
{
    struct { struct op_coll coll; char rest[64]; } tail = {.coll = {.slices = 1}};
    uint32_t *list = (uint32_t *)tail.rest;
    struct op_slice *slice;

    for (int p = 0; p < prog->ranks; p++) {
        if (!needs(ins->coll, ins->peer, ins->ctx, ins->empty, rank, position(ins->ctx, p)))
            continue;
        if (tail.coll.from == tail.coll.until)
            tail.coll.from = tail.coll.until = (uint32_t)p;
        if (tail.coll.until == (uint32_t)p)
            tail.coll.until++;
        else
            list[tail.coll.listed++] = (uint32_t)p;
    }
    slice = (struct op_slice *)op_coll_slices(&tail.coll);
    *slice = (struct op_slice){.to = SLICE_FOR_ALL, .bytes = 1};
    emit(&op, &tail, op_coll_size(&tail.coll));
    interp.contents[interp.ncontents++] = 100u + value;
}

/* Whether a send or collective is complete at once under the most slack there can be. */
static bool needs_nobody(int rank, const struct ins *ins)
{
    if (ins->kind == SEND)
        return is_buffered(prog, ins);
    for (int q = 0; q < prog->ranks; q++)
        if (needs(ins->coll, ins->peer, ins->ctx, ins->empty, rank, q))
            return false;
    return ins->kind == COLL;
}

/* Whether a call needs an answer. */
static bool asks(int rank, const struct ins *ins, const struct vm *vm)
{
    int list[LIST], n;

    switch ((enum kind)ins->kind) {
    case SEND:
    case COLL:
        return ins->blocking && !(needs_nobody(rank, ins) && (prog->any ? prog->goes_on : ins->kind == SEND));
    case RECV:
        return ins->blocking;
    case ABORT:
    case MRECV:
        return false;
    case TEST:
        return ins->select != ALL || !is_sure(ins, vm);
    case WAIT:
        n = prog->goes_on && ins->select == ALL ? vm_list(ins, vm, list) : 0;
        for (int i = 0; i < n; i++)
            if (!(vm->done >> list[i] & 1))
                return true;
        return n == 0;
    default:
        return true;
    }
}

/* A wait that asks nothing returns. */
static void pass_wait(int rank, struct vm *vm, const int *list, int n)
{
    uint8_t value[1 + LIST] = {1};

    for (int i = 0; i < n; i++) {
        value[1 + i] = (uint8_t)list[i];
        vm->active &= (uint16_t)~(1u << list[i]);
    }
    vm_return(prog, rank, vm, value, 1 + n, false);
}

/* Issues the instruction; false: it needs an answer. */
static bool issue(int rank, struct vm *vm, uint8_t *turns)
{
    const struct ins *ins = vm_ins(prog, rank, vm);
    uint8_t value = prog->data ? vm->acc & 3 : 0;
    struct op op = {.call = (uint16_t)(1 + ins->kind * 4 + ins->coll),
                    .flags = ins->blocking ? OPF_BLOCKING : 0,
                    .request = ins->req,
                    .peer = ins->peer,
                    .tag = ins->tag,
                    .context = context_of(ins->ctx),
                    .place = (uint64_t)vm->block * 100 + vm->pc + 1,
                    .bytes = ins->big ? 8 : 1,
                    .count = only_places ? 0 : vm->recorded}; /* for end_at */
    int list[LIST], n = 0;
    uint32_t numbers[LIST];
    bool answered = asks(rank, ins, vm);

    if (ins->blocking && !answered) {
        op.flags |= OPF_WENT_ON;
        op.request = 0;
    }

    switch ((enum kind)ins->kind) {
    case SEND:
        if (ins->null) {
            op.kind = OP_DONE;
            op.flags = OPF_WENT_ON;
            op.peer = RANK_NONE;
            emit(&op, NULL, 0);
            break;
        }
        op.kind = OP_SEND;
        op.flags |= (ins->sync ? OPF_SYNCHRONOUS : 0) | (ins->lies ? OPF_ATTACHED | OPF_BUFFERED : 0);
        emit(&op, NULL, 0);
        interp.contents[interp.ncontents++] = 100u + value;
        break;
    case RECV:
        op.kind = OP_RECV;
        emit(&op, NULL, 0);
        break;
    case COLL:
        op.kind = OP_COLL;
        op.tag = turns[ins->ctx]++;
        emit_coll(rank, op, ins, value);
        break;
    case WAIT:
    case TEST:
        if (is_void(ins, vm)) {
            vm_pass(prog, rank, vm);
            return true;
        }
        n = vm_list(ins, vm, list);
        for (int i = 0; i < n; i++)
            numbers[i] = (uint32_t)list[i];
        op.kind = ins->kind == WAIT || is_sure(ins, vm) ? OP_WAIT : OP_TEST;
        op.flags = !answered             ? OPF_BLOCKING | OPF_WENT_ON
                   : ins->select == ONE  ? OPF_ANY
                   : ins->select == SOME ? OPF_SOME
                                         : 0;
        op.items = (uint32_t)n;
        op.request = 0;
        emit(&op, numbers, (size_t)n * sizeof *numbers);
        break;
    case PROBE:
    case IPROBE:
        op.kind = ins->kind == PROBE ? OP_PROBE : OP_IPROBE;
        op.flags = ins->take ? OPF_TAKE : 0;
        emit(&op, NULL, 0);
        break;
    case CANCEL:
        if (is_void(ins, vm)) {
            vm_pass(prog, rank, vm);
            return true;
        }
        op.kind = OP_CANCEL;
        op.flags = OPF_WENT_ON;
        emit(&op, NULL, 0);
        vm->done &= (uint16_t)~(1u << ins->req);
        vm->count++;
        vm->pc++;
        vm_land(prog, rank, vm);
        return true;
    case MRECV:
        if (is_void(ins, vm)) {
            vm_pass(prog, rank, vm);
            return true;
        }
        op.kind = OP_TAKEN;
        op.flags = OPF_WENT_ON;
        op.bytes = 8;
        emit(&op, NULL, 0);
        vm_receive(prog, rank, vm, ins->req);
        return true;
    case CHOOSE:
        op.kind = OP_CHOOSE;
        op.flags = ins->bound == ONCE ? OPF_ONCE : ins->bound == COMMON ? OPF_COMMON : 0;
        op.peer = RANK_NONE;
        op.items = ins->alternatives;
        op.request = 0;
        if (ins->bound == COMMON)
            op.turn = vm->commons;
        op.bytes = (uint64_t)op.count; /* for end_at */
        op.count = prog->ranks;
        emit(&op, NULL, 0);
        break;
    case ABORT:
        op.kind = OP_ABORT;
        emit(&op, NULL, 0);
        vm->over = 2;
        return true;
    }
    if (ins->kind == TEST || ins->kind == IPROBE)
        vm_enter_round(prog, rank, vm);
    if (ins->kind <= COLL && ins->req && !ins->blocking) {
        vm_activate(vm, ins);
        vm->done &= (uint16_t)~(1u << ins->req);
        vm->done |= (uint16_t)((unsigned)needs_nobody(rank, ins) << ins->req);
    }
    if (answered)
        return false;
    if (ins->kind == WAIT || ins->kind == TEST) {
        pass_wait(rank, vm, list, n);
        return true;
    }
    vm->count++;
    vm->pc++;
    vm_land(prog, rank, vm);
    return true;
}

static void hand_over(int rank, struct vm *vm, const struct ret *ret)
{
    const struct ins *ins = vm_ins(prog, rank, vm);
    bool listed = ins->kind == WAIT || ins->kind == TEST, probe = ins->kind == PROBE || ins->kind == IPROBE;
    uint8_t value[64] = {ret->flag};
    int n = ins->kind > COLL;

    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];

        if (listed) {
            value[n++] = (uint8_t)item->request;
            vm->active &= (uint16_t)~(1u << item->request);
        }
        if (item->flags & ANSWERED_CHOSEN)
            value[n++] = (uint8_t)item->source;
        if (item->flags & ANSWERED_CANCELLED)
            value[n++] = 99;
        if (item->message) {
            value[n++] = (uint8_t)(item->source + 1);
            value[n++] = (uint8_t)(item->message->tag + 1 + (item->message->bytes == 8 ? 16 : 0));
            if (!probe)
                value[n++] = (uint8_t)(item->content - 100);
        }
        for (uint32_t k = 0; k < item->pieces; k++)
            value[n++] = (uint8_t)(ret->piece[item->first_piece + k].content - 100);
    }
    if (probe && ret->flag && ins->take)
        vm_hold(vm, ins->req);
    vm->commons += ins->kind == CHOOSE && ins->bound == COMMON;
    vm_return(prog, rank, vm, value, n, ins->kind > COLL && !ret->flag);
}

/* What matters of all that calls returned: its parity, to where ranks go; and two bits, to what they send. */
static uint8_t what_matters(uint8_t acc)
{
    for (int r = 0; r < prog->ranks && !prog->data; r++)
        for (int b = 0; b < prog->rank[r].blocks; b++)
            if (prog->rank[r].at[b].child[0] != prog->rank[r].at[b].child[1])
                return acc & 1;
    return prog->data ? acc & 3 : 0;
}

/* All that the future of a rank depends on. */
static struct map_key image_of(struct vm vm, const uint8_t *turns)
{
    struct hash h;

    vm.acc = what_matters(vm.acc);
    vm.head_acc = what_matters(vm.head_acc);
    memset(vm.record, 0, sizeof vm.record);
    vm.recorded = vm.head_recorded = vm.count = vm.head_count = 0;
    h = hash_bytes(&vm, sizeof vm);
    return (struct map_key){h.a + turns[0], h.b + turns[1]};
}

static bool looks_late; /* ranks are not looked at on a run that is made ahead, but when it has ended */

static bool look(void *data, node_id node, struct map_key *image)
{
    (void)data;
    *image = image_of(interp.at[node], (const uint8_t *)&interp.turns[node]);
    return true;
}

static int interpret(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct vm vm;
    uint8_t turns[2];

    (void)data;
    memset(&vm, 0, sizeof vm);
    memset(turns, 0, sizeof turns);
    interp.used = 0;
    interp.ncontents = interp.count = 0;
    if (to >= interp.cap) {
        interp.cap = 2 * to + 64;
        interp.at = realloc(interp.at, interp.cap * sizeof *interp.at);
        interp.turns = realloc(interp.turns, interp.cap * sizeof *interp.turns);
    }
    if (from) {
        vm = interp.at[from];
        memcpy(turns, &interp.turns[from], 2);
        hand_over(rank, &vm, ret);
    } else {
        emit_contexts();
        emit_attached();
        vm_land(prog, rank, &vm);
    }
    while (!vm.over && issue(rank, &vm, turns))
        ;
    interp.at[to] = vm;
    memcpy(&interp.turns[to], turns, 2);
    *segment = (struct segment){.ops = (const struct op *)interp.bytes,
                                .count = interp.count,
                                .contents = interp.contents,
                                .end = vm.over == 2 ? SEGMENT_ABORT : vm.over ? SEGMENT_EXIT : SEGMENT_CALL,
                                .imaged = vm.over == 1 || (!vm.over && !(looks_late && ret && ret->hasty)),
                                .image = image_of(vm, turns)};
    return 0;
}

static struct explorer *explorer;

/* Named receives are decided, too, where something may be cancelled. */
static bool is_wildcard(const struct account *account, const struct decision *d)
{
    return explore_nth_op(explorer, &account->trail[d->rank], d->op)->peer == RANK_ANY;
}

/* Where a rank stands, maybe in the middle of a segment: as the interpreter was when it issued the call. */
static void end_at(struct end *end, int rank, const struct vm *vm, const struct op *call)
{
    struct vm then = *vm;

    if (call) {
        then.over = 0;
        then.block = (uint8_t)((call->place - 1) / 100);
        then.pc = (uint8_t)((call->place - 1) % 100);
        then.recorded = (uint8_t)(call->kind == OP_CHOOSE ? call->bytes : (uint64_t)call->count);
        memset(&then.record[then.recorded], 0, (size_t)(RECORD - then.recorded));
    }
    end_vm(end, rank, &then);
}

static void keep_ended_run(const struct run *run, const struct end *end)
{
    struct ended_run told = {.step = run->step, .ends_well = run->end == RUN_CLEAN, .end = *end};

    for (int c = 0; c < CONTEXTS; c++)
        for (int turn = 0; turn < OPS; turn++)
            told.absent[c][turn] = told.ends_well && sem_is_unjoined(run->sem, context_of(c), (uint32_t)turn);
    vec_push(&ended_runs, told);
}

/* The one that ends where the deadlock was looked for; of an end that was told by another step, the last one. */
static const struct ended_run *find_ended_run(uint32_t step)
{
    for (size_t i = ended_runs.n; i-- > 0;)
        if (ended_runs.at[i].step == step)
            return &ended_runs.at[i];
    if (!ended_runs.n)
        BUG("a slack deadlock is told before any run has ended");
    return &vec_last(&ended_runs);
}

static void run_files_write(const struct account *account, const struct end *end)
{
    last_end = *end;
    last_n = account->decisions;
    for (size_t i = 0; i < last_n && i < 512; i++)
        last[i] = account->decision[i];
    places_n = account->places;
    for (size_t i = 0; i < places_n && i < 512; i++)
        places[i] = account->place[i];
}

/* Which collectives the cause of a slack deadlock is about. */
static void keep_collectives(struct slack_deadlock *held, const struct account *account, const struct ended_run *told)
{
    held->absent = false;
    for (size_t i = 0; i < held->unbuffered; i++) {
        struct op_name name = held->unbuffered_op[i];
        const struct op *op = explore_nth_op(explorer, &account->trail[name.rank], name.op);

        held->coll[i].ctx = op->kind == OP_COLL ? (int8_t)((op->context - context_of(0)) / 7) : -1;
        held->coll[i].turn = (int8_t)op->tag;
        held->absent = held->absent || (op->kind == OP_COLL && told->absent[held->coll[i].ctx][op->tag]);
    }
}

static void keep_slack_deadlock(const struct account *account, struct outcome outcome, const struct ended_run *told)
{
    struct slack_deadlock *held = &slack_deadlocks[slack_deadlocks_n];

    if (slack_deadlocks_n == SLACK_DEADLOCKS)
        return;
    slack_deadlocks_n++;
    held->outcome = outcome;
    held->run = told->end;
    held->ends_well = told->ends_well;
    held->buffered = account->buffered;
    held->unbuffered = account->unbuffered;
    for (size_t i = 0; i < account->buffered; i++)
        held->buffered_op[i] = account->buffered_op[i];
    for (size_t i = 0; i < account->unbuffered; i++)
        held->unbuffered_op[i] = account->unbuffered_op[i];
    keep_collectives(held, account, told);
    held->decisions = account->decisions;
    held->places = account->places;
    for (size_t i = 0; i < account->decisions && i < 512; i++)
        held->decision[i] = account->decision[i];
    for (size_t i = 0; i < account->places && i < 512; i++)
        held->place[i] = account->place[i];
}

static void look_for_overflow(const struct run *run)
{
    defects_t defects = {0};

    buffer_room_add(explorer, run, prog->ranks, &defects);
    found_overflows = found_overflows || defects.n;
    vec_release(&defects);
}

static enum visit on_run(void *data, const struct run *run)
{
    const struct account *account = explore_account(explorer, run);
    static struct end end;
    bool stuck = false;

    (void)data;
    memset(&end, 0, sizeof end);
    for (int r = 0; r < prog->ranks; r++) {
        end_at(&end, r, &interp.at[run->node[r]], run->call[r]);
        stuck = stuck || run->call[r];
    }
    for (size_t i = 0; i < account->decisions; i++) {
        const struct decision *d = &account->decision[i];

        if (d->kind == DECIDED_CANCEL && d->set)
            end.rank[d->rank].took[d->message - first_op()][0] = WITHDRAWN;
        if (d->kind != DECIDED_MATCH || !is_wildcard(account, d))
            continue;
        end.rank[d->rank].took[d->op - first_op()][0] = (uint8_t)(d->source + 1);
        end.rank[d->rank].took[d->op - first_op()][1] = (uint8_t)(d->message - first_op());
    }
    if ((run->end == RUN_DEADLOCK || run->end == RUN_LIVELOCK || (run->end == RUN_ABORT && !run->less_slack)) < stuck)
        wrong_place = true;
    mismatch = mismatch || run->end == RUN_MISMATCH;
    look_for_overflow(run);
    add_outcome(&found, hash_end(&end), stuck, run->end == RUN_CLEAN && sem_unjoined(run->sem, NULL, 0) > 0);
    if (run->less_slack) {
        keep_slack_deadlock(account, found.at[found.n - 1], find_ended_run(run->step));
        slack_deadlocks[slack_deadlocks_n - 1].mixed = run->mixed;
    } else {
        run_files_write(account, &end);
        keep_ended_run(run, &end);
    }
    return stuck ? VISIT_BAD : VISIT_GOOD;
}

static struct explore_result explore_some(const struct program *p, struct explore_options options)
{
    struct runner runner = {.run = interpret, .look = looks_late ? look : NULL, .data = NULL};
    struct explorer *x;
    struct explore_result result;

    options.ranks = p->ranks;
    options.slack = p->slack;
    options.rounds = 3;
    options.ahead = 64;
    x = explore_new(&runner, &options);
    prog = p;
    found.n = found.stuck = slack_deadlocks_n = 0;
    vec_clear(&ended_runs);
    found_overflows = false;
    wrong_place = mismatch = false;
    explorer = x;
    result = explore_run(x, on_run, NULL);
    explore_free(x);
    return result;
}

static struct explore_result explore(const struct program *p, const struct reduction *reduction)
{
    return explore_some(
        p, (struct explore_options){.any_slack = p->any, .every_slack_deadlock = true, .reduction = reduction});
}

/* Whether the last run comes out the same when its decisions are made again. */
static bool replays(const struct program *p)
{
    struct runner runner = {.run = interpret, .data = NULL};
    struct explore_options options = {
        .ranks = p->ranks, .slack = p->slack, .rounds = 3, .ahead = 64, .places = places_n, .place = places};
    struct explorer *x = explore_new(&runner, &options);
    struct end before = last_end;
    size_t n = found.n, stuck = found.stuck;
    bool same;

    explorer = x;
    same = explore_replay(x, (struct replay_manner){0}, last_n, last, on_run, NULL) == 0 && found.n == n + 1 &&
           memcmp(&before, &last_end, sizeof before) == 0;
    found.n = n;
    found.stuck = stuck;
    explore_free(x);
    return same;
}

/* The same for a slack deadlock. */
static bool slack_deadlock_replays(const struct program *p, const struct slack_deadlock *told)
{
    struct runner runner = {.run = interpret, .data = NULL};
    struct explore_options options = {
        .ranks = p->ranks, .slack = p->slack, .rounds = 3, .ahead = 64, .places = told->places, .place = told->place};
    struct held_run held = {told->decisions, told->buffered, told->decision, told->buffered_op, told->mixed};
    struct explorer *x = explore_new(&runner, &options);
    size_t n = found.n, stuck = found.stuck, known = slack_deadlocks_n;
    bool same;

    explorer = x;
    same = explore_replay_held(x, &held, on_run, NULL) == 0 && found.n == n + 1 &&
           by_hash(&told->outcome, &found.at[n]) == 0;
    found.n = n;
    found.stuck = stuck;
    slack_deadlocks_n = known;
    explore_free(x);
    return same;
}

/* Whether both found the same, each once. */
static bool agree(void)
{
    if (truth.n != found.n || truth.stuck != found.stuck || wrong_place || overflows != found_overflows)
        return false;
    sort_outcomes(&truth);
    sort_outcomes(&found);
    for (size_t i = 1; i < truth.n; i++)
        if (by_hash(&truth.at[i - 1], &truth.at[i]) == 0)
            abort(); /* the enumeration itself is at fault */
    return memcmp(truth.at, found.at, truth.n * sizeof *truth.at) == 0;
}

static uint64_t merged, likened; /* histories, in all */
static uint64_t mixed_slack_deadlocks; /* likewise */

static uint64_t unfollowed; /* states from where less slack does no harm */

/* Whether nothing is lost where tight states are let go of, wherever that can be (slack_safety.h); to be asked of the program that was enumerated last. */
static bool safety_is_right(const struct program *p)
{
    struct explore_result result;

    if (!p->any)
        return true;
    result = explore_some(
        p, (struct explore_options){.any_slack = true, .every_slack_deadlock = true, .ask_slack_always = true});
    unfollowed += result.unfollowed;
    return agree();
}

/* As it is, or with less slack looked at in every state; and with a run made ahead. */
static bool merging_is_right_so(const struct program *p, bool always, bool ahead)
{
    struct explore_result result;

    looks_late = ahead;
    result = explore_some(p, (struct explore_options){.any_slack = p->any,
                                                      .every_slack_deadlock = true,
                                                      .ask_slack_always = always,
                                                      .merge = true,
                                                      .heed_past = true,
                                                      .scout = ahead});
    looks_late = false;
    merged += result.merged;
    likened += result.likened;
    unite_outcomes(&found);
    return too_many || agree();
}

/* Whether merging histories leaves out nothing, as far as it tells places. */
static bool merging_is_right(const struct program *p)
{
    bool right = true;

    only_places = true;
    enumerate(p);
    unite_outcomes(&truth);
    for (int way = 0; way < 2 * (1 + p->any) && right; way++)
        right = merging_is_right_so(p, way / 2, way & 1);
    only_places = false;
    return right;
}

/* The same program, but ranks do not go round for ever. */
static struct program with_limits(const struct program *p, bool *any)
{
    static const uint8_t limits[] = {1, 2, 3, 4, 6, 9, 12};
    struct program q = *p;
    uint32_t n = (uint32_t)p->ranks;

    *any = false;
    for (int r = 0; r < q.ranks; r++)
        for (int b = 0; b < q.rank[r].blocks; b++)
            for (int i = 0; i < q.rank[r].at[b].n; i++)
                if (q.rank[r].at[b].at[i].loop) {
                    n = n * 31 + (uint32_t)(7 * r + b + i);
                    q.rank[r].at[b].at[i].limit = limits[n % sizeof limits];
                    *any = true;
                }
    return q;
}

static uint64_t given_up; /* programs in which ranks do */

/*
 * Whether the search finds what happens after ranks give up (spin.h).  Here nothing depends on when a poll said
 * yes, so all ends are found, as far as they tell places; how many polls there were is not told apart.
 */
static bool giving_up_is_right(const struct program *p)
{
    bool any, right = true;
    struct program q = with_limits(p, &any);

    if (!any)
        return true;
    only_places = true;
    enumerate(&q);
    unite_outcomes(&truth);
    given_up += !too_many;
    for (int way = 0; way < 4 && !too_many && right; way++) {
        explore_some(&q, (struct explore_options){.any_slack = q.any, .every_slack_deadlock = true, .merge = way & 1,
                                                  .deepen_after = way / 2});
        unite_outcomes(&found);
        right = agree();
    }
    only_places = false;
    return right;
}

/* ---- what a slack deadlock needs ---- */

static void set_loose(bool all, const struct op_name *except, size_t n)
{
    memset(loose, all, sizeof loose);
    for (size_t i = 0; i < n; i++)
        loose[except[i].rank][except[i].op - first_op()] = !all;
}

/* Whether with just these buffered or, as to collectives, by their data flow, it gets stuck there. */
static bool buffered_is_right(const struct program *p, const struct slack_deadlock *held)
{
    set_loose(false, held->buffered_op, held->buffered);
    enumerate_chosen(p);
    return too_many || bsearch(&held->outcome, truth.at, truth.n, sizeof *truth.at, by_hash);
}

/* Whether without just these the run gets stuck before its end. */
static bool holds_up(const struct program *p, const struct slack_deadlock *held, const struct op_name *tight, size_t n)
{
    set_loose(true, tight, n);
    way = &held->run;
    stuck_on_way = false;
    enumerate_chosen(p);
    way = NULL;
    return stuck_on_way;
}

static bool has_cancel(const struct program *p)
{
    for (int r = 0; r < p->ranks; r++)
        for (int b = 0; b < p->rank[r].blocks; b++)
            for (int i = 0; i < p->rank[r].at[b].n; i++)
                if (p->rank[r].at[b].at[i].kind == CANCEL)
                    return true;
    return false;
}

/*
 * Whether the run is held up without these, and not if one of them is left out.
 * If something is cancelled, the order of decisions counts, too, and an end does not
 * tell which run it is of: then it must get stuck at all.
 */
static bool unbuffered_is_right(const struct program *p, const struct slack_deadlock *told)
{
    struct op_name rest[RANKS * OPS];
    bool held = holds_up(p, told, told->unbuffered_op, told->unbuffered);

    if (!told->unbuffered)
        return false;
    if (too_many)
        return true;
    if (has_cancel(p))
        return truth.stuck;
    if (!held)
        return false;
    for (size_t i = 0; i < told->unbuffered; i++) {
        memcpy(rest, told->unbuffered_op, told->unbuffered * sizeof *rest);
        rest[i] = rest[told->unbuffered - 1];
        if (holds_up(p, told, rest, told->unbuffered - 1))
            return false;
    }
    return true;
}

static bool is_in(struct op_name name, const struct op_name *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].rank == name.rank && list[i].op == name.op)
            return true;
    return false;
}

/* Whether what causes the one is not buffered in the other. */
static bool explains(const struct slack_deadlock *cause, const struct slack_deadlock *held)
{
    for (size_t i = 0; i < cause->unbuffered; i++)
        if (is_in(cause->unbuffered_op[i], held->buffered_op, held->buffered))
            return false;
    return true;
}

static bool is_explained(const struct slack_deadlock *held)
{
    bool explained = false;

    for (size_t i = 0; i < slack_deadlocks_n && !explained; i++)
        explained = explains(&slack_deadlocks[i], held);
    return explained;
}

/* Whether, with the collectives of its cause waiting in all their members, the cause does not come about. */
static bool mixed_is_right(const struct program *p, const struct slack_deadlock *held)
{
    bool right;

    if (has_cancel(p))
        return true;
    for (size_t i = 0; i < held->unbuffered; i++)
        if (held->coll[i].ctx >= 0)
            whole[held->coll[i].ctx][held->coll[i].turn] = true;
    cause = held->unbuffered_op;
    causes = held->unbuffered;
    stuck_by_cause = false;
    holds_up(p, held, held->unbuffered_op, held->unbuffered);
    right = too_many || held->mixed != stuck_by_cause;
    causes = 0;
    memset(whole, 0, sizeof whole);
    mixed_slack_deadlocks += held->mixed;
    return right;
}

/*
 * Without every_slack_deadlock: what is told is true, and nobody who gets stuck where the run
 * would end well is left without a cause.
 */
static bool causes_are_told(const struct program *p)
{
    static struct slack_deadlock every[SLACK_DEADLOCKS], told[SLACK_DEADLOCKS];
    size_t n = slack_deadlocks_n, n_told;
    bool right = true;

    memcpy(every, slack_deadlocks, n * sizeof *every);
    explore_some(p, (struct explore_options){.any_slack = true});
    for (size_t i = 0; i < found.n; i++)
        right = right && bsearch(&found.at[i], truth.at, truth.n, sizeof *truth.at, by_hash);
    for (size_t i = 0; i < n && slack_deadlocks_n < SLACK_DEADLOCKS; i++)
        right = right && (!every[i].ends_well || every[i].absent || is_explained(&every[i]));
    n_told = slack_deadlocks_n;
    memcpy(told, slack_deadlocks, n_told * sizeof *told);
    for (size_t i = 0; i < n_told && i < TRIED; i++)
        right = right && !told[i].absent && mixed_is_right(p, &told[i]);
    return right;
}

/* What is wrong with the slack_deadlocks of the last exploration; NULL: nothing. */
static const char *blame_slack_deadlocks(const struct program *p)
{
    if (p->any && !causes_are_told(p))
        return "a deadlock has no cause among those that are told";
    explore(p, NULL);
    for (size_t i = 0; i < slack_deadlocks_n && i < TRIED; i++) {
        if (!buffered_is_right(p, &slack_deadlocks[i]))
            return "a slack deadlock is not reached with what it says is buffered";
        if (!unbuffered_is_right(p, &slack_deadlocks[i]))
            return "a slack deadlock names the wrong operations as its cause";
        if (!slack_deadlock_replays(p, &slack_deadlocks[i]))
            return "a slack deadlock does not come out the same when its decisions are made again";
    }
    return NULL;
}

/* ---- bounds ---- */

static uint64_t bounded, within_bounds; /* programs for which these were tried, and ends that were within the bounds */

/* Whether all of the first are among the second; both are sorted. */
static bool is_part(const struct outcomes *part, const struct outcomes *all)
{
    for (size_t i = 0; i < part->n; i++)
        if (!all->n || !bsearch(&part->at[i], all->at, all->n, sizeof *all->at, by_hash))
            return false;
    return true;
}

/* Whether what was found, as `part` says, has all ends within the bounds. */
static bool has_all_within(const struct program *p, struct spent bounds)
{
    within = bounds;
    counts = true;
    forget_truth();
    enumerate_under(p, SLACK_OF_PROGRAM);
    counts = false;
    unite_outcomes(&truth);
    within_bounds += truth.n;
    return too_many || is_part(&truth, &found);
}

static struct explore_result explore_within(const struct program *p, struct explore_options options)
{
    struct explore_result result;

    options.merge = only_places;
    options.any_slack = p->any;
    options.every_slack_deadlock = true;
    result = explore_some(p, options);
    unite_outcomes(&found);
    return result;
}

/* What the search says is complete is, if MPI buffers everything, though it was cut short after so many runs, and wherever it turned. */
static bool says_what_is_complete(const struct program *p, uint64_t runs, uint64_t deepen_after)
{
    struct completeness complete =
        explore_within(p, (struct explore_options){.deepen_after = deepen_after, .max_runs = runs}).complete;

    return !complete.some || has_all_within(p, (struct spent){complete.any_late ? NO_BOUND : complete.late,
                                                              complete.any_other ? NO_BOUND : complete.other});
}

static bool bound_is_right(const struct program *p, struct spent bounds, const struct outcomes *all)
{
    struct explore_result result = explore_within(
        p, (struct explore_options){.lateness = bounds.late == NO_BOUND ? 0 : bounds.late + 1,
                                    .mixing = bounds.other == NO_BOUND ? 0 : bounds.other});

    return is_part(&found, all) && (result.left || found.n == all->n) && has_all_within(p, bounds);
}

/*
 * Whether a search in the order of costs finds everything; and within bounds, everything within them.  What is within is
 * enumerated for each decision once more, so only small programs are looked at.
 */
static bool bounds_are_right_so(const struct program *p)
{
    enum { MOST = 400 };
    static const struct spent bounds[] = {{0, NO_BOUND}, {1, NO_BOUND}, {NO_BOUND, 1}, {NO_BOUND, 2}, {0, 1}, {1, 2}, {2, 1}};
    struct outcomes all = {0};
    size_t states;
    bool right;

    enumerate(p);
    states = visited_n;
    unite_outcomes(&truth);
    for (size_t i = 0; i < truth.n; i++)
        add_outcome(&all, truth.at[i].hash, truth.at[i].stuck, truth.at[i].absent);
    explore_within(p, (struct explore_options){.deepen_after = 1});
    right = is_part(&found, &all) && found.n == all.n;
    explore_within(p, (struct explore_options){.deepen_after = 1000});
    right = right && is_part(&found, &all) && found.n == all.n;
    bounded += states <= MOST;
    for (size_t i = 0; states <= MOST && right && i < sizeof bounds / sizeof *bounds; i++)
        right = bound_is_right(p, bounds[i], &all);
    for (uint64_t runs = 1; states <= MOST && right && runs < all.n; runs += 1 + runs / 2)
        right = says_what_is_complete(p, runs, 1) && says_what_is_complete(p, runs, 400 + 30 * runs);
    free(all.at);
    return right;
}

/* The same with histories merged: then states are reached in more ways, and at other costs. */
static bool bounds_are_right(const struct program *p)
{
    bool right = bounds_are_right_so(p);

    only_places = true;
    right = right && bounds_are_right_so(p);
    only_places = false;
    return right;
}

/* What is wrong with an exploration that agrees; NULL: nothing. */
static const char *blame(const struct program *p)
{
    const char *wrong = safety_is_right(p) ? blame_slack_deadlocks(p) : "a deadlock is lost where less slack is taken for safe";

    if (!wrong && !merging_is_right(p))
        wrong = "merging histories loses an end, or makes one up";
    if (!wrong && !bounds_are_right(p))
        wrong = "an end is lost, or made up, in the order of costs or within bounds";
    return wrong || giving_up_is_right(p) ? wrong : "an end is lost or made up if ranks give up polling";
}

/* Whether it never gets stuck if all operations are alike: no send is buffered, or all are. */
static bool only_mixed_sticks(const struct program *p)
{
    size_t stuck;

    forget_truth();
    enumerate_under(p, SLACK_OF_PROGRAM);
    stuck = truth.stuck;
    set_loose(false, NULL, 0);
    return !(stuck + enumerate_chosen(p));
}

/* ---- random programs ---- */

static uint64_t rng;

static int below(int n)
{
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (int)((rng >> 16) % (uint64_t)n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

static void insert(struct block *block, int at, struct ins ins)
{
    if (block->n == INS)
        return;
    memmove(&block->at[at + 1], &block->at[at], (size_t)(block->n - at) * sizeof ins);
    block->at[at] = ins;
    block->n++;
}

static int tag_of(int features)
{
    return features & F_TAGS ? below(3) / 2 + (chance(10)) : 0;
}

/* Lines that can end well: messages are sent, then received. */
static void make_lines(struct program *p, int features)
{
    int messages = (features & F_DENSE ? 4 : 2) + below(p->ranks == 5 ? 4 : 5), made = 0, flying = 0;
    int elsewhere = features & F_DENSE ? 20 : 50, wild = features & F_DENSE ? 90 : 70;
    struct { int from, to, tag, ctx; } fly[16];

    while (made < messages || flying) {
        if (made < messages && (!flying || chance(55))) {
            int from = below(p->ranks), to = chance(elsewhere) ? below(p->ranks) : from == 0;
            struct ins ins = {.kind = SEND, .blocking = true, .big = features & F_SLACK && chance(50)};

            if (to == from && chance(70))
                to = (from + 1) % p->ranks;
            ins.peer = (int8_t)to;
            ins.tag = (int8_t)tag_of(features);
            ins.ctx = features & F_CONTEXTS ? (int8_t)chance(25) : 0;
            ins.sync = features & F_SLACK && chance(25);
            insert(&p->rank[from].at[0], p->rank[from].at[0].n, ins);
            fly[flying].from = from;
            fly[flying].to = to;
            fly[flying].tag = ins.tag;
            fly[flying++].ctx = ins.ctx;
            made++;
        } else {
            int k = below(flying);
            struct block *block = &p->rank[fly[k].to].at[0];
            struct ins ins = {.kind = RECV, .blocking = true, .ctx = (int8_t)fly[k].ctx};

            ins.peer = chance(wild) ? ANY : (int8_t)fly[k].from;
            ins.tag = features & F_TAGS && chance(25) ? ANY : (int8_t)fly[k].tag;
            insert(block, block->n, ins);
            fly[k] = fly[--flying];
        }
    }
}

static void add_collectives(struct program *p, int features)
{
    for (int n = chance(70) ? 1 : 2; n > 0; n--) {
        struct ins ins = {.kind = COLL, .coll = (uint8_t)below(4), .peer = (int8_t)below(p->ranks), .blocking = true,
                          .ctx = features & F_CONTEXTS ? (int8_t)chance(30) : 0};

        for (int r = 0; r < p->ranks; r++) {
            struct block *block = &p->rank[r].at[0];
            int last = 0;

            ins.empty = features & F_EMPTY && chance(50) ? (uint8_t)below(1 << p->ranks) : 0;

            for (int i = 0; i < block->n; i++)
                if (block->at[i].kind == COLL)
                    last = i + 1;
            insert(block, last + below(block->n - last + 1), ins);
        }
    }
}

static void remove_ins(struct block *block, int at);

/* One rank does not call the last collective. */
static void leave_out(struct block *block)
{
    int last = -1;

    for (int i = 0; i < block->n; i++)
        if (block->at[i].kind == COLL)
            last = i;
    if (last >= 0)
        remove_ins(block, last);
}

static bool cuts_round(const struct block *block, int at)
{
    return at > 0 && at < block->n && round_end(block, at) >= 0 &&
           round_end(block, at) - block->at[round_end(block, at)].back < at;
}

/* Some operations do not block; then they are waited for, or polled, somewhere behind. */
static void add_requests(struct block *block, int features)
{
    uint8_t req = 1;

    for (int n = features & F_NULL ? below(3) : 0; n > 0; n--)
        insert(block, below(block->n + 1), (struct ins){.kind = SEND, .null = true, .deniable = features & F_DENIED && chance(60)});
    for (int i = 0; i < block->n && req < 8; i++) {
        struct ins *ins = &block->at[i];

        if (ins->kind > COLL || (!ins->null && !chance(ins->kind == RECV ? 45 : 25)))
            continue;
        ins->blocking = false;
        ins->req = req++;
    }
    for (int i = 0; i < block->n; i++)
        while (block->at[i].null && block->at[i].req == 0)
            remove_ins(block, i);
    for (int i = 0; i < block->n && req < REQS; i++) {
        struct ins *ins = &block->at[i];

        if (ins->kind <= COLL && ins->req == 0)
            ins->req = req++; /* blocking calls need a number, too */
    }
    for (int pass = 0; pass < 3; pass++) {
        struct ins wait = {.kind = WAIT};
        int at = block->n;

        if (pass < 2 && !chance(pass ? 40 : 60))
            continue;
        if (pass < 2)
            at = below(block->n + 1);
        for (int i = 0; i < at; i++)
            if (block->at[i].kind <= COLL && !block->at[i].blocking && wait.listed < LIST && (pass == 2 || chance(60)))
                wait.list[wait.listed++] = block->at[i].req;
        if (!wait.listed || (pass == 2 && chance(10)) || cuts_round(block, at))
            continue;
        if (wait.listed > 1 && chance(50)) {
            uint8_t first = wait.list[0];

            wait.list[0] = wait.list[wait.listed - 1];
            wait.list[wait.listed - 1] = first;
        }
        if (features & F_SELECT && chance(60))
            wait.select = chance(50) ? ONE : SOME;
        if (features & F_POLL && chance(60)) {
            wait.kind = TEST;
            wait.loop = chance(40);
        }
        insert(block, at, wait);
        if (wait.loop && chance(40)) {
            /* A round of two: another test, or a probe. */
            struct ins other = wait;

            other.loop = false;
            if (features & F_PROBE && chance(50))
                other = (struct ins){.kind = IPROBE, .peer = ANY, .tag = 0};
            else
                other.listed = 1;
            insert(block, at, other);
            if (block->n > at + 1 && block->at[at + 1].loop)
                block->at[at + 1].back = 1;
        }
    }
}

/* Some sends are messages of buffered ones, for which nobody waits. */
static void add_lies(struct block *block)
{
    for (int i = 0; i < block->n; i++)
        block->at[i].lies = block->at[i].kind == SEND && !block->at[i].null && !block->at[i].sync && chance(70);
}

/* Those that are common have as many alternatives in all ranks. */
static void add_choices(struct block *block, int commons)
{
    int at = 0;

    for (int i = 0; i < commons; i++) {
        at += below(block->n - at + 1);
        if (!cuts_round(block, at) && chance(90))
            insert(block, at, (struct ins){.kind = CHOOSE, .bound = COMMON, .alternatives = 2});
    }
    for (int n = below(3); n > 0; n--) {
        at = below(block->n + 1);
        if (!cuts_round(block, at))
            insert(block, at, (struct ins){.kind = CHOOSE, .bound = chance(60) ? ONCE : FREE, .alternatives = (uint8_t)(2 + below(2))});
    }
}

static void add_cancels(struct block *block)
{
    for (int i = 0; i < block->n; i++) {
        int at = i + 1 + below(block->n - i);

        if (block->at[i].kind <= RECV && !block->at[i].blocking && chance(30) && !cuts_round(block, at))
            insert(block, at, (struct ins){.kind = CANCEL, .req = block->at[i].req});
    }
}

/* Somewhere behind, not between the polls of a round. */
static int place_behind(const struct block *block, int at)
{
    int place = at + below(block->n - at + 1);

    while (cuts_round(block, place))
        place++;
    return place;
}

/*
 * Receives what the matched probe before `at` takes: at once, or after some other calls; by Mrecv, or by Imrecv
 * and a wait for it; or not at all.
 */
static void add_mrecv(struct block *block, int at, uint8_t req)
{
    struct ins wait = {.kind = WAIT, .listed = 1, .list = {req}};
    int receives = chance(50) ? at : place_behind(block, at);

    if (chance(5))
        return;
    insert(block, receives, (struct ins){.kind = MRECV, .req = req});
    insert(block, chance(70) ? receives + 1 : place_behind(block, receives + 1), wait);
}

static void add_probes(struct block *block, int features)
{
    for (int i = 0; i < block->n; i++) {
        struct ins *recv = &block->at[i], probe = {.peer = recv->peer, .tag = recv->tag, .ctx = recv->ctx};
        uint8_t req = recv->req;

        if (recv->kind != RECV || !chance(40))
            continue;
        probe.kind = features & F_POLL && chance(60) ? IPROBE : PROBE;
        probe.loop = probe.kind == IPROBE && chance(40);
        probe.peer = chance(30) ? ANY : probe.peer;
        if (recv->blocking && (probe.kind == PROBE || probe.loop) && req && chance(40)) {
            probe.take = true;
            probe.req = req;
            *recv = probe;
            add_mrecv(block, i + 1, req);
            continue;
        }
        insert(block, i++, probe);
    }
}

static int add_block(struct program *p, int r, const struct ins *at, int n)
{
    int b = p->rank[r].blocks++;
    struct block *block = &p->rank[r].at[b];

    memset(block, 0, sizeof *block);
    block->child[0] = block->child[1] = -1;
    block->n = n;
    for (int i = 0; i < n; i++)
        block->at[i] = at[i];
    return b;
}

static void mutate(struct program *p, int r, struct block *block)
{
    struct ins *ins = &block->at[below(block->n)];

    if (ins->kind == SEND) {
        ins->peer = (int8_t)((r + 1 + below(p->ranks - 1)) % p->ranks);
    } else if (ins->kind == RECV) {
        ins->peer = chance(60) ? ANY : (int8_t)((r + 1 + below(p->ranks - 1)) % p->ranks);
    } else if (ins->kind == WAIT && ins->listed > 1) {
        ins->listed--;
    }
}

/* Splits a block: what follows has two versions. */
static void split(struct program *p, int r, int b)
{
    struct block *block = &p->rank[r].at[b];
    struct ins rest[INS];
    int at, n, first, second;

    if (p->rank[r].blocks + 2 > BLOCKS || block->n < 2)
        return;
    at = 1 + below(block->n - 1);
    n = block->n - at;
    if (cuts_round(block, at))
        return;
    memcpy(rest, &block->at[at], (size_t)n * sizeof *rest);
    memset(&block->at[at], 0, (size_t)n * sizeof *rest);
    block->n = at;
    first = add_block(p, r, rest, n);
    second = add_block(p, r, rest, n);
    mutate(p, r, &p->rank[r].at[second]);
    block->child[0] = first;
    block->child[1] = second;
    if (chance(40))
        split(p, r, first);
}

static struct program make(int features)
{
    struct program p;
    int all = features;

    memset(&p, 0, sizeof p);
    for (int bit = F_TAGS; bit < F_ALL; bit <<= 1)
        if (chance(35))
            features &= ~bit;
    p.ranks = 3 + below(3) * below(2);
    p.slack = !(features & F_SLACK) || chance(30) ? SLACK_INFINITE : chance(50) ? 4 : SLACK_ZERO;
    p.any = features & F_ANY;
    p.slack = p.any ? SLACK_INFINITE : p.slack;
    p.goes_on = p.any && chance(50);
    p.data = features & F_DATA;
    p.step = features & F_STEP && (all == F_STEP || chance(30));
    p.room = features & F_BUFFER ? (uint8_t)(2 + below(12)) : 0;
    for (int r = 0; r < p.ranks; r++)
        add_block(&p, r, NULL, 0);
    make_lines(&p, features);
    if (features & F_COLL)
        add_collectives(&p, features);
    if (features & F_ABSENT && chance(25))
        leave_out(&p.rank[below(p.ranks)].at[0]);
    int commons = features & F_CHOOSE ? below(3) : 0;
    for (int r = 0; r < p.ranks; r++) {
        uint8_t req = 0;

        if (features & (F_PENDING | F_SELECT | F_POLL))
            add_requests(&p.rank[r].at[0], features);
        else
            for (int i = 0; i < p.rank[r].at[0].n; i++)
                p.rank[r].at[0].at[i].req = ++req;
        if (features & F_BUFFER)
            add_lies(&p.rank[r].at[0]);
        if (features & F_CANCEL)
            add_cancels(&p.rank[r].at[0]);
        if (features & F_PROBE)
            add_probes(&p.rank[r].at[0], features);
        if (features & F_CHOOSE)
            add_choices(&p.rank[r].at[0], commons);
        if (features & F_BRANCH && chance(50))
            split(&p, r, 0);
        if (features & F_ENDS && chance(10)) {
            struct block *block = &p.rank[r].at[below(p.rank[r].blocks)];

            insert(block, block->n, (struct ins){.kind = ABORT});
        }
    }
    return p;
}

/* ---- shrinking ---- */

static bool fails(const struct program *p)
{
    enumerate(p);
    if (too_many)
        return false;
    explore(p, NULL);
    return !mismatch && (!agree() || blame(p));
}

static void remove_ins(struct block *block, int at)
{
    for (int i = at; i < block->n; i++)
        if (block->at[i].loop && i - block->at[i].back <= at && i != at && block->at[i].back)
            block->at[i].back--;
    if (block->at[at].loop && block->at[at].back) {
        block->at[at - 1].loop = true;
        block->at[at - 1].back = block->at[at].back - 1;
    }
    memmove(&block->at[at], &block->at[at + 1], (size_t)(block->n - at - 1) * sizeof *block->at);
    memset(&block->at[--block->n], 0, sizeof *block->at);
}

static bool try(struct program *p, const struct program *smaller)
{
    if (!fails(smaller))
        return false;
    *p = *smaller;
    return true;
}

static bool shrink_once(struct program *p)
{
    struct program q;

    for (int r = 0; r < p->ranks; r++)
        for (int b = 0; b < p->rank[r].blocks; b++) {
            for (int c = 0; c < 2; c++) {
                q = *p;
                if (q.rank[r].at[b].child[c] != q.rank[r].at[b].child[!c]) {
                    q.rank[r].at[b].child[c] = q.rank[r].at[b].child[!c];
                    if (try(p, &q))
                        return true;
                }
            }
            for (int i = 0; i < p->rank[r].at[b].n; i++) {
                q = *p;
                remove_ins(&q.rank[r].at[b], i);
                if (try(p, &q))
                    return true;
                q = *p;
                if (q.rank[r].at[b].at[i].listed > 1) {
                    q.rank[r].at[b].at[i].listed--;
                    if (try(p, &q))
                        return true;
                }
            }
        }
    q = *p;
    q.step = q.data = false;
    return (p->data || p->step) && try(p, &q);
}

static bool agrees_with(const struct program *p, const struct reduction *reduction)
{
    explore(p, reduction);
    return agree();
}

static void report(struct program p, uint64_t seed)
{
    struct explore_result full;
    const char *wrong;

    while (shrink_once(&p))
        ;
    printf("seed %llu differs; shrunk:\n", (unsigned long long)seed);
    print_program(&p);
    enumerate(&p);
    explore(&p, NULL);
    wrong = agree() ? blame(&p) : NULL;
    if (wrong)
        printf("%s\n", wrong);
    enumerate(&p);
    if (p.room)
        printf("room for %d; overflows: enumerated %d, explored %d\n", p.room, overflows, found_overflows);
    printf("enumerated: %zu ends, %zu stuck; explored: %zu ends, %zu stuck", truth.n, truth.stuck, found.n,
           found.stuck);
    full = explore(&p, &reduction_none);
    printf("; unreduced: %llu ends, %s\n", (unsigned long long)full.runs, agree() ? "right" : "wrong");
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    long count = argc > 2 ? atol(argv[2]) : 1000, passed = 0, failed = 0, skipped = 0, several = 0;
    int features = argc > 3 ? (int)strtol(argv[3], NULL, 0) : F_ALL;
    unsigned long long outcomes = 0, stuck = 0, brute_states = 0, full_states = 0, states = 0, segments = 0, again = 0,
                       whole = 0, spins = 0, duplicate = 0, told_slack_deadlocks = 0, slack_programs = 0, mixed = 0,
                       overfull = 0;
    double searching = 0;

    if (argc > 4)
        most_states = strtoull(argv[4], NULL, 10);
    for (uint64_t seed = first; seed < first + (uint64_t)count && failed < 5; seed++) {
        struct program p;
        struct explore_result result;
        struct timespec t0, t1;

        rng = seed * 0x9e3779b97f4a7c15 + 1;
        for (int i = 0; i < 8; i++)
            below(2);
        p = make(features);
        enumerate(&p);
        if (too_many) {
            skipped++;
            continue;
        }
        full_states += explore(&p, &reduction_none).states;
        if (!agree()) {
            failed++;
            printf("unreduced already: ");
            report(p, seed);
            continue;
        }
        if (seed % 4 == 0 && !agrees_with(&p, &reduction_first_point)) {
            failed++;
            printf("with the first point: ");
            report(p, seed);
            continue;
        }
        clock_gettime(CLOCK_MONOTONIC, &t0);
        result = explore(&p, NULL);
        clock_gettime(CLOCK_MONOTONIC, &t1);
        if (!replays(&p)) {
            failed++;
            printf("seed %llu: the last run cannot be replayed\n", (unsigned long long)seed);
            print_program(&p);
            continue;
        }
        searching += (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-9;
        if (!agree()) {
            failed++;
            report(p, seed);
            continue;
        }
        passed++;
        several += truth.n > 1;
        outcomes += truth.n;
        stuck += truth.stuck;
        overfull += overflows;
        brute_states += visited_n;
        states += result.states;
        segments += result.segments;
        again += result.again;
        whole += result.whole;
        spins += result.spins;
        duplicate += found.n - truth.n;
        told_slack_deadlocks += result.slack_deadlocks;
        slack_programs += result.slack_deadlocks > 0;
        if (blame(&p)) {
            passed--;
            failed++;
            report(p, seed);
        } else if (result.slack_deadlocks) {
            mixed += only_mixed_sticks(&p);
        }
    }
    printf("%ld programs (%ld with several ends, %ld too large), %llu ends, %llu stuck, redundancy %.3f\n", passed,
           several, skipped, outcomes, stuck, outcomes ? (double)(outcomes + duplicate) / (double)outcomes : 1);
    printf("states: %llu enumerated, %llu at rest, %llu visited (%llu whole, %llu again), %llu segments, %llu merged, %llu likened, "
           "%llu spins, %.0f states/s\n",
           brute_states, full_states, states, whole, again, segments, (unsigned long long)merged, (unsigned long long)likened, spins,
           searching > 0 ? (double)states / searching : 0);
    if (features & F_ANY)
        printf(
            "%llu programs have %llu slack_deadlocks; %llu get stuck only if some sends are buffered and others not; "
            "%llu causes take a collective that waits in some members only\n",
            slack_programs, told_slack_deadlocks, mixed, (unsigned long long)mixed_slack_deadlocks);
    if (features & F_ANY)
        printf("%llu states from where less slack does no harm\n", (unsigned long long)unfollowed);
    if (bounded)
        printf("%llu programs within bounds, %llu ends\n", (unsigned long long)bounded, (unsigned long long)within_bounds);
    if (given_up)
        printf("%llu programs again with ranks that give up polling\n", (unsigned long long)given_up);
    if (features & F_BUFFER)
        printf("%llu programs can find their attached buffer full\n", overfull);
    printf("%ld passed, %ld failed\n", passed, failed);
    free(truth.at);
    free(found.at);
    free(visited);
    free(interp.at);
    free(interp.turns);
    free(interp.bytes);
    return failed != 0;
}
