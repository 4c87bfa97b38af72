#include "world/herd.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/invariant.h"
#include "world/children.h"
#include "world/image.h"
#include "world/places.h"
#include "world/program.h"
#include "world/reader.h"
#include "world/signals.h"
#include "world/stranger.h"
#include "world/system_v.h"
#include "world/thread_lessons.h"
#include "world/watch.h"

static struct wire_channel *channel_of(const struct herd *herd, int animal)
{
    return memory_channel(&herd->memory, animal);
}

static bool is_earlier(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static struct timespec time_in(struct timespec span)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += span.tv_sec;
    t.tv_nsec += span.tv_nsec;
    if (t.tv_nsec >= 1000 * 1000 * 1000) {
        t.tv_nsec -= 1000 * 1000 * 1000;
        t.tv_sec++;
    }
    return t;
}

/*
 * With a point in time, not a span, as the end: only this form of the call takes
 * one.  True: nothing happened until then.
 *
 * A rank that does not see `awake` fall counted its event before, so the kernel finds another number than `seen`, and returns.
 */
static bool wait_until(struct herd *herd, uint32_t seen, const struct timespec *until)
{
    struct wire_head *head = herd->memory.head;
    atomic_store(&head->awake, 0);
    long woken = syscall(SYS_futex, &head->events, FUTEX_WAIT_BITSET, seen, until, NULL, FUTEX_BITSET_MATCH_ANY);
    bool in_vain = woken < 0 && errno == ETIMEDOUT;
    atomic_store(&head->awake, !head->followed); /* a rank that is followed goes the same way each time */
    return in_vain;
}

/* As above, for a slice of the hang timeout. */
static bool wait_for_event(struct herd *herd, uint32_t seen)
{
    struct timespec slice_end = time_in(watch_slice(herd->options.hang_timeout));
    const struct timespec *until = herd->options.hang_timeout ? &slice_end : NULL;
    if (herd->deadline.tv_sec && (!until || is_earlier(&herd->deadline, until)))
        until = &herd->deadline;
    return wait_until(herd, seen, until) && until == &slice_end;
}

/*
 * The same for one that is ahead.  It tells nobody when it is held, nor of what it posts, unless it needs an answer or its ring is half full: so
 * tourney looks now and then, the more seldom the longer it has waited.
 */
static bool wait_for_one_ahead(struct herd *herd, uint32_t seen, int64_t *waited)
{
    enum { SHORT = 100, LONG = 20 * 1000 }; /* microseconds */
    struct timespec slice = watch_slice(herd->options.hang_timeout);
    int64_t begun = microseconds(), span = *waited < SHORT ? SHORT : *waited > LONG ? LONG : *waited;
    struct timespec end = time_in((struct timespec){.tv_nsec = span * 1000});
    (void)wait_until(herd, seen, &end);
    *waited += microseconds() - begun;
    if (!herd->options.hang_timeout || *waited < slice.tv_sec * 1000000 + slice.tv_nsec / 1000)
        return false;
    *waited = LONG;
    return true;
}

/*
 * Whoever was answered runs on this core.  It is let in before tourney sleeps: if it comes to its next call meanwhile, neither has tourney to
 * be woken up.  Where others want the core, too, one of them may have it for long, and a rank that computes is not there yet: then this
 * is tried ever more seldom.  False: nothing has come.
 */
static bool let_others_run(struct herd *herd, uint32_t seen)
{
    enum { LONG = 100, SELDOM = 1 << 10 }; /* microseconds; waits */
    if (herd->waits_until_yield > 0) {
        herd->waits_until_yield--;
        return false;
    }
    int64_t begun = microseconds();
    sched_yield();
    bool came = atomic_load(&herd->memory.head->events) != seen;
    if (came && microseconds() - begun < LONG)
        herd->waits_per_yield /= 2;
    else if (herd->waits_per_yield < SELDOM)
        herd->waits_per_yield = 2 * herd->waits_per_yield + 1;
    herd->waits_until_yield = herd->waits_per_yield;
    return came;
}

bool herd_is_over(const struct herd *herd)
{
    if (herd->wanted || atomic_load(&herd->memory.head->lessons_due))
        return true;
    if (signals_stop() || !herd->deadline.tv_sec)
        return signals_stop();
    struct timespec now = time_in((struct timespec){0});
    return !is_earlier(&now, &herd->deadline);
}

static void set_deadline(struct herd *herd, double seconds)
{
    if (seconds <= 0)
        return;
    /* The search itself looks at the clock, too, and comes first. */
    herd->deadline = time_in((struct timespec){.tv_sec = (time_t)seconds + 1, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)});
}

/* One runs at a time, so one core is enough: waking another process there is only a switch. */
static void gather_on_one_core(struct herd *herd)
{
    CPU_ZERO(&herd->here);
    CPU_SET(sched_getcpu(), &herd->here);
    sched_getaffinity(0, sizeof herd->cores, &herd->cores);
    CPU_XOR(&herd->aside, &herd->cores, &herd->here);
    if (CPU_COUNT(&herd->aside) == 0)
        herd->aside = herd->here;
    sched_setaffinity(0, sizeof herd->here, &herd->here);
}

void herd_place(struct herd *herd, int animal, bool aside)
{
    sched_setaffinity(herd_process(herd, animal), sizeof herd->here, aside ? &herd->aside : &herd->here);
}

void herd_run_aside(struct herd *herd, int animal, bool aside)
{
    kernel_watch_aside(herd->kernel, herd_process(herd, animal), aside);
}

bool herd_can_run_aside(const struct herd *herd, int animal)
{
    return !kernel_watch_saw_traces(herd->kernel) && !herd_kernel_state(herd, animal).left_traces;
}

void herd_open(struct herd *herd, const struct world_options *options)
{
    memset(herd, 0, sizeof *herd);
    herd->options = *options;
    herd->options.system_heap |= !image_knows_sparse_memory(); /* the other one has most of its addresses in reserve */
    herd->program = program_find(options->argv[0]);
    vec_copy(&herd->places, &options->places);
    memory_open(&herd->memory, options->ranks, options->ranks - options->spawnable, HERD_MAX);
    herd->memory.head->slack = options->slack;
    herd->memory.head->less_slack = options->any_slack;
    herd->memory.head->unguarded = options->unguarded;
    herd->memory.head->stacks = options->stacks;
    herd->memory.head->touches = options->touches;
    herd->memory.head->followed = options->followed;
    herd->memory.head->eager = 1;
    herd->memory.head->copied = 1;
    herd->memory.head->accesses = 1;
    herd->memory.head->files_apart = options->files_apart;
    thread_lessons_heed(herd->memory.head, options->lessons);
    signals_take(&herd->memory.head->events);
    gather_on_one_core(herd);
    set_deadline(herd, options->seconds);
    children_adopt();
    launch_open(&herd->launch, herd->program, options, &herd->memory);
    herd->kernel = options->mute ? kernel_watch_open(&options->made) : NULL;
    herd->memory.head->images = herd->kernel != NULL;
}

static void bury_one(struct herd *herd, pid_t pid, int status)
{
    for (int i = 0; i < HERD_MAX; i++) {
        struct animal *animal = &herd->animal[i];
        if (animal->pid != pid || animal->gone)
            continue;
        herd->dying -= animal->dying;
        if (animal->dying)
            *animal = (struct animal){0};
        animal->gone = animal->pid;
        animal->status = status;
        return;
    }
}

void herd_note_end(struct herd *herd, int animal, int status)
{
    bury_one(herd, herd->animal[animal].pid, status);
}

/*
 * Who has just ended is not buried at once.  Tourney hears of the end of a process from its last thread, which goes on to clear away what /proc has
 * of it.  To bury it meanwhile is to wait for that in the kernel, turning round and round, on the core that this thread needs: some milliseconds for each.
 */
static void bury_animals(struct herd *herd)
{
    enum { REST = 20 * 1000 }; /* microseconds */
    int status;
    pid_t pid;
    if (signals_child() && !herd->ended)
        herd->ended = microseconds();
    if (!herd->ended || microseconds() - herd->ended < REST)
        return;
    herd->ended = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        bury_one(herd, pid, status);
    system_v_remove_unused(memory_segments(&herd->memory));
}

static int status_of_end(const siginfo_t *end)
{
    if (end->si_code == CLD_EXITED)
        return (end->si_status & 0xff) << 8;
    return end->si_status | (end->si_code == CLD_DUMPED ? WCOREFLAG : 0);
}

/* Whether this one has ended, buried or not. */
static bool animal_has_ended(struct herd *herd, int i)
{
    struct animal *animal = &herd->animal[i];
    siginfo_t end = {0};
    bury_animals(herd);
    if (herd->ended && !animal->gone && animal->pid &&
        waitid(P_PID, (id_t)animal->pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid)
        bury_one(herd, animal->pid, status_of_end(&end));
    return animal->gone;
}

/* It takes a process some time to die, so nobody waits for it, unless there are too many. */
static void wait_for_deaths(struct herd *herd)
{
    enum { MOST_DYING = 64 };
    int status;
    while (herd->dying >= MOST_DYING) {
        pid_t pid = waitpid(-1, &status, 0);
        if (pid > 0)
            bury_one(herd, pid, status);
        else if (errno != EINTR)
            BUG("processes that were killed are not ours");
    }
}

/* Also what ranks have started and left. */
static void kill_all(struct herd *herd)
{
    enum { PATIENCE = 2000 }; /* ms */
    for (int ms = 0; ms < PATIENCE && launch_kill_children(&herd->launch); ms++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
}

void herd_close(struct herd *herd)
{
    kill_all(herd);
    kernel_watch_close(herd->kernel);
    signals_leave();
    sched_setaffinity(0, sizeof herd->cores, &herd->cores);
    launch_close(&herd->launch);
    memory_close(&herd->memory);
    vec_release(&herd->places);
    free(herd->program);
}

static int take_place(struct herd *herd, rank_t rank)
{
    for (int i = 0; i < HERD_MAX; i++) {
        if (herd->animal[i].pid || herd->animal[i].awaited)
            continue;
        struct wire_channel *channel = channel_of(herd, i);
        channel->claim = (struct rank_claim){0};
        atomic_store(&channel->posted, 0);
        atomic_store(&channel->taken, 0);
        atomic_store(&channel->turn, 0);
        atomic_store(&channel->rests, 0);
        atomic_store(&channel->full, 0);
        atomic_store(&channel->listener, 0);
        atomic_store(&channel->listens, WIRE_LISTENS_NOT);
        atomic_store(&channel->lingers, 0);
        atomic_store(&channel->left, 0);
        atomic_store(&channel->unwanted, 0);
        atomic_store(&channel->obstacle, OBSTACLE_NONE);
        atomic_store(&channel->ends_itself, 0);
        atomic_store(&channel->held, 0);
        atomic_store(&channel->remapped, 0);
        atomic_store(&channel->dropped, 0);
        atomic_store(&channel->unfit, 0);
        herd->animal[i] = (struct animal){.rank = rank};
        herd->alive++;
        return i;
    }
    BUG("more than %d processes", HERD_MAX);
}

int herd_start(struct herd *herd, rank_t rank, const struct birth_place *birth)
{
    int i = take_place(herd, rank);
    struct launch_who who = {.program = herd->program, .rank = rank, .channel = i, .birth = birth};
    bool waits = herd->kernel && !birth && !herd->options.followed;
    atomic_store(&channel_of(herd, i)->unwanted, waits);
    herd->animal[i].pid = launch_rank(&herd->launch, &who, &herd->options, &herd->memory);
    if (waits)
        sched_setaffinity(herd->animal[i].pid, sizeof herd->cores, &herd->cores);
    return i;
}

bool herd_comes_to_init(struct herd *herd, int i)
{
    enum { PATIENCE = 1 }; /* seconds */
    struct timespec end = time_in((struct timespec){.tv_sec = PATIENCE});
    for (;;) {
        uint32_t seen = atomic_load(&herd->memory.head->events);
        if (atomic_load(&channel_of(herd, i)->claim.pid))
            return true;
        if (animal_has_ended(herd, i) || herd_is_over(herd) || wait_until(herd, seen, &end))
            return false;
    }
}

void herd_want(struct herd *herd, int i)
{
    _Atomic uint32_t *unwanted = &channel_of(herd, i)->unwanted;
    if (!atomic_exchange(unwanted, 0))
        return;
    herd_place(herd, i, false);
    syscall(SYS_futex, unwanted, FUTEX_WAKE, 1, NULL, NULL, 0);
}

bool herd_left_no_traces(const struct herd *herd)
{
    return !kernel_watch_saw_traces(herd->kernel);
}

rank_t herd_take_places(struct herd *herd, rank_t root, const struct op *op)
{
    const struct world_options *options = &herd->options;
    rank_t first_ranks = options->ranks - options->spawnable, first = first_ranks;
    if (op->places)
        first = spawn_places_take(&herd->places, first_ranks, root, op->type, (uint32_t)op->places);
    int64_t needed = (int64_t)first - first_ranks + (int64_t)op->places + 1; /* and the registry */
    if (!options->most_spawned || needed > options->most_spawned + 1)
        return RANK_NONE;
    if (needed > options->spawnable)
        herd->wanted = (int)needed;
    return first;
}

/* It is counted as running before it can be (call/wire.h). */
void herd_offer(struct herd *herd, int i, struct answer answer, const void *completions, size_t bytes)
{
    atomic_fetch_add(&herd->memory.head->running, 1);
    if (!reader_offer_answer(&herd->memory, i, herd->animal[i].answered++, answer, completions, bytes))
        atomic_fetch_sub(&herd->memory.head->running, 1);
}

void herd_answer(struct herd *herd, int i, struct answer answer, const void *completions, size_t bytes)
{
    INVARIANT(herd->animal[i].pid > 0 && !herd->animal[i].dying, "animal %d is answered, and was killed", i);
    if (answer.order.back) {
        herd->animal[i].held = false;
        atomic_store(&channel_of(herd, i)->held, 0);
    }
    if (answer.kind == ANSWER_GO)
        atomic_store(&channel_of(herd, i)->noes, 0);
    if (herd->animal[i].ahead)
        herd_offer(herd, i, answer, completions, bytes);
    else
        reader_answer(&herd->memory, i, answer, completions, bytes);
}

bool herd_send_ahead(struct herd *herd, int i, uint64_t ahead)
{
    herd_run_aside(herd, i, true);
    herd_place(herd, i, true);
    herd_answer(herd, i, (struct answer){.kind = ANSWER_STAY, .ahead = ahead}, NULL, 0);
    herd->animal[i].ahead = true;
    herd->animal[i].answered = atomic_load(&channel_of(herd, i)->turn);
    return reader_sleep(&herd->memory, i);
}

bool herd_went_on(struct herd *herd, int i)
{
    if (atomic_load(&channel_of(herd, i)->turn) == herd->animal[i].answered)
        return false;
    herd->animal[i].answered++;
    return true;
}

bool herd_is_held_aside(const struct herd *herd, int i)
{
    return herd->animal[i].ahead && kernel_watch_holds(herd->kernel, herd_process(herd, i));
}

uint32_t herd_noes(const struct herd *herd, int i)
{
    return atomic_load(&channel_of(herd, i)->noes);
}

uint32_t herd_changed_files(const struct herd *herd)
{
    return kernel_watch_changed_files(herd->kernel);
}

void herd_made_files(const struct herd *herd, made_files_t *made)
{
    kernel_watch_made_files(herd->kernel, made);
}

void herd_show_files(struct herd *herd, int i, uint32_t changed)
{
    if (herd->animal[i].files == changed)
        return;
    herd->animal[i].files = changed;
    kernel_watch_show_files(herd->kernel, herd_process(herd, i), changed);
}

bool herd_is_gone(struct herd *herd, int i)
{
    return animal_has_ended(herd, i);
}

bool herd_was_killed(const struct herd *herd, int i)
{
    const struct animal *animal = &herd->animal[i];
    return herd_was_trapped(herd, i) || (animal->gone && WIFSIGNALED(animal->status) && WTERMSIG(animal->status) == SIGKILL &&
                                        !atomic_load(&channel_of(herd, i)->ends_itself));
}

/* SIGSYS that cannot come ends the process. */
bool herd_was_trapped(const struct herd *herd, int i)
{
    const struct animal *animal = &herd->animal[i];
    return animal->gone && animal->trapped && WIFSIGNALED(animal->status) &&
           (WTERMSIG(animal->status) == SIGSYS || atomic_load(&channel_of(herd, i)->unfit));
}

/* Whether nothing was heard of an animal since it last looked at its files; otherwise it looks now. */
static bool is_quiet(struct herd *herd, int i)
{
    struct animal *animal = &herd->animal[i];
    struct kernel_state kernel = kernel_watch_state(herd->kernel, herd_process(herd, i));
    bool quiet = animal->looked && animal->heard == kernel.heard;
    animal->looked = kernel.unknowable != DOUBT_UNHEARD;
    animal->heard = kernel.heard;
    return quiet;
}

/* One that cannot be copied may not have come to look. */
static void note_looked(struct herd *herd, int original, int copy)
{
    struct animal *animal = &herd->animal[original];
    animal->looked = animal->looked && copy >= 0;
    if (copy >= 0) {
        herd->animal[copy].looked = animal->looked;
        herd->animal[copy].heard = animal->heard;
    }
}

int herd_copy(struct herd *herd, int original, bool returns, enum obstacle *why)
{
    int i = take_place(herd, herd->animal[original].rank);
    struct wire_channel *channel = channel_of(herd, i);
    struct answer answer = {.kind = ANSWER_COPY, .flag = is_quiet(herd, original), .grant = returns, .payload = i};
    herd_answer(herd, original, answer, NULL, 0);
    *why = OBSTACLE_NONE;
    int32_t pid;
    for (;;) {
        uint32_t seen = atomic_load(&herd->memory.head->events);
        if ((pid = atomic_load(&channel->claim.pid)) != 0)
            break;
        if (herd_is_over(herd)) { /* it need not come any more */
            herd->animal[i].awaited = true;
            return -1;
        }
        if (herd_is_gone(herd, original) && !atomic_load(&channel->claim.pid))
            pid = -1;
        if (pid)
            break;
        wait_for_event(herd, seen);
    }
    if (pid < 0)
        *why = atomic_load(&channel_of(herd, original)->obstacle);
    herd->animal[i].pid = pid > 0 ? pid : 0;
    herd->animal[i].files = herd->animal[original].files;
    herd->animal[i].trapped = returns || herd->animal[original].trapped;
    note_looked(herd, original, pid > 0 ? i : -1);
    herd->alive -= pid < 0;
    if (pid > 0)
        kernel_watch_copied(herd->kernel, herd_process(herd, original), pid);
    return pid > 0 ? i : -1;
}

void herd_kill(struct herd *herd, int i)
{
    struct animal *animal = &herd->animal[i];
    if (animal->pid <= 0 || animal->dying) /* no number of a process, or that of another one by now: 0 is all of our group */
        BUG("animal %d is to be killed, and there is none", i);
    herd->alive--;
    if (animal->gone) {
        kernel_watch_gone(herd->kernel, herd_process(herd, i));
        animal->pid = 0;
        return;
    }
    sched_setaffinity(animal->pid, sizeof herd->cores, &herd->cores); /* not where others want to run */
    if (herd_process(herd, i) != animal->pid) /* below a script: it would be left */
        launch_kill_below(&herd->launch, herd_process(herd, i));
    kill(animal->pid, SIGKILL);
    kernel_watch_gone(herd->kernel, herd_process(herd, i)); /* no sooner: a call that waits there is not made any more */
    animal->dying = true;
    herd->dying++;
    wait_for_deaths(herd);
}

/* The mistake is in what tourney was told to run, so nothing that was seen of it counts. */
static void refuse_stranger(struct herd *herd, int i, bool silent)
{
    char *sentence = stranger_in(&channel_of(herd, i)->claim, herd->options.argv[0], silent);
    if (!sentence)
        return;
    herd_close(herd);
    die("%s", sentence);
}

/* A rank that comes up hands over where its system calls can be listened to. */
static void take_listener(struct herd *herd, int i)
{
    _Atomic uint32_t *listener = &channel_of(herd, i)->listener;
    uint32_t offer = atomic_load(listener);
    if (offer == 0 || offer == WIRE_LISTENER_REFUSED)
        return;
    int fd = (int)(offer & ~(uint32_t)WIRE_LISTENER_TRIAL) - 1;
    pid_t pid = herd_process(herd, i);
    bool taken = offer & WIRE_LISTENER_TRIAL ? kernel_watch_can_take(pid, fd) : kernel_watch_begin(herd->kernel, pid, herd->animal[i].rank, fd);
    kernel_watch_show_files(herd->kernel, pid, herd->animal[i].files);
    atomic_store(listener, taken ? 0 : WIRE_LISTENER_REFUSED);
    syscall(SYS_futex, listener, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* One that has savepoints sleeps where it would have ended. */
static void note_held(struct herd *herd, int i)
{
    uint32_t held = atomic_load(&channel_of(herd, i)->held);
    herd->animal[i].held = held;
    if (held && !herd->animal[i].gone)
        herd->animal[i].status = (int)(held - 1) << 8;
}

const struct op *herd_next(struct herd *herd, int i)
{
    struct animal *animal = &herd->animal[i];
    struct watch watch;
    bool silent = false; /* for too long */
    uint32_t noes = 0;
    int64_t waited = 0; /* microseconds, for one that is ahead */
    watch_begin(&watch);
    for (;;) {
        uint32_t seen = atomic_load(&herd->memory.head->events);
        bool ended = animal_has_ended(herd, i);
        take_listener(herd, i);
        note_held(herd, i);
        bool stops = waited && herd_is_held_aside(herd, i);
        bool gone = ended || animal->held; /* looked at first: what it posted before is there then */
        const struct op *op = reader_peek(&herd->memory, i, &animal->taken, &animal->before);
        animal->hangs = silent && !op && !gone;
        if (!op)
            refuse_stranger(herd, i, gone || silent);
        if (op || gone || silent || stops || herd_is_over(herd))
            return op;
        if (herd_noes(herd, i) != noes) { /* it polls, and need not tell of it */
            noes = herd_noes(herd, i);
            watch_begin(&watch);
        }
        bool in_vain = animal->ahead ? wait_for_one_ahead(herd, seen, &waited) : !let_others_run(herd, seen) && wait_for_event(herd, seen);
        if (in_vain)
            silent = watch_note_slice(&watch, herd_process(herd, i), herd->options.hang_timeout);
    }
}

void herd_take(struct herd *herd, int i)
{
    reader_take(&herd->memory, i, &herd->animal[i].taken);
    herd->animal[i].before = (struct told_before){0};
}

static void answer_room(struct herd *herd, int i, uint64_t bytes)
{
    uint64_t room = arena_take(&herd->memory, bytes);
    herd_answer(herd, i, (struct answer){.kind = ANSWER_ROOM, .payload = room}, NULL, 0);
}

void herd_give_room(struct herd *herd, int i)
{
    struct animal *animal = &herd->animal[i];
    uint64_t bytes = reader_peek(&herd->memory, i, &animal->taken, &animal->before)->room;
    herd_take(herd, i);
    if (animal->roomed)
        animal->roomed--;
    else
        answer_room(herd, i, bytes);
}

const struct op *herd_last_posted(const struct herd *herd, int i)
{
    uint64_t at = herd->animal[i].taken;
    const struct op *last = NULL;
    for (const struct op *op; (op = reader_peek(&herd->memory, i, &at, NULL)); at += op->size)
        last = op;
    return last;
}

bool herd_give_room_early(struct herd *herd, int i, const struct op *op)
{
    if (op->kind != OP_ROOM)
        return false;
    herd->animal[i].roomed++;
    answer_room(herd, i, op->room);
    return true;
}

bool herd_tells_touches(const struct herd *herd)
{
    return herd->launch.sanitizer;
}

char *herd_heard(const struct herd *herd, rank_t r)
{
    return herd->launch.listener ? listener_heard(herd->launch.listener, r) : NULL;
}

pid_t herd_process(const struct herd *herd, int i)
{
    int32_t claimed = atomic_load(&channel_of(herd, i)->claim.pid);
    return claimed > 0 ? claimed : herd->animal[i].pid;
}

struct kernel_state herd_kernel_state(const struct herd *herd, int i)
{
    struct kernel_state state = kernel_watch_state(herd->kernel, herd_process(herd, i));
    if (state.unknowable == DOUBT_UNHEARD && herd_process(herd, i) != herd->animal[i].pid)
        state.unknowable = state.left_traces = DOUBT_SCRIPT;
    return state;
}
