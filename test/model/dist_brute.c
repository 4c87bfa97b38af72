/*
 * dist_brute -- judges src/dist by plain enumeration.
 *
 * The random programs of explore_brute are run as jobs: at every step some rank, drawn by lot, goes on in some way that
 * the semantics allows, unless the decision file says in which.  The job leaves the files that ranks of a real one
 * leave.  A search that knows the program by such jobs alone must come to all its ends, each once; every
 * segment must be what the interpreter says; every job that is led must get where it was led to, for what is
 * decided has to be possible; and there must not be more jobs than ends, polls aside.
 *
 * usage: dist_brute [SEED [COUNT [FEATURES]]]
 */
int explore_brute_main(int, char **);
#define main explore_brute_main
#include "explore_brute.c"
#undef main

#include "dist/dist.h"
#include "dist/deadlock.h"
#include "explore/menu.h"
#include "explore/trail.h"
#include "../told.h"

/* ---- decision files ---- */

enum { DECISIONS = 400, NOES = 40 };

struct forced {
    int rank;
    unsigned long number, polls;
    char kind[12], value[64];
};

/* Whether a send or receive is cancelled in time. */
struct decided_cancel {
    int rank;
    unsigned long number;
    bool withdrawn;
};

static unsigned long free_noes; /* of polls that nothing was decided about, before they say yes */
static struct forced forced[DECISIONS];
static int forced_n;
static struct decided_cancel cancel[DECISIONS];
static int fated_n;

/* RANK withdrawn NUMBER, or RANK matched NUMBER */
static bool read_cancel_outcome(const char *line)
{
    struct decided_cancel *f = &cancel[fated_n];
    char kind[12];

    if (fated_n == DECISIONS || sscanf(line, "%d %11[a-z] %lu", &f->rank, kind, &f->number) != 3)
        return false;
    f->withdrawn = strcmp(kind, "withdrawn") == 0;
    fated_n++;
    return true;
}

static void read_decisions(const char *text)
{
    const char *line = strchr(text, '\n');

    forced_n = fated_n = 0;
    while (line && strncmp(++line, "end", 3) != 0) {
        struct forced *f = &forced[forced_n];

        if (!read_cancel_outcome(line) && forced_n < DECISIONS &&
            sscanf(line, "%d %lu %11s %lu %63s", &f->rank, &f->number, f->kind, &f->polls, f->value) == 5)
            forced_n++;
        line = strchr(line, '\n');
    }
}

static const struct forced *find_forced(int rank, unsigned long number)
{
    for (int i = 0; i < forced_n; i++)
        if (forced[i].rank == rank && forced[i].number == number)
            return &forced[i];
    return NULL;
}

/* ---- how ranks count ---- */

static bool is_choice(const struct op *op)
{
    switch (op->kind) {
    case OP_RECV:
        return op->peer == RANK_ANY;
    case OP_PROBE:
        return true;
    case OP_WAIT:
        return op->flags & (OPF_ANY | OPF_SOME);
    default:
        return op_is_poll(op);
    }
}

struct play {
    struct game game;
    struct trails trails;
    struct state *state;
    struct menu menu;
    int idle; /* steps in which nobody could do anything but say no */
};

/* Is the i-th node of the rank's trail the poll before, once more? */
static bool repeats(const struct play *play, int rank, size_t i)
{
    const struct node *node = i ? &play->game.tree.node.at[play->trails.at[rank].at[i]] : NULL;
    const struct op *before = i ? tree_call(&play->game.tree, play->trails.at[rank].at[i - 1]) : NULL;

    return node && node->count == 1 && op_is_poll(before) && !play->trails.ret[rank].at[i]->flag &&
           node->ops->size == before->size && memcmp(node->ops, before, before->size) == 0;
}

/* The number of the choice that an operation is, and how often it said no. */
static unsigned long number_of(const struct play *play, int rank, uint32_t user, unsigned long *noes)
{
    unsigned long number = 0;

    *noes = 0;
    for (size_t i = 0; i < play->trails.at[rank].n; i++) {
        const struct node *node = &play->game.tree.node.at[play->trails.at[rank].at[i]];

        if (repeats(play, rank, i)) {
            number--;
            ++*noes;
        } else {
            *noes = 0;
        }
        for (uint32_t k = 0; k < node->count; k++) {
            if (node->first_op + k == user)
                return number;
            number += is_choice(play->game.tree.op.at[node->first_op + k].op);
        }
    }
    abort();
}

/* What is decided about a cancel of this send or receive; NULL: nothing. */
static const struct decided_cancel *fate_of(const struct play *play, uint32_t user)
{
    int rank = play->game.tree.node.at[play->game.tree.op.at[user].node].rank;
    unsigned long number = 0;

    for (size_t i = 0; i < play->trails.at[rank].n; i++) {
        const struct node *node = &play->game.tree.node.at[play->trails.at[rank].at[i]];

        for (uint32_t k = 0; k < node->count && node->first_op + k != user; k++) {
            const struct op *op = play->game.tree.op.at[node->first_op + k].op;

            number += op->kind == OP_SEND || op->kind == OP_RECV;
        }
        if (user >= node->first_op && user < node->first_op + node->count)
            break;
    }
    for (int i = 0; i < fated_n; i++)
        if (cancel[i].rank == rank && cancel[i].number == number)
            return &cancel[i];
    return NULL;
}

static bool is_withdrawn(const struct play *play, op_id id)
{
    const struct decided_cancel *f = id ? fate_of(play, sem_view(play->state->sem, id).user) : NULL;

    return f && f->withdrawn;
}

/* ---- playing ---- */

/* A cancel comes in time or too late, as was decided; what is withdrawn meets nothing, and is not seen but by a glimpse. */
static bool fits_fates(const struct play *play, const struct option *option, const struct forced *f)
{
    const struct op *op = play->game.tree.op.at[option->op].op;

    if (op->kind == OP_CANCEL) {
        const struct decided_cancel *outcome = fate_of(play, (uint32_t)(option->choice >> 1));

        return !outcome || outcome->withdrawn == (option->choice & 1);
    }
    bool glimpse = f && strcmp(f->kind, "glimpse") == 0;
    return is_withdrawn(play, option->send) == glimpse && !is_withdrawn(play, option->recv);
}

static uint64_t set_of(const char *list)
{
    uint64_t set = 0;

    while (*list) {
        char *end;

        set |= UINT64_C(1) << strtoul(list, &end, 10);
        list = *end ? end + 1 : end;
    }
    return set;
}

static bool is_allowed(const struct play *play, const struct option *option)
{
    rank_t rank;
    const struct tree_op *op = &play->game.tree.op.at[option->op];
    unsigned long noes;

    rank = play->game.tree.node.at[op->node].rank;
    unsigned long number = number_of(play, rank, option->op, &noes);
    const struct forced *f = is_choice(op->op) ? find_forced(rank, number) : NULL;
    bool no = op_is_poll(op->op) && option->choice == ANSWER_NO;
    if (!no && !fits_fates(play, option, f))
        return false;
    if (!f && op_is_poll(op->op) && noes < free_noes)
        return no;
    if (op->op->kind == OP_CANCEL)
        return true;
    if (!f)
        return !no || noes < NOES;
    if (noes < f->polls)
        return no || !op_is_poll(op->op);
    if (strcmp(f->kind, "no") == 0)
        return !no || noes < NOES;
    if (no)
        return false;
    if (strcmp(f->kind, "source") == 0 || strcmp(f->kind, "glimpse") == 0)
        return sem_view(play->state->sem, option->send).owner == atoi(f->value);
    if (strcmp(f->kind, "index") == 0)
        return option->choice == strtoull(f->value, NULL, 10) + 1;
    return strcmp(f->kind, "set") != 0 || option->choice == set_of(f->value);
}

/* How many choices of a rank have come out: its last node's have not, and a poll that is asked once more has not, either. */
static unsigned long choices_made(const struct play *play, int rank)
{
    size_t n = play->trails.at[rank].n;
    unsigned long made = 0;

    for (size_t i = 0; i < n; i++) {
        const struct node *node = &play->game.tree.node.at[play->trails.at[rank].at[i]];

        made -= repeats(play, rank, i);
        for (uint32_t k = 0; k < node->count && i + 1 < n; k++)
            made += is_choice(play->game.tree.op.at[node->first_op + k].op);
    }
    return made;
}

/* It was decided that this is withdrawn: not before everybody has had the glimpse of it that was decided. */
static bool can_wait(const struct play *play, const struct option *option)
{
    const struct tree_op *op = &play->game.tree.op.at[option->op];
    const struct decided_cancel *outcome =
        op->op->kind == OP_CANCEL ? fate_of(play, (uint32_t)(option->choice >> 1)) : NULL;

    for (int i = 0; outcome && outcome->withdrawn && i < forced_n; i++)
        if (strcmp(forced[i].kind, "glimpse") == 0 && atoi(forced[i].value) == play->game.tree.node.at[op->node].rank &&
            forced[i].number >= choices_made(play, forced[i].rank))
            return true;
    return false;
}

static bool step(struct play *play)
{
    VEC(struct option) open = {0}, last = {0};
    bool noes = true;

    menu_fill(&play->menu, &play->game, play->state);
    for (size_t i = 0; i < play->menu.option.n; i++)
        if (is_allowed(play, &play->menu.option.at[i])) {
            const struct option *option = &play->menu.option.at[i];

            if (can_wait(play, option)) {
                vec_push(&last, *option);
                continue;
            }
            noes = noes && op_is_poll(play->game.tree.op.at[option->op].op) && option->choice == ANSWER_NO;
            vec_push(&open, *option);
        }
    for (size_t i = 0; i < last.n && noes; i++)
        vec_push(&open, last.at[i]);
    noes = noes && !last.n;
    vec_release(&last);
    play->idle = noes ? play->idle + 1 : 0;
    bool any = open.n > 0 && play->idle < 10 * NOES;
    if (any && menu_take(&play->game, play->state, &open.at[below((int)open.n)]) < 0)
        abort();
    vec_release(&open);
    return any;
}

/* ---- what the ranks leave behind ---- */

static void put_op(file_t *file, const struct op *op)
{
    size_t tail = op_tail_size(op);
    if (op->kind == OP_COLL) /* without slices */
        tail = sizeof(struct op_coll) + op_coll_lists(op_tail(op));
    struct causal_op *record = put(file, CAUSAL_OP, sizeof *record + tail);
    record->op = *op;
    record->op.size = (uint32_t)(sizeof *op + op_round(tail));
    memcpy(&record->op + 1, op_tail(op), tail);
    if (op->kind == OP_COLL)
        ((struct op_coll *)(&record->op + 1))->slices = 0;
}

struct teller {
    const struct play *play;
    int rank;
    file_t file;
    uint64_t op;       /* operations so far */
    uint64_t choice, noes;
    uint64_t requests[REQS + 8];
    uint64_t numbers[REQS + 8]; /* of choices, by request */
};

/* The number of an operation in the file of its rank: polls that repeat themselves are told once. */
static uint64_t told_number(const struct play *play, const struct op *wanted, int *rank)
{
    for (*rank = 0; *rank < prog->ranks; ++*rank) {
        uint64_t number = 0;

        for (size_t i = 0; i < play->trails.at[*rank].n; i++) {
            const struct node *node = &play->game.tree.node.at[play->trails.at[*rank].at[i]];
            const struct op *op = node->ops;

            if (repeats(play, *rank, i))
                continue;
            for (uint32_t k = 0; k < node->count; k++, op = op_next(op), number++)
                if (op == wanted)
                    return number;
        }
    }
    abort();
}

static void put_choice(struct teller *t, uint64_t number, uint64_t op, uint32_t kind, int value, const int32_t *item, int items)
{
    struct causal_choice *record = put(&t->file, CAUSAL_CHOICE, sizeof *record + (size_t)items * sizeof *item);
    record->number = number;
    record->op = op;
    record->polls = t->noes;
    record->kind = kind;
    record->value = value;
    record->items = (uint32_t)items;
    if (items)
        memcpy(record->item, item, (size_t)items * sizeof *item);
}

static void put_done(struct teller *t, const struct op *call, const struct answer_item *item)
{
    struct causal_done *done = put(&t->file, CAUSAL_DONE, sizeof *done);
    bool probe = call->kind == OP_PROBE || call->kind == OP_IPROBE;
    done->by = t->op - 1;
    done->op = probe ? t->op - 1 : t->requests[item->request];
    done->source = item->source;
    done->flags = item->flags & ANSWERED_CANCELLED ? CAUSAL_WAS_CANCELLED : 0;
    if (!item->message)
        return;
    done->tag = item->message->tag;
    done->bytes = item->message->bytes;
    int sender;
    uint64_t number = told_number(t->play, item->message, &sender);
    if (!probe) {
        done->flags |= CAUSAL_HAS_SENDER;
        done->sender_op = number;
    }
}

static void put_yes(struct teller *t, const struct op *call, const struct ret *ret)
{
    const uint32_t *list = op_tail(call);
    int32_t index[LIST], n = 0;

    for (uint32_t i = 0; i < ret->items; i++)
        put_done(t, call, &ret->item[i]);
    for (uint32_t i = 0; i < ret->items && call->kind != OP_PROBE && call->kind != OP_IPROBE; i++)
        if (ret->item[i].message && t->numbers[ret->item[i].request]) {
            uint64_t noes = t->noes;
            t->noes = 0;
            put_choice(t, t->numbers[ret->item[i].request] - 1, t->requests[ret->item[i].request], CHOICE_SOURCE,
                       ret->item[i].source, NULL, 0);
            t->noes = noes;
        }
    if (!is_choice(call) || call->kind == OP_RECV)
        return;
    for (uint32_t i = 0; i < call->items; i++)
        for (uint32_t k = 0; k < ret->items; k++)
            if (ret->item[k].request == list[i])
                index[n++] = (int32_t)i;
    if (is_probe(call) && call->peer == RANK_ANY)
        put_choice(t, t->choice - 1, t->op - 1, CHOICE_SOURCE, ret->item[0].source, NULL, 0);
    else if (call->flags & OPF_ANY)
        put_choice(t, t->choice - 1, t->op - 1, CHOICE_INDEX, index[0], NULL, 0);
    else if (call->flags & OPF_SOME)
        put_choice(t, t->choice - 1, t->op - 1, CHOICE_SET, 0, index, n);
    else
        put_choice(t, t->choice - 1, t->op - 1, CHOICE_YES, 0, NULL, 0);
}

static void put_segment(struct teller *t, const struct node *node)
{
    const struct op *op = node->ops;

    t->noes = 0;
    for (uint32_t k = 0; k < node->count; k++, op = op_next(op)) {
        put_op(&t->file, op);
        if (op->request && (op->kind == OP_SEND || op->kind == OP_RECV || op->kind == OP_COLL ||
                            op->kind == OP_PROBE || op->kind == OP_IPROBE)) {
            t->requests[op->request] = t->op;
            t->numbers[op->request] = op->kind == OP_RECV && is_choice(op) ? t->choice + 1 : 0;
        }
        t->op++;
        t->choice += is_choice(op);
    }
}

static struct tale tell(const struct play *play, int rank)
{
    struct teller t = {.play = play, .rank = rank};
    size_t n = play->trails.at[rank].n;
    struct tale_end end = {0};
    struct tale tale;
    struct modules modules = {0};

    vec_reserve(&t.file, CAUSAL_RECORDS);
    memset(t.file.at, 0, CAUSAL_RECORDS);
    t.file.n = CAUSAL_RECORDS;
    for (size_t i = 0; i < n; i++) {
        const struct node *node = &play->game.tree.node.at[play->trails.at[rank].at[i]];
        const struct op *call = node->count ? tree_call(&play->game.tree, play->trails.at[rank].at[i]) : NULL;

        if (!repeats(play, rank, i))
            put_segment(&t, node);
        if (i + 1 == n)
            break;
        const struct ret *ret = play->trails.ret[rank].at[i + 1];
        if (op_is_poll(call) && !ret->flag) {
            t.noes++;
            if (!repeats(play, rank, i + 1))
                put_choice(&t, t.choice - 1, t.op - 1, CHOICE_NO, 0, NULL, 0);
        } else {
            put_yes(&t, call, ret);
        }
    }
    const struct player *p = &play->state->player[rank];
    if (p->mode == PLAYER_OVER) {
        struct causal_end *record = put(&t.file, CAUSAL_END, sizeof *record);
        record->kind = play->game.tree.node.at[p->node].end == SEGMENT_ABORT ? CAUSAL_ABORTED : CAUSAL_ENDED_WELL;
        end.ended = true;
    }
    struct causal_head *head = (struct causal_head *)t.file.at;
    memcpy(head->magic, CAUSAL_MAGIC, sizeof head->magic);
    head->version = CAUSAL_VERSION;
    head->rank = rank;
    head->size = prog->ranks;
    atomic_store(&head->bytes, t.file.n - CAUSAL_RECORDS);
    head->now.state = p->mode == PLAYER_POLLS ? CAUSAL_POLLING : p->mode == PLAYER_OVER ? CAUSAL_FINALIZED : CAUSAL_BLOCKED;
    head->now.op = t.op - 1;
    head->now.polls = t.noes;
    head->now.forced = RANK_ANY;
    if (tale_read(&tale, t.file.at, t.file.n, prog->ranks, end, &modules) != TALE_IS_GOOD)
        abort();
    modules_release(&modules);
    vec_release(&t.file);
    return tale;
}

/* ---- a job ---- */

static unsigned long long jobs, unstuck;

/* A message that was taken and not received.  In a job it is received at once (doc/dist.md), so there its sender goes on. */
static bool keeps_message(const struct state *state, int rank)
{
    const struct player *p = &state->player[rank];

    for (uint32_t i = 1; i < p->request.n; i++) {
        struct sem_view view = {0};

        if (p->request.at[i].id)
            view = sem_view(state->sem, p->request.at[i].id);
        if (view.matched && view.kind == SEM_RECV && !view.complete)
            return true;
    }
    return false;
}

/* What is to be decided in a job is drawn by lot; at its end nothing can move that is not led. */
static struct tale *play_job(const char *decisions)
{
    struct runner runner = {.run = interpret};
    struct interpreter outer = interp;
    struct play play = {0};
    struct tale *tales = calloc((size_t)prog->ranks, sizeof *tales);

    read_decisions(decisions);
    memset(&interp, 0, sizeof interp);
    game_init(&play.game, &runner, prog->ranks, 0, (struct spin_limits){0});
    for (uint64_t place = 1; place <= BLOCKS * 100; place++)
        game_learn_cancel(&play.game, place); /* whether something matches before it is cancelled is for the lot to say */
    trails_init(&play.trails, prog->ranks);
    play.game.trails = &play.trails;
    play.state = state_begin(&play.game, prog->slack);
    while (step(&play))
        ;
    bool waits = false, keeps = false;
    bool choices = play.menu.option.n > 0; /* polls that go round together are not looked through */
    for (int r = 0; r < prog->ranks; r++) {
        tales[r] = tell(&play, r);
        waits = waits || play.state->player[r].mode == PLAYER_WAITS || play.state->player[r].mode == PLAYER_POLLS;
        keeps = keeps || keeps_message(play.state, r);
    }
    unstuck += waits && !choices && !keeps && deadlock_verdict(tales, prog->ranks) == MOVES;
    state_free(&play.game, play.state);
    menu_release(&play.menu);
    trails_release(&play.trails);
    game_release(&play.game);
    free(interp.at);
    free(interp.turns);
    free(interp.bytes);
    interp = outer;
    jobs++;
    return tales;
}

enum { JOBS_AHEAD = 4096 }; /* a job that was begun early may be asked for late */
static char *next_decisions[JOBS_AHEAD];
static uint64_t next_job;

static uint64_t start_job(void *data, const char *decisions)
{
    (void)data;
    free(next_decisions[next_job % JOBS_AHEAD]); /* begun early, and never asked for */
    next_decisions[next_job % JOBS_AHEAD] = strdup(decisions);
    return next_job++;
}

static struct tale *wait_for_job(void *data, uint64_t job, struct modules *modules)
{
    (void)data, (void)modules;
    struct tale *tales = play_job(next_decisions[job % JOBS_AHEAD]);
    free(next_decisions[job % JOBS_AHEAD]);
    next_decisions[job % JOBS_AHEAD] = NULL;
    return tales;
}

static size_t count_running(void *data)
{
    (void)data;
    return 0;
}

/* ---- the search over jobs ---- */

static struct runner inner;
static bool wrong_segment;
static unsigned long long unknown;
static struct { uint64_t *content; uint32_t *number; uint32_t n; } *known; /* by node: contents, and of which operation */
static size_t known_cap;

static uint64_t true_content(uint64_t name, uint64_t told)
{
    node_id node = (node_id)(name >> 32);
    uint32_t number = (uint32_t)name - 1;

    if (!name || node >= known_cap)
        return told;
    for (uint32_t i = 0; i < known[node].n; i++)
        if (known[node].number[i] == number)
            return known[node].content[i];
    abort();
}

/* As the interpreter wants it: with contents. */
static struct ret *true_ret(const struct ret *ret)
{
    struct ret *copy = ret_copy(ret);

    for (uint32_t i = 0; copy && i < copy->items; i++) {
        struct answer_item *item = (struct answer_item *)&copy->item[i];

        if (item->message && !(item->flags & ANSWERED_SEEN))
            item->content = true_content(item->message->payload, item->content);
        for (uint32_t k = 0; k < item->pieces; k++) {
            struct answer_piece *piece = (struct answer_piece *)&copy->piece[item->first_piece + k];

            piece->content = true_content(piece->part->payload, piece->content);
        }
    }
    return copy;
}

static void keep_contents(node_id to, const struct segment *segment)
{
    const struct op *op = segment->ops;
    uint32_t n = 0;

    if (to >= known_cap) {
        size_t cap = 2 * (size_t)to + 64;
        known = realloc(known, cap * sizeof *known);
        memset(known + known_cap, 0, (cap - known_cap) * sizeof *known);
        known_cap = cap;
    }
    known[to].content = malloc((segment->count + 1) * sizeof *known[to].content);
    known[to].number = malloc((segment->count + 1) * sizeof *known[to].number);
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        if (op_contents(op)) {
            known[to].content[n] = segment->contents[n];
            known[to].number[n++] = i;
        }
    known[to].n = n;
}

static bool same_segment(const struct segment *a, const struct segment *b)
{
    const struct op *x = a->ops, *y = b->ops;

    if (a->count != b->count || a->end != b->end)
        return false;
    for (uint32_t i = 0; i < a->count; i++, x = op_next(x), y = op_next(y))
        if (x->kind != y->kind || x->peer != y->peer || x->tag != y->tag || x->place != y->place ||
            x->flags != y->flags || x->count != y->count || x->request != y->request)
            return false;
    return true;
}

static int run_checked(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct segment truth_is;
    struct ret *full = true_ret(ret);
    int status = inner.run(inner.data, rank, from, ret, to, segment);

    (void)data;
    interpret(NULL, rank, from, full, to, &truth_is);
    free(full);
    keep_contents(to, &truth_is);
    if (segment->end == SEGMENT_UNKNOWN)
        unknown++;
    else if (status == 0 && !same_segment(segment, &truth_is))
        wrong_segment = true;
    return status;
}

static bool pays(void *data)
{
    (void)data;
    return inner.pays(inner.data);
}

static bool ahead(void *data, rank_t rank, node_id from, const struct ret *ret)
{
    (void)data;
    return inner.ahead(inner.data, rank, from, ret);
}

static void way_passed(void *data, const struct account *account)
{
    (void)data;
    inner.announce(inner.data, account);
}

static uint64_t lots; /* with which all jobs of a program begin, so that it can be shrunk */

static struct explore_result search_jobs(const struct program *p, uint32_t parallel)
{
    struct job_source source = {start_job, wait_for_job, count_running, NULL};
    struct explore_options options = {.ranks = p->ranks, .slack = p->slack, .rounds = 3, .ahead = 1, .patience = 8, .jobs = parallel};
    struct runner runner = {.run = run_checked, .pays = pays, .ahead = ahead, .announce = way_passed};

    prog = p;
    rng = lots;
    struct dist *dist = dist_new(&source, p->ranks, parallel);
    inner = dist_runner(dist);
    struct explorer *x = explore_new(&runner, &options);
    found.n = found.stuck = slack_deadlocks_n = 0;
    wrong_place = mismatch = wrong_segment = false;
    unknown = jobs = 0;
    explorer = x;
    struct explore_result result = explore_run(x, on_run, NULL);
    explore_free(x);
    dist_free(dist);
    for (int i = 0; i < JOBS_AHEAD; i++) {
        free(next_decisions[i]);
        next_decisions[i] = NULL;
    }
    for (size_t i = 0; i < known_cap; i++) {
        free(known[i].content);
        free(known[i].number);
    }
    free(known);
    known = NULL;
    known_cap = 0;
    return result;
}

static bool has(const struct program *p, enum kind kind)
{
    for (int r = 0; r < p->ranks; r++)
        for (int b = 0; b < p->rank[r].blocks; b++)
            for (int i = 0; i < p->rank[r].at[b].n; i++)
                if (p->rank[r].at[b].at[i].kind == kind)
                    return true;
    return false;
}

/*
 * How often polls said no before they said yes makes two runs of a job, but not two ends; and some jobs are run before
 * the search knows what may be cancelled.
 */
static bool varies(const struct program *p)
{
    return has(p, TEST) || has(p, IPROBE) || has(p, CANCEL);
}

/* What is wrong, or NULL. */
static const char *judge_program(const struct program *p, uint32_t parallel)
{
    struct explore_result result = search_jobs(p, parallel);

    if (mismatch)
        return NULL;
    if (wrong_segment)
        return "a segment is not what the rank does";
    if (has(p, CANCEL) ? result.left & LEFT_UNKNOWN : unknown > 0) /* before it knows what may be cancelled, it asks in vain */
        return "a job was led somewhere and did not get there";
    if (unstuck)
        return "nothing can move, and the look does not see it";
    if (!agree())
        return "the ends differ";
    if (parallel == 1 && !varies(p) && jobs > found.n)
        return "there are more jobs than ends";
    return NULL;
}

static void shrink_and_tell(struct program p, uint64_t seed, uint32_t parallel, const char *wrong)
{
    printf("seed %llu: %s (%llu jobs, %zu of %zu ends)\n", (unsigned long long)seed, wrong, jobs, found.n, truth.n);
    for (bool any = true; any;) {
        any = false;
        for (int r = 0; r < p.ranks && !any; r++)
            for (int b = 0; b < p.rank[r].blocks && !any; b++)
                for (int i = 0; i < p.rank[r].at[b].n && !any; i++) {
                    struct program q = p;
                    remove_ins(&q.rank[r].at[b], i);
                    enumerate(&q);
                    unstuck = 0;
                    if (!too_many && judge_program(&q, parallel) == wrong) {
                        p = q;
                        any = true;
                    }
                }
    }
    enumerate(&p);
    unstuck = 0;
    wrong = judge_program(&p, parallel);
    printf("shrunk: %s (%llu jobs, %zu of %zu ends)\n", wrong ? wrong : "?", jobs, found.n, truth.n);
    print_program(&p);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    long count = argc > 2 ? atol(argv[2]) : 300, passed = 0, failed = 0, skipped = 0;
    int features = argc > 3 ? (int)strtol(argv[3], NULL, 0) : F_ALL;
    unsigned long long ends = 0, all_jobs = 0;

    for (uint64_t seed = first; seed < first + (uint64_t)count && failed < 3; seed++) {
        rng = seed * 0x9e3779b97f4a7c15 + 1;
        for (int i = 0; i < 8; i++)
            below(2);
        struct program p = make(features);
        p.slack = SLACK_INFINITE;
        p.any = false;
        enumerate(&p);
        if (too_many || truth.n > 2000) {
            skipped++;
            continue;
        }
        uint32_t parallel = seed % 4 == 0 ? 3 : 1;
        lots = rng;
        unstuck = 0;
        free_noes = seed % 3 == 0 ? 0 : 20;
        const char *wrong = judge_program(&p, parallel);
        if (wrong) {
            failed++;
            shrink_and_tell(p, seed, parallel, wrong);
            continue;
        }
        passed++;
        ends += found.n;
        all_jobs += jobs;
    }
    printf("%llu ends by %llu jobs; %ld programs were too large\n", ends, all_jobs, skipped);
    printf("%ld passed, %ld failed\n", passed, failed);
    return failed != 0;
}
