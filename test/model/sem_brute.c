/*
 * sem_brute -- judges src/sem by the rules themselves.
 *
 * A second implementation of M1-M9, written from doc/semantics.md with nothing
 * but one array and nested loops, is put through the same random operations;
 * after each step everything the two can be asked must be equal.  Nothing is
 * shared with src/sem but its header.
 *
 * usage: sem_brute [SEED [COUNT]]      run COUNT sequences, seeds from SEED on
 * A sequence that fails is run again with its steps printed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sem/sem.h"

enum { RANKS = 4, TAGS = 3, CONTEXTS = 3, NO_CONTEXT = CONTEXTS, OPS = 120, STEPS = 100, TURNS = OPS };

struct brute_op {
    enum sem_kind kind;
    op_id id;
    int owner, peer, tag, context;
    enum send_mode mode;
    uint64_t bytes;
    int partner; /* or -1 */
    bool withdrawn, retired, gone;
    bool loose; /* M7 in its favour */
    bool kept;  /* receive: a matched probe has the message, nobody has received it */
    int position, from, until;
    bool listed[RANKS];
};

struct brute_wait {
    enum { NO_WAIT, ALL, ANY, PROBE } kind;
    int op[OPS], n;
    int from, context, tag;
    bool told;
};

struct brute_context {
    context_t id;
    int first_group, members, member[RANKS];
    int turn[RANKS]; /* by position: the next one */
};

static struct brute_op op[OPS];
static int ops;
static struct brute_wait wait[RANKS];
static struct brute_context context[CONTEXTS + 1]; /* the last is nobody's */
static int ranks, tags, contexts;
static uint64_t slack;

static struct sem *sem;
static uint64_t rng;
static bool talk, failed;
static long steps, pairs_seen, comparisons;

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

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list args;

    if (!talk)
        return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static void expect(bool right, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void expect(bool right, const char *format, ...)
{
    va_list args;

    comparisons++;
    if (right || failed)
        return;
    failed = true;
    if (!talk)
        return;
    printf("  WRONG: ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* The rules. */

static bool unmatched(int i, enum sem_kind kind)
{
    return op[i].kind == kind && !op[i].gone && !op[i].withdrawn && op[i].partner < 0;
}

static bool fits_envelope(int s, int at, int from, int ctx, int tag)
{
    return op[s].context == ctx && op[s].peer == at && (from == RANK_ANY || from == op[s].owner) &&
           (tag == TAG_ANY || tag == op[s].tag);
}

static bool fits(int s, int r)
{
    return fits_envelope(s, op[r].owner, op[r].peer, op[r].context, op[r].tag);
}

static bool eligible(int s, int r)
{
    if (!unmatched(s, SEM_SEND) || !unmatched(r, SEM_RECV) || !fits(s, r))
        return false;
    for (int x = 0; x < s; x++)
        if (unmatched(x, SEM_SEND) && op[x].owner == op[s].owner && fits(x, r))
            return false;
    for (int y = 0; y < r; y++)
        if (unmatched(y, SEM_RECV) && op[y].owner == op[r].owner && fits(s, y))
            return false;
    return true;
}

static bool visible(int s, int at, int from, int ctx, int tag)
{
    if (!unmatched(s, SEM_SEND) || !fits_envelope(s, at, from, ctx, tag))
        return false;
    for (int x = 0; x < s; x++)
        if (unmatched(x, SEM_SEND) && op[x].owner == op[s].owner && fits_envelope(x, at, from, ctx, tag))
            return false;
    for (int y = 0; y < ops; y++)
        if (unmatched(y, SEM_RECV) && fits(s, y))
            return false;
    return true;
}

static int part(int ctx, int turn, int position)
{
    for (int i = 0; i < ops; i++)
        if (!op[i].gone && op[i].kind == SEM_COLL && op[i].context == ctx && op[i].tag == turn &&
            op[i].position == position)
            return i;
    return -1;
}

static bool lacks(int c, int position)
{
    bool needed = (op[c].from <= position && position < op[c].until) || op[c].listed[position] ||
                  (slack == SLACK_TIGHT && !op[c].loose);

    return needed && part(op[c].context, op[c].tag, position) < 0;
}

/* The message was taken and received, or met its receive without ado. */
static bool received(int i)
{
    return op[i].partner >= 0 && !op[i].kept && !op[op[i].partner].kept;
}

static bool complete(int i)
{
    if (op[i].withdrawn || op[i].kind == SEM_DONE || received(i))
        return true;
    if (op[i].kind == SEM_COLL) {
        for (int p = 0; p < context[op[i].context].members; p++)
            if (lacks(i, p))
                return false;
        return true;
    }
    if (op[i].kind == SEM_RECV || op[i].mode == SEND_SYNCHRONOUS)
        return false;
    return op[i].mode == SEND_BUFFERED || op[i].loose || slack == SLACK_INFINITE ||
           (slack != SLACK_TIGHT && op[i].bytes < slack);
}

static bool loosens(int i)
{
    bool loose = op[i].loose, before = complete(i), after;

    op[i].loose = true;
    after = complete(i);
    op[i].loose = loose;
    return !before && after;
}

static bool probe_succeeds(int at, int from, int ctx, int tag)
{
    for (int s = 0; s < ops; s++)
        if (visible(s, at, from, ctx, tag))
            return true;
    return false;
}

static bool ready(int r)
{
    int done = 0;

    if (wait[r].kind == NO_WAIT)
        return false;
    if (wait[r].kind == PROBE)
        return probe_succeeds(r, wait[r].from, wait[r].context, wait[r].tag);
    for (int k = 0; k < wait[r].n; k++)
        done += complete(wait[r].op[k]);
    return done == wait[r].n || (wait[r].kind == ANY && done > 0);
}

/* An operation is forgotten when nobody can name it any more. */
static void forget(void)
{
    for (int i = 0; i < ops; i++) {
        if (op[i].gone || !op[i].retired)
            continue;
        if (op[i].kind != SEM_COLL) {
            op[i].gone = op[i].withdrawn || op[i].kind == SEM_DONE || (op[i].partner >= 0 && op[op[i].partner].retired);
        } else {
            bool all = true;

            for (int p = 0; p < context[op[i].context].members; p++) {
                int other = part(op[i].context, op[i].tag, p);

                all = all && other >= 0 && op[other].retired;
            }
            for (int k = 0; all && k < ops; k++)
                if (op[k].kind == SEM_COLL && op[k].context == op[i].context && op[k].tag == op[i].tag)
                    op[k].gone = true;
        }
    }
}

/* Comparing. */

static int find(op_id id)
{
    for (int i = 0; i < ops; i++)
        if (!op[i].gone && op[i].id == id)
            return i;
    return -1;
}

/* `sends` from src/sem against a predicate already evaluated per operation. */
static void compare_sends(const char *what, int which, const op_id *sends, int n, const bool *want)
{
    int wanted = 0, last = -1;

    for (int i = 0; i < ops; i++)
        wanted += want[i];
    expect(n == wanted, "%s %d: %d sends, not %d", what, which, n, wanted);
    for (int k = 0; k < n && !failed; k++) {
        int s = find(sends[k]);

        expect(s >= 0 && want[s], "%s %d: send %d", what, which, s);
        expect(s >= 0 && op[s].owner > last, "%s %d: order of sources", what, which);
        last = s >= 0 ? op[s].owner : last;
    }
}

static void compare_choices(void)
{
    op_id sends[RANKS];
    bool want[OPS] = {0};

    for (int at = 0; at < ranks; at++) {
        int open = -1;

        for (int r = 0; r < ops && !failed; r++) {
            bool some = false;

            if (op[r].gone || op[r].kind != SEM_RECV || op[r].owner != at)
                continue;
            for (int s = 0; s < ops; s++) {
                want[s] = eligible(s, r);
                some = some || want[s];
                pairs_seen += want[s];
            }
            compare_sends("choices of", r, sends, sem_choices(sem, op[r].id, sends), want);
            if (some && open < 0 && op[r].peer == RANK_ANY)
                open = r;
        }
        if (!failed) {
            op_id got = sem_open_wildcard(sem, at);

            expect(open < 0 ? got == OP_ID_NONE : got == op[open].id, "open wildcard of rank %d", at);
        }
    }
}

static void compare_probe(int at, int from, int ctx, int tag)
{
    op_id sends[RANKS];
    bool want[OPS] = {0};

    for (int s = 0; s < ops; s++)
        want[s] = visible(s, at, from, ctx, tag);
    compare_sends("probe at", at, sends, sem_probe(sem, at, from, context[ctx].id, tag, sends), want);
}

static void compare_views(void)
{
    for (int i = 0; i < ops && !failed; i++) {
        struct sem_view view;

        if (op[i].gone)
            continue;
        view = sem_view(sem, op[i].id);
        expect(view.kind == op[i].kind && view.owner == op[i].owner && view.peer == op[i].peer &&
                   view.tag == op[i].tag && view.context == context[op[i].context].id && view.bytes == op[i].bytes &&
                   view.user == (uint32_t)i,
               "envelope of %d", i);
        expect(view.matched == (op[i].partner >= 0), "matched %d", i);
        expect(view.complete == complete(i), "complete %d: %d", i, view.complete);
        expect(view.loosens == loosens(i), "loosens %d: %d", i, view.loosens);
        expect(view.partner == (op[i].partner >= 0 ? op[op[i].partner].id : OP_ID_NONE), "partner of %d", i);
        for (int p = 0; op[i].kind == SEM_COLL && p < context[op[i].context].members; p++) {
            int other = part(op[i].context, op[i].tag, p);

            expect(sem_coll_part(sem, op[i].id, p) == (other < 0 ? OP_ID_NONE : op[other].id), "part %d of %d", p, i);
        }
    }
}

struct told {
    int rank, n;
};

static void one_need(void *data, const struct sem_need *need)
{
    struct told *told = data;
    struct brute_wait *w = &wait[told->rank];
    int i = need->op ? find(need->op) : -1, want = 0, ctx = i < 0 ? w->context : op[i].context, from, me = -1;
    bool wanted[RANKS] = {0};

    told->n++;
    if (i >= 0) {
        bool waited = false;

        for (int k = 0; k < w->n; k++)
            waited = waited || w->op[k] == i;
        expect(waited && !complete(i), "need of rank %d: operation %d", told->rank, i);
    } else {
        expect(w->kind == PROBE, "need of rank %d: no operation", told->rank);
    }
    from = i < 0 ? w->from : op[i].peer;
    for (int p = 0; p < context[ctx].members; p++)
        if (context[ctx].member[p] == told->rank)
            me = p;
    if (i >= 0 && op[i].kind == SEM_COLL) {
        for (int p = 0; p < context[ctx].members; p++)
            wanted[context[ctx].member[p]] = lacks(i, p);
    } else if (from != RANK_ANY) {
        wanted[from] = true;
    } else {
        bool inter = context[ctx].first_group < context[ctx].members;

        for (int p = 0; p < context[ctx].members; p++)
            wanted[context[ctx].member[p]] =
                p != me && (!inter || (p < context[ctx].first_group) != (me < context[ctx].first_group));
    }
    for (int r = 0; r < ranks; r++)
        want += wanted[r];
    expect(need->n == want && need->all == (i >= 0 && op[i].kind == SEM_COLL), "need of rank %d: %d ranks, not %d",
           told->rank, need->n, want);
    for (int k = 0; k < need->n && !failed; k++) {
        expect(wanted[need->ranks[k]], "need of rank %d: rank %d", told->rank, need->ranks[k]);
        wanted[need->ranks[k]] = false;
    }
}

static void compare_waits(void)
{
    for (int r = 0; r < ranks && !failed; r++) {
        struct told told = {r, 0};
        int mode = sem_needs(sem, r, one_need, &told), want = 0;

        expect(sem_is_ready(sem, r) == ready(r), "ready %d: %d", r, sem_is_ready(sem, r));
        if (!ready(r))
            wait[r].told = false;
        expect(mode == (wait[r].kind == NO_WAIT ? -1 : wait[r].kind == ALL ? AWAIT_ALL : AWAIT_ANY), "mode of %d", r);
        for (int k = 0; k < wait[r].n; k++)
            want += !complete(wait[r].op[k]);
        if (wait[r].kind == PROBE)
            want = !ready(r);
        expect(wait[r].kind == NO_WAIT || told.n == want, "rank %d: %d needs, not %d", r, told.n, want);
    }
}

/* Collectives that some have joined and not all, each once: by the part of the lowest position. */
static void compare_unjoined(void)
{
    int want = 0;

    for (int i = 0; i < ops; i++) {
        int absent = 0, first = -1, members = op[i].kind == SEM_COLL ? context[op[i].context].members : 0;
        rank_t ranks_absent[RANKS];

        for (int p = members - 1; p >= 0 && !op[i].gone; p--) {
            int other = part(op[i].context, op[i].tag, p);

            absent += other < 0;
            first = other < 0 ? first : other;
        }
        if (op[i].gone || !members)
            continue;
        want += absent && first == i;
        expect(sem_coll_absent(sem, op[i].id, ranks_absent) == absent, "%d lacks not %d members", i, absent);
        expect(sem_is_unjoined(sem, context[op[i].context].id, (uint32_t)op[i].tag) == (absent > 0), "unjoined %d", i);
    }
    expect(sem_unjoined(sem, NULL, 0) == want, "%d collectives not joined by all, not %d", sem_unjoined(sem, NULL, 0), want);
}

static void compare(void)
{
    steps++;
    compare_unjoined();
    compare_views();
    compare_choices();
    for (int k = 0; k < 6 && !failed; k++) {
        int ctx = below(contexts);

        compare_probe(context[ctx].member[below(context[ctx].members)], below(ranks + 1) - 1, ctx, below(tags + 1) - 1);
    }
    compare_waits();
}

/* Random steps. */

static int add(enum sem_kind kind, int owner, int peer, int ctx, int tag)
{
    op[ops] = (struct brute_op){.kind = kind, .owner = owner, .peer = peer, .context = ctx, .tag = tag, .partner = -1};
    return ops++;
}

static void step_send(void)
{
    int ctx = below(contexts), from = context[ctx].member[below(context[ctx].members)];
    int to = context[ctx].member[below(context[ctx].members)];
    int i = add(SEM_SEND, from, to, ctx, below(tags));

    op[i].mode = (enum send_mode)below(4);
    op[i].bytes = (uint64_t)below(3);
    op[i].id = sem_send(sem, from, to, context[ctx].id, op[i].tag, op[i].mode, op[i].bytes, (uint32_t)i);
    say("%d: send %d -> %d context %d tag %d mode %d bytes %d\n", i, from, to, ctx, op[i].tag, op[i].mode,
        (int)op[i].bytes);
}

static void step_recv(void)
{
    int ctx = below(contexts), at = context[ctx].member[below(context[ctx].members)];
    int from = chance(40) ? RANK_ANY : context[ctx].member[below(context[ctx].members)];
    int i = add(SEM_RECV, at, from, ctx, chance(30) ? TAG_ANY : below(tags));

    op[i].id = sem_recv(sem, at, from, context[ctx].id, op[i].tag, (uint32_t)i);
    say("%d: receive at %d from %d context %d tag %d\n", i, at, from, ctx, op[i].tag);
}

/* D7 */
static void step_done(void)
{
    int i = add(SEM_DONE, below(ranks), RANK_NONE, NO_CONTEXT, 0);

    op[i].id = sem_done(sem, op[i].owner, (uint32_t)i);
    say("%d: rank %d has a request that needs nobody\n", i, op[i].owner);
}

static void join(int ctx, int p)
{
    struct brute_context *c = &context[ctx];
    int i = add(SEM_COLL, c->member[p], RANK_NONE, ctx, c->turn[p]++);
    uint32_t listed[RANKS + 2], n = 0;

    op[i].position = p;
    if (chance(80)) {
        bool all = chance(40);

        op[i].from = all ? 0 : below(c->members + 1);
        op[i].until = all ? c->members : op[i].from + below(c->members - op[i].from + 1);
    }
    while (n < RANKS + 2 && chance(30)) {
        listed[n] = (uint32_t)below(c->members);
        op[i].listed[listed[n++]] = true;
    }
    op[i].id = sem_coll(sem, op[i].owner, c->id, (uint32_t)op[i].tag, (uint32_t)op[i].from, (uint32_t)op[i].until,
                        listed, n, (uint32_t)i);
    say("%d: rank %d, position %d, joins turn %d of context %d, needs %d..%d and %u more\n", i, op[i].owner, p,
        op[i].tag, ctx, op[i].from, op[i].until, n);
}

static void step_coll(void)
{
    int ctx = below(contexts);

    join(ctx, below(context[ctx].members));
}

static bool awaited(int i)
{
    struct brute_wait *w = &wait[op[i].owner];

    for (int k = 0; k < w->n; k++)
        if (w->op[k] == i)
            return true;
    return false;
}

static int pick(bool (*which)(int))
{
    int start = ops ? below(ops) : 0;

    for (int k = 0; k < ops; k++)
        if (which((start + k) % ops))
            return (start + k) % ops;
    return -1;
}

static bool can_withdraw(int i)
{
    return !op[i].gone && !op[i].retired;
}

static void withdraw(int i)
{
    bool can = op[i].kind != SEM_COLL && op[i].kind != SEM_DONE && op[i].partner < 0;

    say("withdraw %d\n", i);
    op[i].withdrawn = can;
    expect(sem_withdraw(sem, op[i].id) == can, "withdraw %d", i);
}

static void step_withdraw(void)
{
    int i = pick(can_withdraw);

    if (i >= 0)
        withdraw(i);
}

static bool is_there(int i)
{
    return !op[i].gone;
}

static void step_loosen(void)
{
    int i = pick(is_there);

    if (i < 0)
        return;
    say("loosen %d\n", i);
    op[i].loose = true;
    sem_loosen(sem, op[i].id);
}

static bool can_retire(int i)
{
    return !op[i].gone && !op[i].retired && !awaited(i) && !op[i].kept;
}

static void retire(int i)
{
    say("retire %d\n", i);
    op[i].retired = true;
    sem_retire(sem, op[i].id);
    forget();
}

static void step_retire(void)
{
    int i = pick(can_retire);

    if (i >= 0 && (complete(i) || chance(20)))
        retire(i);
}

/* What is retired on both sides is still there until the next match; so is its view. */
static void paired(int s, int r)
{
    op[s].partner = r;
    op[r].partner = s;
    expect(sem_view(sem, op[s].id).partner == op[r].id && sem_view(sem, op[r].id).partner == op[s].id,
           "partners %d and %d", s, r);
    forget();
}

static bool step_forced(void)
{
    struct match match;
    int forced = 0, s, r;

    for (s = 0; s < ops; s++)
        for (r = 0; r < ops; r++)
            forced += op[r].peer != RANK_ANY && eligible(s, r);
    if (!sem_next_forced(sem, &match)) {
        expect(!forced, "%d forced matches were not seen", forced);
        return false;
    }
    s = find(match.send);
    r = find(match.recv);
    say("forced: %d with %d\n", s, r);
    expect(s >= 0 && r >= 0 && op[r].peer != RANK_ANY && eligible(s, r), "forced match of %d with %d", s, r);
    if (!failed)
        paired(s, r);
    return true;
}

static void step_drain(void)
{
    while (!failed && step_forced())
        compare();
}

static bool has_choice(int r)
{
    for (int s = 0; s < ops; s++)
        if (eligible(s, r))
            return true;
    return false;
}

static void match(int r)
{
    int s;

    do
        s = below(ops);
    while (!eligible(s, r));
    say("match %d with %d\n", s, r);
    sem_match(sem, op[s].id, op[r].id);
    paired(s, r);
}

static void step_match(void)
{
    int r = pick(has_choice);

    if (r >= 0)
        match(r);
}

/* By a matched probe of its rank, which then waits for nothing else. */
static bool can_take(int s)
{
    return op[s].kind == SEM_SEND && wait[op[s].peer].kind == NO_WAIT &&
           visible(s, op[s].peer, op[s].owner, op[s].context, op[s].tag);
}

static void step_take(void)
{
    int s = pick(can_take), r;

    if (s < 0)
        return;
    r = add(SEM_RECV, op[s].peer, op[s].owner, op[s].context, op[s].tag);
    say("%d: takes %d\n", r, s);
    op[r].id = sem_take(sem, op[s].id, (uint32_t)r);
    op[r].kept = true;
    paired(s, r);
}

static bool is_kept(int i)
{
    return !op[i].gone && op[i].kept;
}

static void receive(int r)
{
    say("receive %d\n", r);
    op[r].kept = false;
    sem_receive(sem, op[r].id);
}

static void step_receive(void)
{
    int r = pick(is_kept);

    if (r >= 0)
        receive(r);
}

static void step_wait(void)
{
    int r = below(ranks);
    struct brute_wait *w = &wait[r];
    op_id ids[OPS];

    if (w->kind != NO_WAIT)
        return;
    *w = (struct brute_wait){0};
    if (chance(40)) {
        w->kind = PROBE;
        w->context = below(contexts);
        w->from = chance(50) ? RANK_ANY : below(ranks);
        w->tag = chance(40) ? TAG_ANY : below(tags);
        sem_await_probe(sem, r, w->from, context[w->context].id, w->tag);
    } else {
        for (int i = 0; i < ops; i++)
            if (op[i].owner == r && !op[i].gone && !op[i].retired && chance(60)) {
                ids[w->n] = op[i].id;
                w->op[w->n++] = i;
            }
        w->kind = chance(50) ? ALL : ANY;
        sem_await(sem, r, w->kind == ALL ? AWAIT_ALL : AWAIT_ANY, ids, w->n);
    }
    say("rank %d waits: %s of %d, or context %d from %d tag %d\n", r,
        w->kind == PROBE ? "probe" : w->kind == ALL ? "all" : "any", w->n, w->context, w->from, w->tag);
}

static void step_ready(void)
{
    rank_t r;
    int waiting = 0;

    while (sem_next_ready(sem, &r)) {
        say("ready: %d\n", r);
        expect(ready(r) && !wait[r].told, "rank %d is said to be ready", r);
        wait[r].told = true;
    }
    for (int k = 0; k < ranks; k++)
        waiting += ready(k) && !wait[k].told;
    expect(!waiting, "%d ready ranks were not told", waiting);
}

static void step_go(void)
{
    int r = below(ranks);

    if (wait[r].kind == NO_WAIT || (!ready(r) && chance(80)))
        return;
    say("go %d\n", r);
    sem_go(sem, r);
    wait[r] = (struct brute_wait){0};
}

static void step_clone(void)
{
    struct sem *copy = sem_clone(sem);

    say("clone\n");
    sem_free(sem);
    sem = copy;
}

static void start(uint64_t seed)
{
    static const uint64_t slacks[] = {SLACK_ZERO, SLACK_INFINITE, SLACK_TIGHT, SLACK_TIGHT, 1, 2};

    rng = (seed + 1) * 0x9e3779b97f4a7c15;
    for (int i = 0; i < 8; i++)
        below(2);
    ops = 0;
    failed = false;
    memset(wait, 0, sizeof wait);
    ranks = 1 + below(RANKS);
    tags = 1 + below(TAGS);
    contexts = 1 + below(CONTEXTS);
    slack = slacks[below(6)];
    sem = sem_new(ranks, slack);
    for (int c = 0; c < contexts; c++) {
        int shift = below(ranks);
        rank_t member[RANKS];

        context[c] = (struct brute_context){.id = (context_t)c * 0x100000001 + 7, .members = 1 + below(ranks)};
        context[c].members = c ? context[c].members : ranks;
        context[c].first_group = chance(70) ? context[c].members : 1 + below(context[c].members);
        for (int p = 0; p < context[c].members; p++)
            member[p] = context[c].member[p] = (p + shift) % ranks;
        expect(!sem_has_context(sem, context[c].id), "context before its declaration");
        for (int twice = 0; twice < 2; twice++)
            expect(!sem_context(sem, context[c].id, context[c].first_group, context[c].members, member), "context");
        say("context %d: %d members from %d, first group %d\n", c, context[c].members, shift, context[c].first_group);
        for (int r = 0; r < ranks; r++) {
            int position = sem_position(sem, context[c].id, r);

            expect(position < 0 || context[c].member[position] == r, "position");
            expect(position >= 0 || (r - shift + ranks) % ranks >= context[c].members, "no position");
        }
    }
}

/* Lets everything end: nothing may be left behind. */
static void finish(void)
{
    for (int r = 0; r < ranks; r++)
        if (wait[r].kind != NO_WAIT) {
            sem_go(sem, r);
            wait[r] = (struct brute_wait){0};
        }
    step_drain();
    for (int r; !failed && (r = pick(has_choice)) >= 0; step_drain())
        match(r);
    for (int c = 0; c < contexts && !failed; c++) {
        int last = 0;

        for (int p = 0; p < context[c].members; p++)
            last = context[c].turn[p] > last ? context[c].turn[p] : last;
        for (int p = 0; p < context[c].members; p++)
            while (context[c].turn[p] < last && ops < OPS)
                join(c, p);
    }
    for (int i = 0; i < ops && !failed; i++) {
        if (op[i].gone)
            continue;
        if (can_withdraw(i) && !op[i].withdrawn && op[i].kind != SEM_COLL && op[i].kind != SEM_DONE &&
            op[i].partner < 0)
            withdraw(i);
        if (op[i].kept)
            receive(i);
        if (!op[i].retired)
            retire(i);
    }
    /* Requests given up before they matched stay; so do collectives if there was no room to join them. */
    for (int i = 0; i < ops && !failed; i++)
        if (!op[i].gone)
            return;
    expect(failed || ops == OPS || sem_live(sem) == 0, "%u objects left", sem_live(sem));
}

static bool sequence(uint64_t seed)
{
    static void (*const action[])(void) = {step_send,   step_send,   step_send,   step_recv,  step_recv,  step_recv,
                                           step_coll,   step_match,  step_match,  step_drain, step_drain, step_retire,
                                           step_retire, step_ready,  step_ready,  step_wait,  step_wait,  step_go,
                                           step_go,     step_clone,  step_take,   step_receive, step_withdraw,
                                           step_loosen, step_done};
    int length;

    start(seed);
    length = 5 + below(STEPS - 5);
    for (int i = 0; i < length && ops < OPS - 20 && !failed; i++) {
        int which = below((int)(sizeof action / sizeof *action) + 1);

        if (which)
            action[which - 1]();
        else
            step_forced();
        if (!failed)
            compare();
    }
    if (!failed)
        step_ready();
    if (!failed)
        finish();
    sem_free(sem);
    return !failed;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    long count = argc > 2 ? atol(argv[2]) : 3000, passed = 0, wrong = 0;

    for (long i = 0; i < count; i++) {
        if (sequence(seed + (uint64_t)i)) {
            passed++;
        } else if (wrong++ < 3) {
            printf("sequence %llu:\n", (unsigned long long)seed + (unsigned long long)i);
            talk = true;
            sequence(seed + (uint64_t)i);
            talk = false;
        }
    }
    printf("%ld sequences, %ld states, %ld eligible pairs, %ld comparisons\n", count, steps, pairs_seen, comparisons);
    printf("%ld passed, %ld failed\n", passed, wrong);
    return wrong != 0;
}
