#include "play/play.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "base/die.h"
#include "base/log.h"
#include "base/mem.h"
#include "call/dynamic.h"
#include "call/window.h"
#include "play/chronicle.h"
#include "play/keepers.h"
#include "play/passing.h"
#include "play/shown_memories.h"
#include "play/state.h"
#include "play/tickets.h"
#include "play/wildcards.h"
#include "world/stack.h"

enum {
    GRANT_MAX = 4096,     /* polls answered with no in one go, when nothing moves */
    IDLE_ROUNDS = 10000,  /* so many rounds of polls in vain make a livelock, if they took IDLE_SECONDS */
    IDLE_SECONDS = 10,    /* seconds that they must have taken */
    FLUSH_SECONDS = 1,    /* how much of the record a crash of tourney may cost */
    FLOOD = 1 << 23,      /* bytes in flight from one rank, from where on others come first */
};

struct play *play_new(struct world *world, uint64_t slack, struct trace_writer *trace,
                      void (*locate)(void *, rank_t, uint64_t, struct trace_place *), void *locator)
{
    struct play *play = xcalloc(1, sizeof *play);
    play->world = world;
    play->ranks = world_ranks(world);
    play->all_ranks = world_all_ranks(world);
    play->has_registry = world_all_ranks(world) > world_ranks(world);
    play->sem = sem_new(play->all_ranks, slack);
    sem_keep_queues(play->sem);
    play->trace = trace;
    play->locate = locate;
    play->locator = locator;
    play->player = xcalloc(play->all_ranks, sizeof *play->player);
    play->choices = xcalloc(play->all_ranks, sizeof *play->choices);
    for (rank_t r = 0; r < play->all_ranks; r++)
        play->player[r].allowance = FLOOD;
    passing_open(play);
    return play;
}

void play_set_reader(struct play *play, struct chapter_reader reader)
{
    play->reader = reader;
}

void play_set_limit(struct play *play, uint64_t operations)
{
    play->allowed = operations + 1;
}

void play_free(struct play *play)
{
    chronicle_free(play);
    passing_release(play);
    for (int r = 0; r < play->all_ranks; r++) {
        struct played_rank *p = &play->player[r];
        vec_release(&p->list);
        vec_release(&p->slot);
        vec_release(&p->used);
        vec_release(&p->messages);
        vec_release(&p->attended);
        vec_release(&p->orphans);
        map_release(&p->placed);
        free(p->init);
        free(p->rest);
    }
    for (size_t i = 1; i < play->names.n; i++)
        free(play->names.at[i].text);
    for (size_t i = 1; i < play->items.n; i++)
        free(play->items.at[i].coll);
    for (size_t i = 1; i < play->deliveries.n; i++)
        free(play->deliveries.at[i].part);
    for (size_t i = 0; i < play->complaints.n; i++)
        free(play->complaints.at[i].op);
    vec_release(&play->complaints);
    pool_release(&play->names);
    vec_release(&play->answer);
    vec_release(&play->answered);
    vec_release(&play->ids);
    pool_release(&play->items);
    pool_release(&play->deliveries);
    map_release(&play->delivery_of);
    map_release(&play->context_name);
    map_release(&play->type_name);
    keepers_release(play);
    tickets_release(play);
    shown_memories_release(play);
    sem_free(play->sem);
    free(play->choices);
    free(play->player);
    free(play);
}

static int64_t monotonic_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static bool is_flooding(const struct play *play, rank_t r)
{
    const struct played_rank *p = &play->player[r];
    return p->in_flight > p->allowance && world_rank(play->world, r)->life != LIFE_GONE;
}

static void hold_floods(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    if (p->in_flight < FLOOD)
        p->allowance = FLOOD;
    world_hold(play->world, r, is_flooding(play, r));
}

/* Its call is not over here, but it knew the answer and went on (call/mail.h). */
static bool is_ahead(const struct play *play, rank_t r)
{
    return play->player[r].mode == PLAYER_WAITS && world_went_on(play->world, r);
}

/*
 * It tells of an atomic access that others come before who were not read yet.  Perhaps these cannot be read on before something is decided, which is
 * done when all rest: so it counts as one who does.
 */
static void hold_until_its_turn(struct play *play, rank_t r)
{
    const struct op *op = play->over || world_rank(play->world, r)->held ? NULL : world_peek(play->world, r);
    if (op && !is_ahead(play, r) && !shown_memories_are_read_up_to(play, op))
        world_hold(play->world, r, true);
}

static void answer_ready(struct play *);
static bool follow_pick(struct play *, rank_t);
static void end_run(struct play *, enum run_end);

static void count_operation(struct play *play)
{
    if (play->allowed && --play->allowed == 0)
        end_run(play, RUN_STOPPED);
}

static void make_match(struct play *play, struct match match)
{
    play->changes++;
    sem_match(play->sem, match.send, match.recv);
    post_match(play, match);
    post_settle(play);
}

/* What ranks have settled between themselves. */
static void follow_tickets(struct play *play)
{
    struct match match;
    while (!play->over && tickets_next(play, &match))
        make_match(play, match);
}

static void take_in_posted(struct play *play, rank_t r, const struct op *op)
{
    post_operation(play, r, op);
    world_take(play->world, r);
    post_settle(play);
    follow_tickets(play);
    count_operation(play);
    if (play->player[r].mode == PLAYER_WAITS) {
        (void)follow_pick(play, r);
        answer_ready(play);
    }
    chronicle_go_over(play);
}

static void take_passed(struct play *play, rank_t r)
{
    world_take(play->world, r);
    count_operation(play);
}

/*
 * Takes in what a rank has posted; false: nothing.  Sends that do not block could fill all memory
 * while their receivers get no turn, so a rank that floods is held back.  What a rank posts that waits
 * happened in its call, such as a crash.
 */
static bool listen_to_rank(struct play *play, rank_t r)
{
    const struct op *op;
    bool any = false;
    hold_floods(play, r);
    while (!play->over && !world_rank(play->world, r)->held && (op = world_peek(play->world, r)) && !is_ahead(play, r) &&
           shown_memories_are_read_up_to(play, op)) {
        enum passage passage = passing_take(play, r, op);
        if (passage == PASSAGE_LATER)
            break;
        if (passage == PASSAGE_TAKEN)
            take_passed(play, r);
        else
            take_in_posted(play, r, op);
        hold_floods(play, r);
        any = true;
    }
    hold_until_its_turn(play, r);
    return any;
}

/* Nobody else can move: whoever was held back may send on. */
static bool let_flood(struct play *play)
{
    bool any = false;
    for (rank_t r = 0; r < play->ranks; r++)
        if (is_flooding(play, r)) {
            play->player[r].allowance = play->player[r].in_flight + FLOOD;
            any = true;
        }
    return any;
}

/*
 * Whether the answer is the same whenever it is given.  Which request a waitany
 * returns, or what a wildcard probe sees, depends on who has got how far, so
 * that is answered when everybody rests.
 */
static bool answers_same_always(const struct op *call)
{
    return call->kind == OP_PROBE ? call->peer != RANK_ANY : !(call->flags & (OPF_ANY | OPF_SOME));
}

/* False: it sees nothing. */
static bool answer_probe(struct play *play, rank_t r)
{
    const struct op *call = &play->player[r].call;
    int n = sem_probe(play->sem, r, call->peer, call->context, call->tag, play->choices);
    if (n > 0)
        reply_probed(play, r, call->peer == RANK_ANY ? wildcards_probe(play, r, n) : play->choices[0]);
    return n > 0;
}

static void answer_rank(struct play *play, rank_t r)
{
    if (play_rests(&play->player[r]))
        reply_news(play, r);
    else if (play->player[r].call.kind != OP_PROBE)
        reply_completed(play, r);
    else if (!answer_probe(play, r))
        BUG("rank %d is ready but its probe sees nothing", r);
}

/* Lets everybody go on whose call is complete. */
static void answer_ready(struct play *play)
{
    rank_t r;
    while (sem_next_ready(play->sem, &r)) {
        if (answers_same_always(&play->player[r].call))
            answer_rank(play, r);
        else
            play->player[r].ready = true;
    }
    chronicle_turn_page(play);
}

/* A poll that can say yes says yes. */
static bool answer_poll(struct play *play, rank_t r)
{
    if (play->player[r].call.kind != OP_TEST)
        return answer_probe(play, r);
    if (!reply_would_complete(play, r))
        return false;
    reply_completed(play, r);
    return true;
}

static bool answer_choices(struct play *play)
{
    bool any = false;
    for (rank_t r = 0; r < play->ranks; r++) {
        struct played_rank *p = &play->player[r];
        if (p->mode == PLAYER_WAITS && p->ready && sem_is_ready(play->sem, r)) {
            answer_rank(play, r);
            any = true;
        } else if (p->mode == PLAYER_POLLS) {
            any = answer_poll(play, r) || any;
        }
    }
    return any;
}

static void match_wildcard_with(struct play *play, struct match match)
{
    LOG(play, "rank %d's wildcard receive receives the message from rank %d", sem_view(play->sem, match.recv).owner,
        sem_view(play->sem, match.send).owner);
    make_match(play, match);
}

/* What a rank has chosen, as match_wildcard would have (call/mail.h).  False: it has chosen nothing, or the message was not read yet. */
static bool follow_pick(struct play *play, rank_t r)
{
    rank_t source = play->over || !is_ahead(play, r) ? RANK_NONE : world_pick(play->world, r);
    op_id recv = source == RANK_NONE || sem_is_ready(play->sem, r) ? OP_ID_NONE : sem_open_wildcard(play->sem, r);
    int n = recv ? sem_choices(play->sem, recv, play->choices) : 0;
    for (int i = 0; i < n; i++)
        if (sem_view(play->sem, play->choices[i]).owner == source) {
            wildcards_note(play, r, source);
            match_wildcard_with(play, (struct match){play->choices[i], recv});
            return true;
        }
    return false;
}

static bool follow_picks(struct play *play)
{
    bool any = false;
    for (rank_t r = 0; r < play->ranks; r++)
        any = follow_pick(play, r) || any;
    return any;
}

/* Resolves one wildcard receive. */
static bool match_wildcard(struct play *play, bool certain)
{
    struct match match;
    if (!wildcards_choose(play, certain, &match))
        return false;
    match_wildcard_with(play, match);
    return true;
}

/* One of the keepers of windows.  Those who spin ask again and again: so whoever has asked first has the turn. */
static bool match_one_at_window(struct play *play)
{
    struct match first = {0};
    uint64_t asked = UINT64_MAX;
    rank_t first_keeper = dynamic_registry(play->all_ranks);
    for (rank_t k = first_keeper + !play->has_registry; k < first_keeper + (rank_t)play->keeper.n; k++) {
        op_id recv = sem_open_wildcard(play->sem, k);
        int n = recv ? sem_choices(play->sem, recv, play->choices) : 0;
        for (int i = 0; i < n; i++) {
            uint64_t posted = sem_view(play->sem, play->choices[i]).posted;
            const struct op *op = play_op(play, play->choices[i]);
            if (posted < asked && tickets_admit(play, k, op) && shown_memories_admit(play, k, op)) {
                asked = posted;
                first = (struct match){play->choices[i], recv};
            }
        }
    }
    if (!first.send || !tickets_grant(play, item_at(play, item_of(play, first.recv))->rank, play_op(play, first.send)))
        return false;
    make_match(play, first);
    follow_tickets(play);
    return true;
}

/* All who wait there, as far as they do not exclude each other: what each of them does next cannot come before what is here already. */
static bool match_at_windows(struct play *play)
{
    bool any = false;
    while (!play->over && match_one_at_window(play))
        any = true;
    return any;
}

/* Another thread of the rank wants to make a call. */
static bool answer_withdrawn(struct play *play)
{
    bool any = false;
    for (rank_t r = 0; r < play->ranks; r++)
        if (play_rests(&play->player[r]) && world_withdraws(play->world, r)) {
            reply_news(play, r);
            any = true;
        }
    return any;
}

/* Threads that wait together may be told something else than before. */
static bool answer_news(struct play *play)
{
    bool any = false;
    for (rank_t r = 0; r < play->ranks; r++)
        if (play_rests(&play->player[r]) && play->player[r].asked_at != play->changes + 1) {
            reply_news(play, r);
            any = true;
        }
    return any;
}

static bool threads_go_on(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (play_rests(&play->player[r]) && play->player[r].call.flags & OPF_OTHERS_GO)
            return true;
    return false;
}

static void count_idle_round(struct play *play)
{
    if (play->idle_rounds++ == 0)
        play->idle_since = monotonic_seconds();
}

/* Nothing can move but the polling ranks themselves: they are told no. */
static bool answer_no(struct play *play)
{
    bool any = false;
    count_idle_round(play);
    uint32_t grant = play->idle_rounds < 12 ? (1u << play->idle_rounds) - 2 : GRANT_MAX;
    for (rank_t r = 0; r < play->ranks; r++)
        if (play->player[r].mode == PLAYER_POLLS) {
            reply_no(play, r, grant);
            any = true;
        }
    return any;
}

static bool everybody_gone(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (world_rank(play->world, r)->life != LIFE_GONE && world_rank(play->world, r)->life != LIFE_UNBORN)
            return false;
    return true;
}

static bool anybody_waits(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (play_is_waiting(play, r))
            return true;
    return false;
}

static bool anybody_asleep(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (world_rank(play->world, r)->life == LIFE_ASLEEP)
            return true;
    return false;
}

static void end_run(struct play *play, enum run_end kind)
{
    play->over = true;
    play->outcome = (struct outcome){.kind = kind, .rank = RANK_NONE};
    LOG(play, "the run ends: %s", run_end_name(kind));
}

/* Who waits for its turn waits for what can be read, or decided: all that was made before it was posted. */
static bool anybody_awaits_turn(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (world_rank(play->world, r)->held && !is_flooding(play, r))
            return true;
    return false;
}

/* Everybody rests: make a choice, or see that there is none.  False: all wait until a thread goes on. */
static bool at_rest(struct play *play)
{
    for (rank_t r = 0; r < play->ranks && play->keeper.n; r++)
        play->player[r].asked = 0;
    if (match_wildcard(play, true) || answer_choices(play) || match_wildcard(play, false) || answer_news(play))
        return true;
    if (play->idle_rounds > IDLE_ROUNDS && monotonic_seconds() - play->idle_since > IDLE_SECONDS)
        end_run(play, RUN_LIVELOCK);
    else if (match_at_windows(play))
        count_idle_round(play);
    else if (answer_no(play))
        return true;
    else if (threads_go_on(play))
        return false;
    else if (anybody_awaits_turn(play))
        BUG("an atomic access to a window was made after one that nobody tells of");
    else if (anybody_waits(play))
        end_run(play, RUN_DEADLOCK);
    return true;
}

/* A rank that died of a signal ends the run, whether or not it could tell. */
static void look_for_dead(struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++) {
        const struct rank *rank = world_rank(play->world, r);
        if (rank->life == LIFE_GONE && WIFSIGNALED(rank->status) && !play->over) {
            end_run(play, RUN_CRASH);
            play->outcome.rank = r;
            play->outcome.code = WTERMSIG(rank->status);
        }
    }
}

static void end_hanging(struct play *play, rank_t r)
{
    uint64_t address[STACK_DEPTH];
    int depth = stack_take(world_process(play->world, r), address);
    end_run(play, RUN_HUNG);
    play->outcome.rank = r;
    play->outcome.code = world_hang_timeout(play->world);
    play->outcome.text = xformat("rank %d made no MPI call for %d s", r, play->outcome.code);
    for (int i = 0; i < depth; i++)
        vec_push(&play->outcome.stack, address[i]);
}

/* The program's own: the first rank's that is not 0. */
static int program_exit_code(const struct play *play)
{
    for (rank_t r = 0; r < play->ranks; r++)
        if (WEXITSTATUS(world_rank(play->world, r)->status) != 0)
            return WEXITSTATUS(world_rank(play->world, r)->status);
    return 0;
}

static void flush_record(struct play *play)
{
    if (!play->trace || monotonic_seconds() - play->flushed < FLUSH_SECONDS)
        return;
    trace_flush(play->trace);
    play->flushed = monotonic_seconds();
}

struct outcome play_run(struct play *play)
{
    while (!play->over) {
        bool news = false;
        for (rank_t r = 0; r < play->ranks; r++)
            news = listen_to_rank(play, r) || news;
        news = follow_picks(play) || news;
        if (!play->over)
            answer_ready(play);
        news = (!play->over && answer_withdrawn(play)) || news;
        news = passing_settle(play, news) || news;
        if (!play->over && !news)
            look_for_dead(play);
        if (play->over || news)
            continue;
        if (everybody_gone(play)) {
            end_run(play, RUN_CLEAN);
            play->outcome.code = program_exit_code(play);
        } else if (world_signal(play->world)) {
            end_run(play, RUN_STOPPED);
            play->outcome.code = world_signal(play->world);
        } else if (world_hanging(play->world) != RANK_NONE) {
            end_hanging(play, world_hanging(play->world));
        } else if (world_at_rest(play->world) && let_flood(play)) {
            continue;
        } else if (world_at_rest(play->world) && anybody_asleep(play) && at_rest(play)) {
            answer_ready(play);
        } else {
            flush_record(play);
            world_listen(play->world);
        }
    }
    (void)passing_settle(play, false);
    chronicle_end(play);
    return play->outcome;
}

const struct sem *play_sem(const struct play *play)
{
    return play->sem;
}

bool play_is_waiting(const struct play *play, rank_t r)
{
    return play->player[r].mode == PLAYER_WAITS && world_rank(play->world, r)->life == LIFE_ASLEEP;
}

const struct op *play_call(const struct play *play, rank_t r)
{
    if (play_rests(&play->player[r]))
        return play->player[r].rest;
    return &play->player[r].call;
}

const struct op *play_op(const struct play *play, op_id id)
{
    return &item_at(play, item_of(play, id))->op;
}

size_t play_complaints(const struct play *play)
{
    return play->complaints.n;
}

const struct op *play_complaint(const struct play *play, size_t i, rank_t *rank)
{
    *rank = play->complaints.at[i].rank;
    return play->complaints.at[i].op;
}

static const char *look_up_name(const struct play *play, const struct map *map, struct map_key key)
{
    uint32_t index;
    return map_get(map, key, &index) ? play->names.at[index].text : NULL;
}

const struct op *play_init(const struct play *play, rank_t r)
{
    return play->player[r].init;
}

const char *play_context_name(const struct play *play, context_t context)
{
    return look_up_name(play, &play->context_name, map_key(context));
}

const char *play_type_name(const struct play *play, rank_t r, uint32_t type)
{
    return look_up_name(play, &play->type_name, map_key2(r, type));
}
