#include "world/world.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/log.h"
#include "world/children.h"
#include "world/launch.h"
#include "world/pace.h"
#include "world/program.h"
#include "world/reader.h"
#include "world/signals.h"
#include "world/stranger.h"
#include "world/watch.h"

struct world {
    struct world_options options;
    char *program; /* path; owned */
    struct memory memory;
    struct launch launch;
    struct rank *rank;
    int started;    /* ranks, the first ones */
    rank_t places;  /* numbers below are taken */
    struct pace pace;
    rank_t hanging; /* or RANK_NONE */
    uint32_t heard; /* events up to when the ranks were last listened to */
};

static long futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

static void start_world_rank(struct world *world, rank_t r, const struct birth_place *birth)
{
    struct launch_who who = {.program = world->program, .rank = r, .channel = r, .birth = birth};
    world->rank[r].life = LIFE_RUNNING;
    world->rank[r].pid = launch_rank(&world->launch, &who, &world->options, &world->memory);
}

struct world *world_start(const struct world_options *options)
{
    struct world *world = xcalloc(1, sizeof *world);
    world->options = *options;
    world->hanging = RANK_NONE;
    world->program = program_find(options->argv[0]);
    world->rank = xcalloc(options->ranks, sizeof *world->rank);
    world->started = world->places = options->ranks - options->spawnable;
    memory_open(&world->memory, options->ranks, world->started, options->ranks);
    world->memory.head->slack = options->slack;
    world->memory.head->real_time = options->real_time;
    world->memory.head->unguarded = options->unguarded;
    world->memory.head->accesses = !options->uncompared;
    world->memory.head->running = world->started;
    memory_make_mailboxes(&world->memory);
    children_adopt();
    launch_open(&world->launch, world->program, options, &world->memory);
    signals_take(&world->memory.head->events);
    for (rank_t r = 0; r < world->started; r++)
        start_world_rank(world, r, NULL);
    for (rank_t r = world->started; r < options->ranks; r++)
        world->rank[r].life = LIFE_UNBORN;
    launch_started(&world->launch, options);
    pace_open(&world->pace);
    return world;
}

int world_all_ranks(const struct world *world)
{
    return world->options.ranks;
}

int world_ranks(const struct world *world)
{
    return world->started;
}

rank_t world_take_places(struct world *world, uint64_t n)
{
    rank_t first = world->places;
    if (!world->options.spawnable || n > (uint64_t)(dynamic_registry(world->options.ranks) - first))
        return RANK_NONE;
    world->places += (rank_t)n;
    return first;
}

/* Those with smaller numbers who have none yet will come: until then they are asleep to everybody. */
void world_spawn(struct world *world, rank_t r, struct birth_place birth)
{
    if (world->rank[r].life != LIFE_UNBORN || r >= world->places)
        BUG("rank %d is started twice, or has no number", r);
    if (r >= world->started)
        world->started = r + 1;
    atomic_store(&world->memory.head->tourney_chooses, 1); /* it has no mailboxes */
    atomic_fetch_add(&world->memory.head->running, 1);
    start_world_rank(world, r, &birth);
}

const struct rank *world_rank(const struct world *world, rank_t r)
{
    return &world->rank[r];
}

struct memory *world_memory(struct world *world)
{
    return &world->memory;
}

pid_t world_process(const struct world *world, rank_t r)
{
    pid_t claimed = atomic_load(&memory_channel(&world->memory, r)->claim.pid);
    return claimed ? claimed : world->rank[r].pid;
}

int world_signal(const struct world *world)
{
    (void)world;
    return signals_stop();
}

bool world_at_rest(const struct world *world)
{
    for (rank_t r = 0; r < world->started; r++) {
        const struct rank *rank = &world->rank[r];
        if (rank->life == LIFE_RUNNING && !rank->left && !rank->held)
            return false;
    }
    return true;
}

/* A rank held back is not waited for, so it does not count as running. */
void world_hold(struct world *world, rank_t r, bool hold)
{
    if (world->rank[r].held == hold)
        return;
    world->rank[r].held = hold;
    atomic_store(&world->memory.head->tourney_chooses, 1);
    atomic_fetch_add(&world->memory.head->running, hold ? -1 : 1);
}

static rank_t rank_of_process(const struct world *world, pid_t pid)
{
    for (rank_t r = 0; r < world->started; r++)
        if (world->rank[r].pid == pid && world->rank[r].life != LIFE_GONE)
            return r;
    return RANK_NONE;
}

/* Notes who has ended.  One that was running is counted out on its behalf; of its last words not all may have been read. */
static bool bury_ranks(struct world *world)
{
    bool any = false;
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        rank_t r = rank_of_process(world, pid);
        if (r == RANK_NONE)
            continue;
        struct rank *rank = &world->rank[r];
        bool left = rank->left || atomic_load(&memory_channel(&world->memory, r)->left);
        if (rank->life == LIFE_RUNNING && !left && !rank->held)
            atomic_fetch_sub(&world->memory.head->running, 1);
        rank->life = LIFE_GONE;
        rank->status = status;
        LOG(world, "process %d, rank %d, has ended with status 0x%x", pid, r, (unsigned)status);
        any = true;
    }
    return any;
}

static bool has_posted(const struct world *world, rank_t r)
{
    return reader_has_news(&world->memory, r, world->rank[r].taken);
}

static bool anything_posted(const struct world *world)
{
    for (rank_t r = 0; r < world->started; r++)
        if (!world->rank[r].held && has_posted(world, r))
            return true;
    return false;
}

static bool is_half_full(const struct world *world, rank_t r)
{
    return atomic_load(&memory_channel(&world->memory, r)->posted) - world->rank[r].taken > WIRE_RING / 2;
}

static bool anyone_half_full(const struct world *world)
{
    for (rank_t r = 0; r < world->started; r++)
        if (!world->rank[r].held && (is_half_full(world, r) || atomic_load(&memory_channel(&world->memory, r)->full)))
            return true;
    return false;
}

/* The mistake is in what tourney was told to run, so nothing that was seen of it counts. */
static void refuse_strangers(struct world *world)
{
    for (rank_t r = 0; r < world->started; r++) {
        bool silent = world->rank[r].life == LIFE_GONE || world->hanging == r;
        char *sentence = stranger_in(&memory_channel(&world->memory, r)->claim, world->options.argv[0], silent);
        if (!sentence)
            continue;
        world_end(world);
        world_free(world);
        die("%s", sentence);
    }
}

static bool anyone_withdraws(const struct world *world)
{
    for (rank_t r = 0; r < world->started; r++)
        if (atomic_load_explicit(&memory_channel(&world->memory, r)->withdrawn, memory_order_relaxed))
            return true;
    return false;
}

bool world_withdraws(struct world *world, rank_t r)
{
    struct wire_channel *channel = memory_channel(&world->memory, r);
    return atomic_load_explicit(&channel->withdrawn, memory_order_relaxed) && atomic_exchange(&channel->withdrawn, 0);
}

/* Whether there is anything worth looking at. */
static bool news(struct world *world)
{
    const struct wire_head *head = world->memory.head;
    if (signals_stop())
        return true;
    bool buried = signals_child() && bury_ranks(world);
    if (buried || atomic_load(&head->stranger))
        refuse_strangers(world);
    if (buried)
        return true;
    bool asked = atomic_load(&head->eager) && atomic_load(&head->events) != world->heard;
    bool due = asked || atomic_load(&head->running) <= 0 || anyone_half_full(world);
    return anyone_withdraws(world) || (due && anything_posted(world));
}

/* The lowest rank that runs, of those that still communicate if there are any. */
static rank_t awaited(const struct world *world)
{
    rank_t last = RANK_NONE;
    for (rank_t r = world->started - 1; r >= 0; r--) {
        const struct rank *rank = &world->rank[r];
        if ((rank->life == LIFE_RUNNING || rank->threads_run) && !rank->held && (!rank->left || last == RANK_NONE || world->rank[last].left))
            last = r;
    }
    return last;
}

static void note_silence(struct world *world, struct watch *watch)
{
    rank_t r = awaited(world);
    if (r == RANK_NONE || !watch_note_slice(watch, world_process(world, r), world->options.hang_timeout))
        return;
    world->hanging = r;
    refuse_strangers(world);
}

rank_t world_hanging(const struct world *world)
{
    return world->hanging;
}

int world_hang_timeout(const struct world *world)
{
    return world->options.hang_timeout;
}

static void tell_cores(struct world *world)
{
    atomic_store_explicit(&world->memory.head->cores, (uint32_t)pace_cores(&world->pace), memory_order_relaxed);
}

static void spread_out(struct world *world)
{
    pace_note_computing(&world->pace, world->rank, world->started);
    tell_cores(world);
}

/*
 * Mostly the ranks run in turn and soon all sleep: the last one wakes tourney,
 * once for all.  If that takes long somebody computes, and those who sleep
 * meanwhile are served as they come.  Nor do ranks stay on one core who want nothing for a while.
 */
void world_listen(struct world *world)
{
    static const struct timespec patience = {.tv_nsec = 200 * 1000}, calm = {.tv_nsec = 2 * 1000 * 1000};
    struct timespec slice = watch_slice(world->options.hang_timeout);
    struct wire_head *head = world->memory.head;
    struct watch watch;
    uint32_t events = atomic_load(&head->events);
    watch_begin(&watch);
    while (world->hanging == RANK_NONE) {
        events = atomic_load(&head->events);
        if (news(world))
            break;
        bool eager = atomic_load(&head->eager);
        bool together = eager && world->pace.together;
        const struct timespec *timeout = !eager ? &patience : together ? &calm : world->options.hang_timeout ? &slice : NULL;
        if (futex(&head->events, FUTEX_WAIT, events, timeout) == 0 || errno != ETIMEDOUT)
            continue;
        world->heard = events - 1; /* what was posted meanwhile is looked at, whoever had told nobody */
        if (eager && !together && !anything_posted(world))
            note_silence(world, &watch);
        if (!eager || together)
            spread_out(world);
        atomic_store(&head->eager, 1);
    }
    world->heard = events;
    if (atomic_load(&head->running) <= 0)
        atomic_store(&head->eager, 0);
    pace_note_round(&world->pace, world->rank, world->started);
    tell_cores(world);
}

const struct op *world_peek(struct world *world, rank_t r)
{
    struct rank *rank = &world->rank[r];
    if (!rank->next)
        rank->next = reader_peek(&world->memory, r, &rank->taken, &rank->before);
    return rank->next;
}

bool world_tells_touches(const struct world *world)
{
    return world->launch.sanitizer;
}

bool world_is_too_late(struct world *world, rank_t r)
{
    return reader_is_too_late(world_peek(world, r));
}

void world_take(struct world *world, rank_t r)
{
    struct rank *rank = &world->rank[r];
    const struct op *op = world_peek(world, r);
    rank->attached = rank->attached || op->kind == OP_INIT;
    rank->finalized = op->kind == OP_FINALIZE || (rank->finalized && op->kind != OP_INIT);
    rank->left = rank->left || (op->kind == OP_FINALIZE && !op->rests);
    reader_take(&world->memory, r, &rank->taken);
    rank->next = NULL;
    rank->before = (struct told_before){0};
    world->hanging = RANK_NONE; /* it came in the last moment */
}

void world_note_threads(struct world *world, rank_t r, bool run)
{
    world->rank[r].threads_run = run;
}

void world_fell_asleep(struct world *world, rank_t r)
{
    if (world->rank[r].life == LIFE_RUNNING)
        world->rank[r].life = LIFE_ASLEEP;
}

/* It is counted as running before it can be; false: it knew the answer, and was so already. */
static bool wake_rank(struct world *world, rank_t r, struct answer answer, const void *completions, size_t bytes)
{
    struct rank *rank = &world->rank[r];
    rank->life = LIFE_RUNNING;
    if (world_went_on(world, r)) {
        rank->answered++;
        return false;
    }
    atomic_fetch_add(&world->memory.head->running, 1);
    if (reader_offer_answer(&world->memory, r, rank->answered++, answer, completions, bytes)) {
        pace_note_answer(&world->pace);
        return true;
    }
    atomic_fetch_sub(&world->memory.head->running, 1);
    return false;
}

/* One that knew the answer may have ended since. */
void world_answer(struct world *world, rank_t r, struct answer answer, const void *completions, size_t bytes)
{
    if (world->rank[r].life == LIFE_RUNNING)
        BUG("rank %d is answered but does not wait", r);
    if (world->rank[r].life == LIFE_ASLEEP)
        (void)wake_rank(world, r, answer, completions, bytes);
    else
        world->rank[r].answered++;
}

bool world_went_on(const struct world *world, rank_t r)
{
    return atomic_load(&memory_channel(&world->memory, r)->turn) != world->rank[r].answered;
}

void world_follow(struct world *world, rank_t r)
{
    world->rank[r].answered++;
}

rank_t world_pick(const struct world *world, rank_t r)
{
    uint32_t turn = world->rank[r].answered;
    uint8_t pick = atomic_load(&memory_channel(&world->memory, r)->pick[turn % WIRE_PICKS]);
    return world_went_on(world, r) && pick ? pick - 1 : RANK_NONE;
}

static bool all_gone(const struct world *world)
{
    for (rank_t r = 0; r < world->started; r++)
        if (world->rank[r].life != LIFE_GONE && world->rank[r].life != LIFE_UNBORN)
            return false;
    return true;
}

static void wait_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

void world_end(struct world *world)
{
    enum { GRACE = 200, PATIENCE = 2000 }; /* ms */
    for (rank_t r = 0; r < world->started; r++)
        if (world->rank[r].life != LIFE_GONE && world->rank[r].life != LIFE_UNBORN &&
            (world->rank[r].life != LIFE_ASLEEP || !wake_rank(world, r, (struct answer){.kind = ANSWER_END}, NULL, 0)))
            kill(world->rank[r].pid, SIGTERM);
    for (int ms = 0; ms < PATIENCE; ms++) {
        bool all = all_gone(world);
        if ((all || ms >= GRACE) && !launch_kill_children(&world->launch) && all)
            return;
        if (!bury_ranks(world))
            wait_a_moment();
    }
}

void world_free(struct world *world)
{
    signals_leave();
    pace_close(&world->pace);
    launch_close(&world->launch);
    memory_close(&world->memory);
    free(world->program);
    free(world->rank);
    free(world);
}
