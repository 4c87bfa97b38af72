/*
 * predict_brute -- prediction against brute force, on random programs.
 *
 * A program is, for each rank, a list of calls whose answers are fixed where the
 * control flow would depend on them.  The judge knows the rules M1 to M9 in their
 * plainest form: it visits every state that any order of matches leads to, with every
 * choice of what is buffered and of which collectives wait for all, and looks for one where nothing moves.
 *
 * Asked of every program: is there a deadlock with buffering any, infinite, zero and
 * eager?  For any, is it one with exactly the buffering that the prediction names?
 * And programs made from formulas ([Forejt 2017], section 3): is there a
 * deadlock iff the formula can be satisfied?
 *
 * Where no answer is fixed: which send can meet which receive?
 *
 * The explorer is asked as well: a deadlock that is predicted must come about when it
 * is tried; and where no answer is fixed, it must find one iff there is one.
 *
 * usage: predict_brute SEED PROGRAMS [FEATURES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/map.h"
#include "base/hash.h"
#include "oracle/witness.h"
#include "predict/predict.h"

enum { RANKS = 4, LENGTH = 24, ALL = RANKS * LENGTH };

enum { INTER = 3 }; /* the context of the intercommunicator */

enum call { SEND, RECV, WAIT, WAITANY, TEST, COLL, PROBE, IPROBE, CANCEL, LATE_CANCEL, MRECV, DONE };

struct call_of {
    enum call call;
    bool blocking;
    int peer, tag, context; /* peer: -1 for any; tag: -1 for any */
    enum send_mode mode;
    int bytes;
    int turn;              /* collective */
    unsigned needs;        /* collective: ranks */
    unsigned list, answer; /* completion: operations of this rank, and those it completes; cancel, mrecv: one */
    int told_from, told_tag;
    bool takes, polls;     /* receive: a matched probe; one that may say no, but did not */
};

struct random_program {
    int ranks;
    int split; /* the first group of the intercommunicator */
    int length[RANKS];
    struct call_of call[RANKS][LENGTH];
};

/* ---- the features a run of this judge uses ---- */

enum {
    WITH_TAGS = 1,
    WITH_CONTEXTS = 2,
    WITH_MODES = 4,
    WITH_COLLECTIVES = 8,
    WITH_FLOW = 16,
    WITH_NONBLOCKING = 32,
    WITH_WAITANY = 64,
    WITH_TEST = 128,
    WITH_PROBE = 256,
    WITH_CANCEL = 512,
    WITH_ANY_TAG = 1024,
    WITH_NBC = 2048,
    WITH_WAITALL = 4096,
    WITH_MPROBE = 8192,
    WITH_INTER = 16384,
    WITH_DONE = 32768, /* requests that need nobody (D7) */
    WITH_EVERYTHING = 65535,
    WITH_FIXED = WITH_WAITANY | WITH_TEST | WITH_PROBE | WITH_CANCEL, /* answers that the explorer would not fix */
    WITH_PUBLISHED =
        WITH_TAGS | WITH_CONTEXTS | WITH_COLLECTIVES | WITH_FLOW /* what the published formulas are exact for */
};

static uint64_t seed;

static unsigned draw(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 11) % below);
}

static bool chance(unsigned percent)
{
    return draw(100) < percent;
}

/* ---- brute force ---- */

enum buffers { NEVER, ALWAYS, EITHER };

struct judge {
    const struct random_program *program;
    enum buffers buffers[RANKS][LENGTH]; /* sends; collectives: loose */
    struct map seen;
    bool deadlock;
    bool exhaustive; /* does not stop at a deadlock, and notes */
    bool met[RANKS][LENGTH][RANKS][LENGTH]; /* which send was taken by which receive */
    unsigned states;
};

struct position {
    signed char at[RANKS];
    signed char partner_rank[RANKS][LENGTH], partner[RANKS][LENGTH]; /* -1: none */
    signed char escaped[RANKS][LENGTH]; /* 1: a cancel of it failed though it was unmatched */
};

static const struct call_of *call_at(const struct judge *j, int r, int i)
{
    return &j->program->call[r][i];
}

static bool is_posted(const struct position *s, int r, int i)
{
    return i <= s->at[r];
}

static bool is_matched(const struct position *s, int r, int i)
{
    return s->partner[r][i] >= 0;
}

static int cancel_of(const struct judge *j, int r, int i)
{
    for (int k = i + 1; k < j->program->length[r]; k++)
        if (call_at(j, r, k)->call == CANCEL && call_at(j, r, k)->list == 1u << i)
            return k;
    return -1;
}

static bool is_withdrawn(const struct judge *j, const struct position *s, int r, int i)
{
    int cancel = cancel_of(j, r, i);
    return cancel >= 0 && s->at[r] > cancel;
}

static bool is_pending(const struct judge *j, const struct position *s, int r, int i)
{
    return is_posted(s, r, i) && !is_matched(s, r, i) && !is_withdrawn(j, s, r, i);
}

static bool fits(const struct judge *j, int q, int i, int r, int k)
{
    const struct call_of *send = call_at(j, q, i), *recv = call_at(j, r, k);
    return send->peer == r && send->context == recv->context && (recv->peer == -1 || recv->peer == q) &&
           (recv->tag == -1 || recv->tag == send->tag);
}

/* A receive, or a matched probe, which is one. */
static bool is_recv(const struct judge *j, int r, int i)
{
    return call_at(j, r, i)->call == RECV;
}

/* May receive or probe (r, k) meet send (q, i) now? */
static bool is_eligible(const struct judge *j, const struct position *s, int q, int i, int r, int k)
{
    if (call_at(j, q, i)->call != SEND || !is_pending(j, s, q, i) || !fits(j, q, i, r, k))
        return false;
    for (int b = 0; b < i; b++)
        if (call_at(j, q, b)->call == SEND && is_pending(j, s, q, b) && fits(j, q, b, r, k))
            return false;
    for (int b = 0; b < k; b++)
        if (is_recv(j, r, b) && is_pending(j, s, r, b) && fits(j, q, i, r, b))
            return false;
    return true;
}

static bool all_joined(const struct judge *j, const struct position *s, const struct call_of *coll, unsigned ranks)
{
    for (int q = 0; q < j->program->ranks; q++) {
        bool joined = false;
        for (int i = 0; i < j->program->length[q]; i++)
            joined = joined || (is_posted(s, q, i) && call_at(j, q, i)->call == COLL &&
                                call_at(j, q, i)->turn == coll->turn && call_at(j, q, i)->context == coll->context);
        if (ranks & 1u << q && !joined)
            return false;
    }
    return true;
}

/* What a matched probe took is received, if that was called. */
static bool is_kept(const struct judge *j, const struct position *s, int r, int i)
{
    for (int k = i + 1; k < j->program->length[r]; k++)
        if (is_posted(s, r, k) && call_at(j, r, k)->call == MRECV && call_at(j, r, k)->list == 1u << i)
            return false;
    return call_at(j, r, i)->takes;
}

static bool is_loose(const struct judge *j, int r, int i, bool free_choice)
{
    return j->buffers[r][i] == ALWAYS || (j->buffers[r][i] == EITHER && free_choice);
}

static bool is_buffered(const struct judge *j, int r, int i, bool free_choice)
{
    const struct call_of *c = call_at(j, r, i);
    return c->call == SEND &&
           (c->mode == SEND_BUFFERED || (c->mode != SEND_SYNCHRONOUS && is_loose(j, r, i, free_choice)));
}

/* M6; what is free counts as `free_choice`. */
static bool is_complete(const struct judge *j, const struct position *s, int r, int i, bool free_choice)
{
    const struct call_of *c = call_at(j, r, i);
    bool loose = is_loose(j, r, i, free_choice);
    if (is_withdrawn(j, s, r, i) || s->escaped[r][i] > 0 || c->call == DONE)
        return true;
    if (c->call == SEND)
        return (is_matched(s, r, i) && !is_kept(j, s, s->partner_rank[r][i], s->partner[r][i])) ||
               is_buffered(j, r, i, free_choice);
    if (c->call == RECV)
        return is_matched(s, r, i); /* of a matched probe, the call itself */
    return all_joined(j, s, c, c->needs) && (loose || all_joined(j, s, c, (1u << j->program->ranks) - 1));
}

static bool finds(const struct judge *j, const struct position *s, int r, int i, bool as_told)
{
    const struct call_of *c = call_at(j, r, i);
    for (int q = 0; q < j->program->ranks; q++)
        for (int k = 0; k < j->program->length[q]; k++)
            if (is_eligible(j, s, q, k, r, i) &&
                (!as_told || (q == c->told_from && call_at(j, q, k)->tag == c->told_tag)))
                return true;
    return false;
}

/* May this call return as it did? */
static bool returns(const struct judge *j, const struct position *s, int r, int i, bool free_choice)
{
    const struct call_of *c = call_at(j, r, i);
    if (c->call == LATE_CANCEL)
        return is_matched(s, r, __builtin_ctz(c->list)) || is_buffered(j, r, __builtin_ctz(c->list), free_choice);
    if (c->call == PROBE || c->call == IPROBE)
        return finds(j, s, r, i, true);
    if (c->call == WAIT || c->call == WAITANY || c->call == TEST) {
        for (int k = 0; k < i; k++)
            if (c->answer & 1u << k && !is_complete(j, s, r, k, free_choice))
                return false;
        return true;
    }
    return c->call == CANCEL || c->call == MRECV || !c->blocking || is_complete(j, s, r, i, free_choice);
}

/* Could it return in any way? */
static bool could_return(const struct judge *j, const struct position *s, int r, int i)
{
    const struct call_of *c = call_at(j, r, i);
    if (c->call == TEST || c->call == IPROBE || c->call == LATE_CANCEL || c->polls)
        return true;
    if (c->call == PROBE)
        return finds(j, s, r, i, false);
    if (c->call == WAITANY)
        for (int k = 0; k < i; k++)
            if (c->list & 1u << k && is_complete(j, s, r, k, false))
                return true;
    return returns(j, s, r, i, false);
}

static bool was_seen(struct judge *j, const struct position *s)
{
    struct map_key sum = HASH_START;
    uint32_t known;
    for (size_t i = 0; i < sizeof *s; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)s + i, sizeof *s - i < 8 ? sizeof *s - i : 8);
        hash_stir(&sum, word);
    }
    if (map_get(&j->seen, sum, &known))
        return true;
    map_put(&j->seen, sum, 1);
    return false;
}

/* The call of the rank returns.  A cancel that failed though its send is unmatched says that this is buffered (D5). */
static void pass(const struct judge *j, struct position *s, int r)
{
    const struct call_of *c = call_at(j, r, s->at[r]++);
    if (c->call == LATE_CANCEL && !is_matched(s, r, __builtin_ctz(c->list)))
        s->escaped[r][__builtin_ctz(c->list)] = 1;
}

static void visit(struct judge *j, struct position s)
{
    int ranks = j->program->ranks;
    bool moves = false, stuck = false;
    if ((j->deadlock && !j->exhaustive) || was_seen(j, &s))
        return;
    j->states++;
    for (int r = 0; r < ranks; r++)
        if (s.at[r] < j->program->length[r] && returns(j, &s, r, s.at[r], false)) {
            pass(j, &s, r);
            visit(j, s); /* what may return stays so: nothing is lost by doing it first */
            return;
        }
    for (int r = 0; r < ranks; r++)
        for (int k = 0; k < j->program->length[r]; k++)
            for (int q = 0; is_recv(j, r, k) && is_pending(j, &s, r, k) && q < ranks; q++)
                for (int i = 0; i < j->program->length[q]; i++)
                    if (is_eligible(j, &s, q, i, r, k)) {
                        struct position next = s;
                        moves = true;
                        if (cancel_of(j, r, k) >= 0 || cancel_of(j, q, i) >= 0)
                            continue; /* it was cancelled: runs in which it is not are others */
                        next.partner_rank[r][k] = (signed char)q;
                        next.partner[r][k] = (signed char)i;
                        next.partner_rank[q][i] = (signed char)r;
                        next.partner[q][i] = (signed char)k;
                        j->met[q][i][r][k] = true;
                        visit(j, next);
                    }
    for (int r = 0; r < ranks; r++) {
        if (s.at[r] >= j->program->length[r])
            continue;
        stuck = true;
        moves = moves || could_return(j, &s, r, s.at[r]);
        if (returns(j, &s, r, s.at[r], true)) {
            struct position next = s;
            pass(j, &next, r);
            visit(j, next);
        }
    }
    if (stuck && !moves)
        j->deadlock = true;
}

static bool can_deadlock(struct judge *j)
{
    struct position s;
    memset(&s, -1, sizeof s);
    memset(s.at, 0, sizeof s.at);
    j->deadlock = false;
    visit(j, s);
    map_release(&j->seen);
    j->seen = (struct map){0};
    return j->deadlock;
}

/* ---- random programs, from a run that ends well ---- */

struct flight {
    int from, to, tag, context;
};

static void append(struct random_program *p, int r, struct call_of c)
{
    if (p->length[r] < LENGTH)
        p->call[r][p->length[r]++] = c;
}

static enum send_mode some_mode(unsigned features)
{
    return !(features & WITH_MODES) || chance(70) ? SEND_STANDARD
           : chance(50)                           ? SEND_SYNCHRONOUS
           : chance(50)                           ? SEND_BUFFERED
                                                  : SEND_READY;
}

/* All ranks, or those of the group that a rank of an intercommunicator talks to. */
static unsigned partners(const struct random_program *p, int r, bool inter)
{
    unsigned all = (1u << p->ranks) - 1, first = (1u << p->split) - 1;
    return !inter ? all : r < p->split ? all & ~first : first;
}

static void add_collective(struct random_program *p, unsigned features, bool inter, int turn)
{
    int kind = features & WITH_FLOW ? (int)draw(inter ? 3 : 4) : 0, root = (int)draw((unsigned)p->ranks);
    for (int r = 0; r < p->ranks; r++) {
        unsigned all = partners(p, r, inter), of_root = all & 1u << root;
        unsigned needs = kind == 0   ? all
                         : kind == 1 ? (r == root ? 0 : of_root)
                         : kind == 2 ? (r == root ? all : 0)
                                     : (1u << (r + 1)) - 1;
        if (features & WITH_FLOW && chance(25))
            needs &= draw(1u << p->ranks); /* the others bring it nothing */
        if (chance(2))
            continue; /* forgets it */
        append(p, r,
               (struct call_of){.call = COLL,
                                .blocking = !(features & WITH_NBC) || chance(60),
                                .turn = turn,
                                .context = inter ? INTER : 1,
                                .needs = needs});
    }
}

static void add_completion(struct random_program *p, int r, unsigned features, unsigned *open, int at)
{
    struct call_of c = {.call = WAIT, .blocking = true};
    for (int i = 0; i < at; i++)
        if (*open & 1u << i && (c.list == 0 || ((features & (WITH_WAITALL | WITH_WAITANY | WITH_TEST)) && chance(50))))
            c.list |= 1u << i;
    c.answer = c.list;
    if (features & WITH_WAITANY && chance(30)) {
        c.call = WAITANY;
        c.answer = 0;
        for (int i = 0; i < at; i++)
            if (c.list & 1u << i && (c.answer == 0 ? chance(60) || c.list >> (i + 1) == 0 : chance(20)))
                c.answer |= 1u << i;
    } else if (features & WITH_TEST && chance(20)) {
        c.call = TEST;
    }
    if (c.call == WAIT && (c.list & (c.list - 1)) == 0 && features & WITH_CANCEL && chance(15) &&
        p->call[r][__builtin_ctz(c.list)].call <= RECV && !p->call[r][__builtin_ctz(c.list)].takes &&
        (!(features & WITH_PROBE) || p->call[r][__builtin_ctz(c.list)].call == RECV)) { /* see program.h */
        struct call_of cancel = c;
        cancel.call = chance(50) ? CANCEL : LATE_CANCEL;
        append(p, r, cancel);
    }
    *open &= ~c.answer;
    append(p, r, c);
}

/* Receives some of what matched probes have taken; all of it, but for a few, when the rank has nothing else to do. */
static void add_mrecvs(struct random_program *p, int r, unsigned features, unsigned *held, unsigned *open, bool last)
{
    for (int i = 0; i < LENGTH; i++) {
        if (!(*held & 1u << i) || !chance(last ? 95 : 60) || p->length[r] == LENGTH)
            continue;
        append(p, r, (struct call_of){.call = MRECV, .list = 1u << i});
        *held &= ~(1u << i);
        if (features & WITH_NONBLOCKING && chance(40))
            *open |= 1u << i; /* it is waited for */
    }
}

/* Completions between the calls, in any order, and for all that is left at the end. */
static void add_completions(struct random_program *p, int r, unsigned features)
{
    struct random_program old = *p;
    unsigned open = 0, held = 0;
    p->length[r] = 0;
    for (int i = 0; i < old.length[r]; i++) {
        struct call_of c = old.call[r][i];
        if (c.call == RECV && features & WITH_PROBE && chance(15)) {
            struct call_of probe = c;
            probe.call = chance(70) ? PROBE : IPROBE;
            probe.told_from = c.peer == -1 ? (int)draw((unsigned)p->ranks) : c.peer;
            probe.told_tag = c.tag == -1 ? (int)draw(2) : c.tag;
            append(p, r, probe);
            if (chance(50)) { /* what was seen is received by name */
                c.peer = probe.told_from;
                c.tag = probe.told_tag;
            }
        }
        if (c.call == RECV && c.blocking && features & WITH_MPROBE && chance(30)) {
            c.takes = true;
            c.polls = features & WITH_PROBE && chance(30);
            held |= 1u << p->length[r];
        }
        if ((c.call == SEND || c.call == RECV || c.call == COLL) && !c.blocking)
            open |= 1u << p->length[r];
        append(p, r, c);
        add_mrecvs(p, r, features, &held, &open, false);
        if (features & WITH_DONE && chance(15) && p->length[r] < LENGTH) {
            open |= 1u << p->length[r];
            append(p, r, (struct call_of){.call = DONE});
        }
        if (open && chance(35))
            add_completion(p, r, features, &open, p->length[r]);
    }
    add_mrecvs(p, r, features, &held, &open, true);
    while (open && !chance(10) && p->length[r] < LENGTH)
        add_completion(p, r, features, &open, p->length[r]);
}

static void random_program(struct random_program *p, unsigned features)
{
    *p = (struct random_program){.ranks = 2 + (int)draw(RANKS - 1)};
    p->split = 1 + (int)draw((unsigned)p->ranks - 1);
    struct flight flight[8];
    int messages = 2 + (int)draw(5), made = 0, flying = 0, turns = 0, inter_turns = 0;
    unsigned blocking = features & WITH_NONBLOCKING ? 60 : 100;
    while (made < messages || flying > 0) {
        if (features & WITH_COLLECTIVES && turns < 2 && chance(8))
            add_collective(p, features, false, turns++);
        if (features & WITH_COLLECTIVES && features & WITH_INTER && inter_turns < 2 && chance(8))
            add_collective(p, features, true, inter_turns++);
        if (made < messages && (flying == 0 || chance(50))) {
            struct flight f = {.from = (int)draw((unsigned)p->ranks),
                               .tag = features & WITH_TAGS ? (int)draw(5) / 4 : 0,
                               .context = features & WITH_CONTEXTS ? 1 + (int)draw(5) / 4 : 1};
            f.to = chance(5) ? f.from : (f.from + 1 + (int)draw((unsigned)p->ranks - 1)) % p->ranks;
            if (features & WITH_INTER && (f.from < p->split) != (f.to < p->split) && chance(40))
                f.context = INTER;
            append(p, f.from,
                   (struct call_of){.call = SEND,
                                    .blocking = chance(blocking),
                                    .peer = f.to,
                                    .tag = f.tag,
                                    .context = f.context,
                                    .mode = some_mode(features),
                                    .bytes = (int)draw(2)});
            flight[flying++] = f;
            made++;
        } else {
            int k = (int)draw((unsigned)flying);
            struct flight f = flight[k];
            flight[k] = flight[--flying];
            append(p, f.to,
                   (struct call_of){.call = RECV,
                                    .blocking = chance(blocking),
                                    .peer = chance(60) ? -1 : f.from,
                                    .tag = features & WITH_ANY_TAG && chance(30) ? -1 : f.tag,
                                    .context = f.context});
        }
    }
    for (int r = 0; r < p->ranks; r++)
        add_completions(p, r, features);
}

static void print_program(const struct random_program *p)
{
    static const char *const name[] = {"send", "recv",  "wait",   "waitany", "test",
                                       "coll", "probe", "iprobe", "cancel",  "late", "mrecv", "done"};
    for (int r = 0; r < p->ranks; r++) {
        printf("rank %d:", r);
        for (int i = 0; i < p->length[r]; i++) {
            const struct call_of *c = &p->call[r][i];
            printf(" %d:%s%s%s", i, c->takes ? c->polls ? "improbe-" : "mprobe-" : "", c->blocking ? "" : "i",
                   name[c->call]);
            if (c->call == COLL)
                printf("(%d needs %x)", c->turn, c->needs);
            else if (c->call == SEND || c->call == RECV || c->call == PROBE || c->call == IPROBE)
                printf("(%d,%d,%d m%d b%d)", c->peer, c->tag, c->context, c->mode, c->bytes);
            else
                printf("(%x->%x)", c->list, c->answer);
            if (c->call == PROBE || c->call == IPROBE)
                printf("=%d,%d", c->told_from, c->told_tag);
        }
        printf("\n");
    }
}

/* ---- the same as an execution ---- */

static void add_op(struct execution *e, rank_t r, struct op op, const void *tail, size_t n)
{
    char memory[sizeof op + 256] = {0};
    op.size = (uint32_t)(sizeof op + op_round(n));
    memcpy(memory, &op, sizeof op);
    if (n > 0)
        memcpy(memory + sizeof op, tail, n);
    execution_add(e, r, (const struct op *)memory);
}

static void add_contexts(struct execution *e, int r, int contexts, int split)
{
    char memory[sizeof(struct op_group) + 64 * sizeof(rank_t)];
    struct op_group *group = (struct op_group *)memory;
    *group = (struct op_group){.members = (uint32_t)e->ranks, .first_group = (uint32_t)e->ranks};
    for (int i = 0; i < e->ranks; i++)
        group->member[i] = i;
    for (int i = 1; i <= contexts; i++) {
        if (i == INTER)
            group->first_group = (uint32_t)split;
        add_op(e, r, (struct op){.kind = OP_CONTEXT, .context = (context_t)i}, group,
               sizeof *group + (size_t)e->ranks * sizeof(rank_t));
    }
}

static void add_call(struct execution *e, const struct random_program *p, int r, int i)
{
    static const uint32_t modes[] = {0, OPF_BUFFERED, OPF_SYNCHRONOUS, OPF_READY};
    const struct call_of *c = &p->call[r][i];
    uint32_t list[LENGTH], answer[LENGTH], n = 0, answers = 0, index = (uint32_t)e->rank[r].op.n;
    struct op op = {.request = (uint32_t)i + 1,
                    .peer = c->peer,
                    .tag = c->tag,
                    .context = (context_t)c->context,
                    .flags = c->blocking ? OPF_BLOCKING : 0,
                    .bytes = (uint64_t)c->bytes};
    for (uint32_t k = 0; k < LENGTH; k++) {
        if (c->list & 1u << k)
            list[n++] = k + 1;
        if (c->answer & 1u << k)
            answer[answers++] = k + 1;
    }
    switch (c->call) {
    case SEND:
        op.kind = OP_SEND;
        op.flags |= modes[c->mode];
        break;
    case RECV:
        op.kind = !c->takes ? OP_RECV : c->polls ? OP_IPROBE : OP_PROBE;
        op.flags = c->takes ? OPF_TAKE : op.flags;
        break;
    case COLL: {
        struct {
            struct op_coll coll;
            uint32_t listed[RANKS];
        } tail = {0};
        for (uint32_t q = 0; q < RANKS; q++)
            if (c->needs & 1u << q)
                tail.listed[tail.coll.listed++] = q;
        if ((c->needs & (c->needs + 1)) == 0)
            tail.coll = (struct op_coll){.until = (uint32_t)__builtin_popcount(c->needs)};
        op.kind = OP_COLL;
        op.tag = c->turn;
        op.peer = RANK_NONE;
        add_op(e, r, op, &tail, sizeof tail);
        return;
    }
    case PROBE:
    case IPROBE:
        op.kind = c->call == PROBE ? OP_PROBE : OP_IPROBE;
        op.request = 0;
        break;
    case DONE:
        op.kind = OP_DONE;
        op.peer = RANK_NONE;
        op.flags = OPF_WENT_ON;
        break;
    case MRECV:
        op.kind = OP_TAKEN;
        op.request = list[0];
        op.flags = OPF_WENT_ON;
        break;
    case CANCEL:
    case LATE_CANCEL:
        op.kind = OP_CANCEL;
        op.request = list[0];
        add_op(e, r, op, NULL, 0);
        if (c->call == LATE_CANCEL)
            for (size_t k = 0; k < e->rank[r].op.n; k++)
                if (e->rank[r].op.at[k].op->request == list[0] && e->rank[r].op.at[k].op->kind != OP_CANCEL)
                    execution_match(e, r, (uint32_t)k);
        return;
    default:
        op.kind = c->call == TEST ? OP_TEST : OP_WAIT;
        op.request = 0;
        op.items = n;
        op.flags = c->call == WAITANY ? OPF_SOME : 0;
        add_op(e, r, op, list, n * sizeof *list);
        execution_return(e, r, index, true, answer, answers, RANK_NONE, 0);
        return;
    }
    add_op(e, r, op, NULL, 0);
    if (c->call == PROBE || c->call == IPROBE || c->takes)
        execution_return(e, r, index, true, NULL, 0, c->told_from, c->told_tag);
}

static void make_execution(struct execution *e, const struct random_program *p)
{
    execution_init(e, p->ranks);
    for (int r = 0; r < p->ranks; r++) {
        add_contexts(e, r, INTER, p->split);
        for (int i = 0; i < p->length[r]; i++)
            add_call(e, p, r, i);
        e->rank[r].ended = true;
    }
}

/* ---- comparing ---- */

static unsigned failed, deadlocks, mixed, circles, compared, explored, tried, queries;

static void disagree(const struct random_program *p, const char *what, bool predicted, bool truth)
{
    failed++;
    printf("%s: predicted %s, truth %s\n", what, predicted ? "deadlock" : "none", truth ? "deadlock" : "none");
    print_program(p);
    exit(1);
}

static void set_buffers(struct judge *j, enum buffers sends, enum buffers collectives)
{
    for (int r = 0; r < j->program->ranks; r++)
        for (int i = 0; i < j->program->length[r]; i++)
            j->buffers[r][i] = j->program->call[r][i].call == COLL ? collectives : sends;
}

static struct prediction ask(const struct random_program *p, enum encoding encoding, struct buffering buffering,
                             const struct sat_solver *solver, struct program *program, struct execution *e)
{
    struct prediction_options options = {
        .encoding = encoding, .buffering = buffering, .minimal = true, .solver = solver};
    make_execution(e, p);
    program_init(program, e, encoding != ENCODING_PLAIN);
    return predict(program, &options);
}

static bool is_same_collective(const struct call_of *a, const struct call_of *b)
{
    return a->call == COLL && b->call == COLL && a->turn == b->turn && a->context == b->context;
}

static void set_collective(struct judge *j, const struct call_of *coll, enum buffers buffers)
{
    for (int r = 0; r < j->program->ranks; r++)
        for (int i = 0; i < j->program->length[r]; i++)
            if (is_same_collective(coll, call_at(j, r, i)))
                j->buffers[r][i] = buffers;
}

/* Every rank calls it, on the intercommunicator as well. */
static bool is_called_by_all(const struct random_program *p, const struct call_of *coll)
{
    int callers = 0;
    for (int r = 0; r < p->ranks; r++)
        for (int i = 0; i < p->length[r]; i++)
            callers += is_same_collective(coll, &p->call[r][i]);
    return callers == p->ranks;
}

/*
 * With any choice for each send, and for each collective as a whole: it waits in all its members or in none.  One that
 * somebody never calls waits for nobody but its data.  Those of rank r from i on are still to be chosen.
 */
static bool can_deadlock_whole(struct judge *j, int r, int i)
{
    for (; r < j->program->ranks; r++, i = 0)
        for (; i < j->program->length[r]; i++) {
            const struct call_of *c = call_at(j, r, i);
            if (c->call != COLL || j->buffers[r][i] != EITHER)
                continue;
            set_collective(j, c, ALWAYS);
            bool deadlock = can_deadlock_whole(j, r, i + 1);
            set_collective(j, c, NEVER);
            deadlock = deadlock || (is_called_by_all(j->program, c) && can_deadlock_whole(j, r, i + 1));
            set_collective(j, c, EITHER);
            return deadlock;
        }
    return can_deadlock(j);
}

static bool comes_about(const struct program *, const struct prediction *, uint64_t slack);

static bool is_predicted(const struct random_program *p, enum encoding encoding, struct buffering buffering,
                         unsigned features)
{
    struct program program;
    struct execution e;
    struct prediction got = ask(p, encoding, buffering, NULL, &program, &e);
    bool deadlock = got.verdict == PREDICTED_DEADLOCK;
    circles += got.circles > 0;
    if (got.verdict == PREDICTED_UNKNOWN)
        BUG("no answer: %s", got.why);
    if (deadlock && encoding == ENCODING_OURS && !(features & WITH_CANCEL) &&
        !comes_about(&program, &got, buffering.slack))
        disagree(p, "tried", true, false);
    prediction_release(&got);
    program_release(&program);
    execution_release(&e);
    compared++;
    return deadlock;
}

/* Operations in the execution, from calls here: contexts come first. */
enum { FIRST_CALL = INTER };

/* ---- the explorer, for which ranks do the same whatever they are told ---- */

struct straight {
    const struct execution *execution;
    VEC(uint32_t) next; /* by node: the operation behind it */
    VEC(char) ops;
    uint64_t contents[ALL];
};

static int run_straight(void *data, rank_t r, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct straight *straight = data;
    const struct execution_rank *rank = &straight->execution->rank[r];
    uint32_t at = from ? straight->next.at[from] : 0;
    bool asleep = false;
    (void)ret;
    vec_clear(&straight->ops);
    *segment = (struct segment){.contents = straight->contents};
    for (; at < rank->op.n && !asleep; at++) {
        const struct op *op = rank->op.at[at].op;
        vec_reserve(&straight->ops, op->size);
        memcpy(straight->ops.at + straight->ops.n, op, op->size);
        straight->ops.n += op->size;
        segment->count++;
        asleep = op_wants_answer(op);
    }
    segment->end = asleep ? SEGMENT_CALL : SEGMENT_EXIT;
    segment->ops = (const struct op *)straight->ops.at;
    while (straight->next.n <= to)
        vec_push(&straight->next, 0);
    straight->next.at[to] = at;
    return 0;
}

static enum visit look_for_deadlock(void *data, const struct run *run)
{
    bool *deadlock = data;
    *deadlock = *deadlock || (run->end == RUN_DEADLOCK && !run->mixed);
    return VISIT_GOOD;
}

static void straight_release(struct straight *straight)
{
    vec_release(&straight->next);
    vec_release(&straight->ops);
}

static bool is_explored(const struct random_program *p, struct buffering buffering)
{
    struct execution e;
    struct straight straight = {.execution = &e};
    struct runner runner = {.run = run_straight, .data = &straight};
    struct explore_options options = {
        .ranks = p->ranks, .slack = buffering.any ? SLACK_INFINITE : buffering.slack, .any_slack = buffering.any};
    bool deadlock = false;
    make_execution(&e, p);
    struct explorer *x = explore_new(&runner, &options);
    struct explore_result result = explore_run(x, look_for_deadlock, &deadlock);
    if (result.left)
        BUG("the search was not complete");
    explore_free(x);
    straight_release(&straight);
    execution_release(&e);
    explored++;
    return deadlock;
}

/* Whether the run that is predicted comes about: not so sure only if something is cancelled. */
static bool comes_about(const struct program *program, const struct prediction *got, uint64_t slack)
{
    struct straight straight = {.execution = program->execution};
    struct runner runner = {.run = run_straight, .data = &straight};
    struct explore_options options = {.ranks = program->ranks, .slack = slack};
    struct explorer *x = explore_new(&runner, &options);
    struct witness witness = witness_of(program, got);
    struct tried_run run = witness_run(&witness);
    bool deadlock = false;
    bool ended = explore_try(x, &run, look_for_deadlock, &deadlock) == 0;
    witness_release(&witness);
    explore_free(x);
    straight_release(&straight);
    tried++;
    return ended && deadlock;
}

static void check_any(const struct random_program *p, unsigned features, bool *any)
{
    struct judge j = {.program = p};
    struct program program;
    struct execution e;
    struct prediction got = ask(p, ENCODING_OURS, (struct buffering){.any = true}, NULL, &program, &e);
    set_buffers(&j, EITHER, EITHER);
    *any = can_deadlock_whole(&j, 0, 0);
    if ((got.verdict == PREDICTED_DEADLOCK) != *any)
        disagree(p, "any", !*any, *any);
    circles += got.circles > 0;
    compared++;
    if (*any && !(features & WITH_CANCEL) && !comes_about(&program, &got, SLACK_INFINITE))
        disagree(p, "tried", true, false);
    if (*any) {
        set_buffers(&j, ALWAYS, ALWAYS);
        for (size_t i = 0; i < got.held.n; i++) {
            const struct send *send = &program.send.at[got.held.at[i]];
            j.buffers[send->rank][send->op - FIRST_CALL] = NEVER;
        }
        for (size_t i = 0; i < got.tight.n; i++) {
            const struct collective_call *part = &program.part.at[got.tight.at[i]];
            set_collective(&j, call_at(&j, part->rank, (int)part->op - FIRST_CALL), NEVER);
        }
        if (!can_deadlock(&j))
            disagree(p, "with the buffering of the witness", true, false);
        for (size_t i = 0; i < got.held.n; i++) {
            const struct send *send = &program.send.at[got.held.at[i]];
            j.buffers[send->rank][send->op - FIRST_CALL] = ALWAYS;
            if (can_deadlock(&j))
                disagree(p, "with less than the minimal witness", false, true);
            j.buffers[send->rank][send->op - FIRST_CALL] = NEVER;
        }
    }
    prediction_release(&got);
    program_release(&program);
    execution_release(&e);
}

/* ---- who can meet whom ---- */

/* The send and the receive of these calls in a program. */
static struct match_query find_match_query(const struct program *program, int q, int i, int r, int k)
{
    struct match_query query = {0};
    while (program->send.at[query.send].rank != q || program->send.at[query.send].op != (uint32_t)i + FIRST_CALL)
        query.send++;
    while (program->slot.at[query.slot].rank != r ||
           program->recv.at[program->slot.at[query.slot].first] != (uint32_t)k + FIRST_CALL)
        query.slot++;
    return query;
}

static void check_match(const struct judge *j, int q, int i, int r, int k)
{
    struct execution e;
    struct program program;
    make_execution(&e, j->program);
    program_init(&program, &e, false);
    struct match_query query = find_match_query(&program, q, i, r, k);
    struct prediction got =
        predict(&program, &(struct prediction_options){.buffering.any = true, .minimal = true, .match = &query});
    queries++;
    if ((got.verdict == PREDICTED_MATCH) != j->met[q][i][r][k]) {
        printf("send %d.%d and receive %d.%d meet: %s\n", q, i, r, k, j->met[q][i][r][k] ? "they can" : "they cannot");
        print_program(j->program);
        exit(1);
    }
    prediction_release(&got);
    program_release(&program);
    execution_release(&e);
}

static void check_matches(const struct random_program *p)
{
    struct judge j = {.program = p, .exhaustive = true};
    set_buffers(&j, EITHER, EITHER);
    can_deadlock(&j);
    for (int q = 0; q < p->ranks; q++)
        for (int i = 0; i < p->length[q]; i++)
            for (int r = 0; r < p->ranks; r++)
                for (int k = 0; k < p->length[r]; k++)
                    if (p->call[q][i].call == SEND && p->call[r][k].call == RECV && fits(&j, q, i, r, k))
                        check_match(&j, q, i, r, k);
}

static void check_explorer(const struct random_program *p, struct buffering buffering, bool truth)
{
    if (is_explored(p, buffering) != truth)
        disagree(p, "explored", !truth, truth);
}

static void check_program(const struct random_program *p, unsigned features)
{
    bool published = (features & ~WITH_PUBLISHED) == 0;
    struct judge j = {.program = p};
    bool any, zero, infinite, eager;
    check_any(p, features, &any);
    set_buffers(&j, NEVER, ALWAYS);
    zero = can_deadlock(&j);
    if (is_predicted(p, ENCODING_OURS, (struct buffering){.slack = SLACK_ZERO}, features) != zero)
        disagree(p, "zero", !zero, zero);
    set_buffers(&j, ALWAYS, ALWAYS);
    infinite = can_deadlock(&j);
    if (is_predicted(p, ENCODING_OURS, (struct buffering){.slack = SLACK_INFINITE}, features) != infinite)
        disagree(p, "infinite", !infinite, infinite);
    for (int r = 0; r < p->ranks; r++)
        for (int i = 0; i < p->length[r]; i++)
            j.buffers[r][i] = p->call[r][i].call == COLL || p->call[r][i].bytes == 0 ? ALWAYS : NEVER;
    eager = can_deadlock(&j);
    if (is_predicted(p, ENCODING_OURS, (struct buffering){.slack = 1}, features) != eager)
        disagree(p, "eager", !eager, eager);
    for (enum encoding encoding = ENCODING_PLAIN; published && encoding <= ENCODING_MULTI; encoding++) {
        const char *name = encoding == ENCODING_PLAIN ? "plain" : "multi";
        if (is_predicted(p, encoding, (struct buffering){.slack = SLACK_ZERO}, features) != zero)
            disagree(p, name, !zero, zero);
        if (is_predicted(p, encoding, (struct buffering){.slack = SLACK_INFINITE}, features) != infinite)
            disagree(p, name, !infinite, infinite);
    }
    if (!(features & WITH_FIXED)) {
        check_explorer(p, (struct buffering){.any = true}, any);
        check_explorer(p, (struct buffering){.slack = SLACK_ZERO}, zero);
        check_explorer(p, (struct buffering){.slack = SLACK_INFINITE}, infinite);
        check_matches(p);
    }
    deadlocks += any;
    mixed += any && !zero && !infinite;
}

/* ---- deadlock iff satisfiable ---- */

/* The paper's sends block: synchronous ones whatever the buffering, here. */
static void say(struct execution *e, int r, enum op_kind kind, int peer)
{
    add_op(
        e, r,
        (struct op){
            .kind = kind, .flags = OPF_BLOCKING | (kind == OP_SEND ? OPF_SYNCHRONOUS : 0), .peer = peer, .context = 1},
        NULL, 0);
}

/* [Forejt 2017], Fig. 4: two literals and a referee for each variable, the clauses, and three more. */
static void make_formula(struct execution *e, int variables, int clauses, const int (*clause)[3])
{
    int referee = 2 * variables, first = 3 * variables, bell = first + clauses, end = bell + 1, judge = bell + 2;
    execution_init(e, judge + 1);
    for (int r = 0; r < e->ranks; r++) {
        add_contexts(e, r, 1, 0);
        e->rank[r].ended = true;
    }
    for (int v = 0; v < variables; v++) {
        for (int sign = 0; sign < 2; sign++) {
            int r = sign * variables + v;
            say(e, r, OP_SEND, referee + v);
            for (int c = 0; c < clauses; c++)
                for (int k = 0; k < 3; k++)
                    if (clause[c][k] == (sign ? -(v + 1) : v + 1))
                        say(e, r, OP_SEND, first + c);
        }
        say(e, referee + v, OP_RECV, RANK_ANY);
        say(e, referee + v, OP_SEND, bell);
        say(e, referee + v, OP_RECV, RANK_ANY);
    }
    for (int c = 0; c < clauses; c++) {
        say(e, first + c, OP_RECV, RANK_ANY);
        say(e, first + c, OP_SEND, judge);
        say(e, first + c, OP_RECV, RANK_ANY);
        say(e, first + c, OP_RECV, RANK_ANY);
    }
    say(e, bell, OP_SEND, end);
    for (int v = 0; v < variables; v++)
        say(e, bell, OP_RECV, RANK_ANY);
    say(e, end, OP_RECV, RANK_ANY);
    say(e, end, OP_RECV, judge);
    for (int c = 0; c < clauses; c++)
        say(e, judge, OP_RECV, first + c);
    say(e, judge, OP_SEND, end);
}

static void check_formula(void)
{
    enum { MOST = 24 };
    int clause[MOST][3], variables = 3 + (int)draw(3), clauses = 3 * variables + (int)draw((unsigned)variables * 2);
    struct sat *sat = sat_new(&sat_cadical);
    clauses = clauses > MOST ? MOST : clauses;
    for (int v = 0; v < variables; v++)
        sat_variable(sat);
    for (int c = 0; c < clauses; c++) {
        for (int k = 0; k < 3; k++)
            do
                clause[c][k] = (1 + (int)draw((unsigned)variables)) * (chance(50) ? 1 : -1);
            while ((k > 0 && abs(clause[c][k]) == abs(clause[c][0])) ||
                   (k > 1 && abs(clause[c][k]) == abs(clause[c][1])));
        sat_add(sat, clause[c], 3);
    }
    bool truth = sat_solve(sat, -1) == SAT_YES;
    for (int i = 0; i < 2; i++) {
        struct execution e;
        struct program program;
        make_formula(&e, variables, clauses, (const int(*)[3])clause);
        program_init(&program, &e, true);
        struct prediction got =
            predict(&program, &(struct prediction_options){.buffering.slack = i ? SLACK_INFINITE : SLACK_ZERO});
        compared++;
        if ((got.verdict == PREDICTED_DEADLOCK) != truth) {
            printf("a formula with %d variables and %d clauses: %d\n", variables, clauses, truth);
            exit(1);
        }
        prediction_release(&got);
        program_release(&program);
        execution_release(&e);
    }
    sat_free(sat);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1, programs = argc > 2 ? (unsigned)atoi(argv[2]) : 1000;
    unsigned fixed = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    for (unsigned i = 0; i < programs; i++) {
        struct random_program p;
        seed = ((uint64_t)first << 32 | i) * 0x9e3779b97f4a7c15 + 1;
        draw(2);
        unsigned features = i % 4 == 1 ? WITH_EVERYTHING : draw(WITH_EVERYTHING + 1);
        features = fixed        ? fixed
                   : i % 4 == 0 ? features & WITH_PUBLISHED
                   : i % 4 == 2 ? WITH_NONBLOCKING | (features & (WITH_TAGS | WITH_ANY_TAG | WITH_WAITALL))
                                : features;
        random_program(&p, features);
        check_program(&p, features);
        if (i % 50 == 0)
            check_formula();
    }
    printf("%u answers for %u programs; %u deadlock, %u of them only under mixed buffering; circles in %u; %u "
           "tried, %u explored, %u pairs\n",
           compared, programs, deadlocks, mixed, circles, tried, explored, queries);
    printf("%u passed, %u failed\n", programs, failed);
    return failed != 0;
}
