#include "shim/channel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/machine.h"
#include "arch/registers.h"
#include "arch/system_call.h"
#include "call/window.h"
#include "shim/fence.h"
#include "shim/library/library.h"
#include "shim/noise.h"
#include "shim/process/open_files.h"
#include "shim/process/rank_claim.h"
#include "shim/touches.h"
#include "shim/turns.h"
#include "shim/virtual/anticipate.h"
#include "shim/virtual/callers.h"
#include "shim/virtual/copy_obstacles.h"
#include "shim/virtual/hearing.h"
#include "shim/virtual/kernel_filter.h"
#include "shim/virtual/savepoint.h"
#include "shim/virtual/seen_messages.h"
#include "shim/virtual/thread_number.h"
#include "shim/virtual/thread_patterns.h"
#include "shim/virtual/virtual_time.h"

static struct {
    struct wire_head *head;
    struct wire_channel *own; /* seen at the same address in every copy of a rank */
    char *arena;
    bool copyable;
    bool pauses; /* after the operation that is being posted */
    bool asks;   /* for what tourney decides: whether that operation does */
    struct op *begun; /* what was put into the ring last; NULL: nobody wants to know, and ranks do not differ by it */
    bool half_full; /* the ring was, when something was last posted */
    void (*flush_units)(const int *); /* of Fortran; NULL: there is none */
} channel;

/* Not through the C library: whether this finds the value changed is chance, and would be told by errno. */
static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    own_call(SYS_futex, word, (long)FUTEX_WAIT, (long)value, 0L, 0L, 0L);
}

static bool (*wants_answer)(void); /* of a rank that sleeps; NULL: nothing but what tourney says is of interest */

/* Until the word changes, or every now and then. */
static void watch_word(_Atomic uint32_t *word, uint32_t value)
{
    const struct timespec slice = {.tv_nsec = 50 * 1000 * 1000};
    if (own_call(SYS_futex, word, (long)FUTEX_WAIT, (long)value, &slice, 0L, 0L) == -ETIMEDOUT && wants_answer())
        channel_withdraw();
}

static void wake_tourney(void)
{
    atomic_fetch_add(&channel.head->events, 1);
    if (atomic_load(&channel.head->awake))
        return;
    own_call(SYS_futex, &channel.head->events, (long)FUTEX_WAKE, 1L, 0L, 0L, 0L);
}

/*
 * A channel is seen, besides where it lies in the shared memory, through a window that is
 * at the same place for a copy of this process: pointers into it are left behind in
 * registers and on the stack.  The call is our own: while a copy makes it, the window is still that of its original, who would be
 * told that its mappings have changed, and had no way back to its savepoints any more.
 */
static bool look_at_channel(int number)
{
    void *there = (char *)channel.head + wire_channel_offset(number);
    size_t size = wire_channel_offset(1) - wire_channel_offset(0);
    long how = MREMAP_MAYMOVE | (channel.own ? MREMAP_FIXED : 0);
    long window = system_call_result(own_call(SYS_mremap, there, 0L, (long)size, how, channel.own, 0L));
    if (window == -1)
        return false;
    channel.own = (struct wire_channel *)window;
    return true;
}

/* Not again for each sleep: the loader counts what it looks up. */
static void find_flush_units(void)
{
    channel.flush_units = (void (*)(const int *))dlsym(RTLD_DEFAULT, "_gfortran_flush_i4");
}

/* Who cannot be the rank does not end by itself: whoever started it might have more to say about that than tourney. */
static void claim_channel_rank(void)
{
    if (rank_claim_take(&channel.own->claim, getpid(), library_traits.name)) {
        if (atomic_load(&channel.own->unwanted))
            wake_tourney(); /* who waits for just this */
        return;
    }
    atomic_store(&channel.head->stranger, 1);
    wake_tourney();
    for (;;)
        pause();
}

/* The environment of a copy names the channel of the rank that it is a copy of. */
bool channel_tell_refusal(const char *why)
{
    if (!channel.own)
        return rank_claim_tell_refusal(why);
    rank_claim_note_refusal(&channel.own->claim, why);
    return true;
}

/* Tourney cannot tell from the signal alone who sent it. */
static void note_own_end(void)
{
    atomic_store(&channel.own->ends_itself, 1);
}

const char *channel_open(const char *world)
{
    char path[64];
    int number;
    uncopied_open(note_own_end);
    if (sscanf(world, "%63[^:]:%d:%d", path, &number, &shim.rank) != 3)
        return WIRE_ENV " is damaged";
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return "tourney is gone";
    struct wire_head *head = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED || head->version != WIRE_VERSION) {
        close(fd);
        return "tourney and its library are of different versions";
    }
    size_t size = head->arena + WIRE_ARENA_SIZE;
    munmap(head, 4096);
    char *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
    if (base == MAP_FAILED)
        return "no address space for the shared memory";
    channel.head = (struct wire_head *)base;
    channel.arena = base + channel.head->arena;
    uncopied_show_segments((struct segment_list *)(base + WIRE_SEGMENTS));
    shim.size = channel.head->ranks;
    shim.universe = channel.head->first_ranks;
    if (!look_at_channel(number))
        return "no address space for the shared memory";
    /* The copy of a rank that was started by a script would be a child of the script, which goes on when the rank has ended, and does so once. */
    channel.copyable = rank_was_started_by_tourney();
    find_flush_units();
    anticipate_open(channel.head, channel.arena, shim.rank);
    if (channel.head->stepped)
        setvbuf(stdout, NULL, _IOLBF, 0); /* what one printed that hangs now is to be seen, too */
    if (channel.head->copied)
        noise_open();
    else
        noise_keep_stack();
    claim_channel_rank();
    return NULL;
}

const struct wire_head *channel_head(void)
{
    return channel.head;
}

void channel_tell_preferred(void)
{
    atomic_store_explicit(&channel.head->preferred, 1, memory_order_relaxed);
}

void channel_tell_measured(void)
{
    if (channel.head)
        atomic_store_explicit(&channel.head->measured, 1, memory_order_relaxed);
}

void channel_tell_early_threads(void)
{
    atomic_store_explicit(&channel.head->early_threads, 1, memory_order_relaxed);
}

static bool is_behind_turn(size_t most)
{
    return noise.posted - atomic_load_explicit(&channel.own->taken, memory_order_acquire) > most;
}

/* tourney reads what ranks have posted who need no answer when somebody else wants one; before the ring is full in any case. */
static void call_reader(void)
{
    bool eager = atomic_load_explicit(&channel.head->eager, memory_order_relaxed);
    bool asked = !anticipate_call(channel.begun) && eager && anticipate_concerns_sleeper(channel.begun);
    bool half_full = is_behind_turn(WIRE_RING / 2);
    if (asked || (half_full && !channel.half_full))
        wake_tourney();
    channel.half_full = half_full;
}

static void wait_for_room(size_t need)
{
    struct wire_channel *own = channel.own;
    while (noise.posted + need - atomic_load_explicit(&own->taken, memory_order_acquire) > WIRE_RING) {
        atomic_store(&own->full, 1);
        if (noise.posted + need - atomic_load(&own->taken) <= WIRE_RING) {
            atomic_store(&own->full, 0);
            return;
        }
        wake_tourney();
        futex_wait(&own->full, 1);
    }
}

/* A record is contiguous: what is left of the ring before its end is skipped. */
static void skip_to_start(size_t need)
{
    size_t left = WIRE_RING - noise.posted % WIRE_RING;
    if (left >= need)
        return;
    wait_for_room(left);
    struct op *skip = (struct op *)(channel.own->ring + noise.posted % WIRE_RING);
    skip->size = left;
    skip->kind = OP_NONE;
    noise.posted += left;
}

/* The next room in the ring, of op->size bytes, for a record; it is not known to tourney before channel_commit. */
static struct op *put_record(const struct op *op)
{
    skip_to_start(op->size);
    wait_for_room(op->size);
    struct op *there = (struct op *)(channel.own->ring + noise.posted % WIRE_RING);
    *(uint64_t *)((char *)there + op->size - sizeof(uint64_t)) = 0; /* records are compared, up to their last byte */
    *there = *op;
    noise.posted += op->size;
    return there;
}

/*
 * Calls of the program only: what else is posted is told by whoever happens to be here, such as a handler.  A function
 * of its own: its frame is large, and would show in the images of ranks that never come here.
 */
static __attribute__((noinline)) void put_call_stack(const struct op *op)
{
    uint64_t address[WIRE_STACK_DEPTH];
    if (op_part(op) == OP_PART_SERVICE || op->kind == OP_CRASH || op->kind == OP_COMPLAINT)
        return;
    size_t bytes, n = callers_find(address, WIRE_STACK_DEPTH);
    bytes = n * sizeof *address;
    struct op *stack = put_record(&(struct op){.kind = WIRE_STACK, .size = op_round(sizeof *stack + bytes), .items = n});
    memcpy(stack + 1, address, bytes);
}

/* The same of what the program touched in windows before. */
static __attribute__((noinline)) void put_touches(const struct op *op)
{
    struct window_touch touch[TOUCHES_MOST];
    uint32_t n;
    if (op_part(op) == OP_PART_SERVICE || op->kind == OP_CRASH || op->kind == OP_COMPLAINT)
        return;
    while ((n = touches_take(touch))) {
        size_t bytes = n * sizeof *touch;
        struct op *record =
            put_record(&(struct op){.kind = WIRE_TOUCHES, .size = op_round(sizeof *record + bytes), .items = n});
        memcpy(record + 1, touch, bytes);
    }
}

/*
 * Before a rank sleeps its other threads come to rest: one that is about to communicate shows up now, and not when what the
 * rank waits for is taken never to come.  One that never rests is not waited for again.  A poll is over at once, and asked
 * again: there is time enough for others between.
 */
static void let_threads_rest(const struct op *op)
{
    enum { PATIENCE = 1000 }; /* ms */
    if (!noise.talker || !op_wants_answer(op) || op_is_poll(op) || op_part(op) == OP_PART_SERVICE)
        return;
    if (!noise.restless)
        noise.restless = !noise_wait_for_threads(PATIENCE);
    if (noise.restless)
        atomic_store(&channel.head->restless, 1);
    if (noise.refused_place)
        shim_refuse_second_thread();
}

/* In a search. */
static void heed_threads(const struct op *op)
{
    if (op->tag == TAG_ANY && (op->kind == OP_RECV || op_probes(op)))
        thread_patterns_note_any_tag(op->context);
    if (turns_know_thread())
        turns_before(op);
    else
        let_threads_rest(op);
}

void shim_saw_message(context_t context, rank_t source, int32_t tag)
{
    seen_message_note(context, source, tag);
}

void *channel_begin(struct op *op, size_t tail)
{
    if (channel.head->copied)
        heed_threads(op);
    if (op->kind == OP_RECV || (op_probes(op) && op->flags & OPF_TAKE))
        seen_messages_compare(op);
    if (!op_is_poll(op))
        noise.grants = 0;
    virtual_time_passes(op);
    op->size = op_round(sizeof *op + tail);
    if (!op->call)
        op->call = shim.call;
    if (!op->place)
        op->place = (uintptr_t)shim.place;
    if (shim.withheld && op_wants_answer(op))
        op->flags |= OPF_WITHHOLDS;
    op->thread = thread_number(channel.head->copied);
    channel.pauses = channel.head->stepped && !op_wants_answer(op);
    channel.asks = op_wants_answer(op) && op_part(op) != OP_PART_SERVICE;
    if (channel.head->stacks)
        put_call_stack(op);
    if (touches_are_waiting())
        put_touches(op);
    struct op *record = put_record(op);
    if (anticipate_is_on())
        channel.begun = record;
    if (op->size != sizeof *op + tail) /* the ring has had other owners, whose bytes shall not show in the padding */
        memset((char *)record + op->size - 8, 0, 8);
    return record + 1;
}

/* Remarks of a play: nobody is waiting for them, so they are read with what follows, or when the ring is full. */
static bool is_mere_remark(const struct op *op)
{
    return op->kind == OP_ACCESS || (op->kind == OP_WINDOW && !op_tells_done(op));
}

static void commit_in_play(void)
{
    if (is_mere_remark(channel.begun)) {
        atomic_store_explicit(&channel.own->posted, noise.posted, memory_order_release);
        return;
    }
    anticipate_note(channel.begun);
    atomic_store_explicit(&channel.own->posted, noise.posted, memory_order_seq_cst);
    call_reader();
}

static void commit_in_search(void)
{
    atomic_store_explicit(&channel.own->posted, noise.posted, memory_order_seq_cst);
    noise_wipe_stack(); /* of pointers into the ring: how far it is filled is no matter of the rank's */
}

void channel_commit(void)
{
    if (anticipate_is_on())
        commit_in_play();
    else
        commit_in_search();
    if (channel.pauses)
        channel_sleep();
}

void channel_abandon(void)
{
    noise.posted = atomic_load(&channel.own->posted);
}

void channel_post(struct op *op, const void *tail, size_t size)
{
    void *to = channel_begin(op, size);
    if (size)
        memcpy(to, tail, size);
    channel_commit();
}

/* Hands a descriptor over; false: tourney cannot take it. */
static bool hand_over_listener(int fd, uint32_t more)
{
    uint32_t offer = ((uint32_t)fd + 1) | more, now;
    atomic_store(&channel.own->listener, offer);
    wake_tourney();
    while ((now = atomic_load(&channel.own->listener)) == offer)
        futex_wait(&channel.own->listener, offer);
    close(fd);
    return now == 0;
}

/* Up to here nothing that it does concerns the other ranks, and it may have come up beside them. */
static void wait_until_wanted(void)
{
    while (atomic_load(&channel.own->unwanted))
        futex_wait(&channel.own->unwanted, 1);
}

/* Once the filter is there somebody has to listen, or system calls would fail. */
void channel_watch_kernel(void)
{
    wait_until_wanted();
    int trial = channel.head->images && channel.copyable ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (trial < 0 || !hand_over_listener(trial, WIRE_LISTENER_TRIAL))
        return;
    int listener = kernel_filter_install();
    if (listener >= 0 && !hand_over_listener(listener, 0))
        shim_give_up("tourney cannot listen to its system calls");
}

/* What was printed so far is shown, in Fortran too. */
static void flush_output(void)
{
    if (shim.in_runtime)
        return;
    if (channel.flush_units)
        channel.flush_units(NULL);
    fflush(NULL);
}

static _Noreturn void leave(void)
{
    find_flush_units();
    flush_output();
    _exit(0);
}

/*
 * A copy of this process that is a child of the same parent, so that tourney hears
 * of its end.  Where the C library keeps the thread's number that of the original stays: it is
 * in mutexes that the thread holds, which know their owner.
 */
static pid_t clone_sibling(void)
{
    long flags = CLONE_PARENT | CLONE_CHILD_CLEARTID | SIGCHLD;
    return (pid_t)own_call(SYS_clone, flags, 0L, 0L, noise_thread_number(), 0L);
}

/* Tourney hears of the system calls of this thread only. */
static enum obstacle obstacle(bool quiet)
{
    if (!shim_can_be_copied() && !turns_can_be_copied())
        return OBSTACLE_THREADS;
    return channel.copyable ? uncopied_obstacle(quiet && shim_is_single_thread()) : OBSTACLE_SCRIPT;
}

/*
 * The copy finds itself asleep in the same call, on a channel of its own.  Nothing may
 * change here in the memory of either: tourney has looked at it.
 */
static void make_copy(uint64_t number, bool quiet, bool returns)
{
    struct wire_channel *other = (struct wire_channel *)((char *)channel.head + wire_channel_offset(number));
    enum obstacle why = obstacle(quiet);
    pid_t pid = why ? -1 : clone_sibling();
    if (pid < 0)
        atomic_store(&channel.own->obstacle, why ? why : OBSTACLE_SYSTEM);
    if (pid > 0 && noise.has_files)
        open_files_own();
    if (pid != 0) {
        atomic_store(&other->claim.pid, pid); /* -1: tourney sees that there is none */
        wake_tourney();
        return;
    }
    own_call(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    noise.copy = true;
    noise.posted = noise.answered = 0;
    fence_forget_kernel();
    if (!look_at_channel(number))
        _exit(3);
    turns_copied();
    noise.returns = returns && !turns_are_taken() && savepoint_begin();
    if (returns && !noise.returns)
        channel_tell_remapped();
}

/* In a search those who run ahead count each other; the others run one at a time, and tourney waits for that one. */
static bool is_counted(void)
{
    return !channel.head->copied || anticipate_is_on();
}

/* The last one calls who has a choice; false: or is to call tourney. */
static bool count_out_quietly(void)
{
    if (!is_counted())
        return false;
    return atomic_fetch_sub(&channel.head->running, 1) > 1 || (anticipate_is_on() && hearing_call_chooser());
}

static void count_out(void)
{
    if (!count_out_quietly())
        wake_tourney();
}

/* While it is eager, tourney wants to hear of everybody. */
static void count_out_and_tell(void)
{
    if (!count_out_quietly() || atomic_load(&channel.head->eager))
        wake_tourney();
}

static bool is_answered(void)
{
    return atomic_load(&channel.own->turn) != noise.answered;
}

/* Who is answered before it sleeps has been counted twice. */
static void fall_asleep(void)
{
    if (!anticipate_is_on() || !is_answered())
        count_out_and_tell();
    else
        atomic_fetch_sub(&channel.head->running, 1);
}

/*
 * Until it is called or answered.  One that waits for a single rank is called by that one, so tourney need not hear of it, unless it was called in
 * vain: the message may not have been shown.
 */
static void listen_asleep(bool in_vain, int patience)
{
    bool called = hearing_linger(&channel.own->turn, noise.answered, patience);
    if (!called && (in_vain || anticipate_awaited() == WIRE_LISTENS_FOR_ALL) && atomic_load(&channel.head->eager))
        wake_tourney();
    anticipate_note_wait(called || hearing_sleep(&channel.own->turn, noise.answered));
}

/*
 * Looks for what the rank lacks, awake and counted as running, as long as nobody waits until all rest.  Takes from `patience` how often it gave the processor
 * away, or all if too many do that.
 */
static const struct answer *watch_mail(int *patience)
{
    enum { SOON = 3 }; /* an answer that comes before is no reason to tell whoever is to send it */
    const struct answer *known = NULL;
    int times = 0, glances = hearing_glances();
    while (!known && *patience > 0 && hearing_can_watch(anticipate_awaited())) {
        if (times == SOON)
            anticipate_tell_lack();
        *patience = hearing_give_way(times++) ? *patience - 1 : 0;
        known = anticipate_look_again(channel.begun, false);
        for (int left = glances; left > 1 && !known && anticipate_awaited() != WIRE_LISTENS_NOT; left--) {
            machine_relax();
            known = anticipate_look_again(channel.begun, false);
        }
    }
    hearing_end_giving_way(times);
    return known;
}

/*
 * Waits until somebody shows what the rank lacks, which is its answer then.  NULL: tourney has answered, or will.  A rank
 * counts as running or not as `noise.asleep` says; one that is called counts, and is counted twice if tourney answers, too.
 */
static const struct answer *sleep_for_mail(void)
{
    int patience = anticipate_patience();
    const struct answer *known = watch_mail(&patience);
    uint32_t called_as = WIRE_LISTENS_NOT;
    if (known)
        anticipate_note_wait(true);
    while (!known && anticipate_awaited() != WIRE_LISTENS_NOT) {
        atomic_store(&channel.own->rests, noise.answered + 1);
        anticipate_tell_lack();
        anticipate_listen();
        uint32_t listens = anticipate_awaited();
        known = anticipate_look_again(channel.begun, false);
        if (known || anticipate_awaited() != listens) {
            if (hearing_end())
                atomic_fetch_sub(&channel.head->running, 1);
            continue;
        }
        if (is_answered())
            atomic_fetch_sub(&channel.head->running, 1);
        else
            count_out();
        listen_asleep(listens == called_as, patience);
        called_as = listens;
        noise.asleep = !hearing_end();
        if (noise.asleep || atomic_load(&channel.own->turn) != noise.answered)
            break;
        known = anticipate_look_again(channel.begun, true);
    }
    return known;
}

/* It is put where answers come: whoever reads them leaves the same behind then, as if it had just been given. */
static void take_foretold(void)
{
    const struct wire_foretold *told = arena_at(noise.foretold);
    memcpy(&channel.own->answer, &told->answer, told->bytes);
}

/* One answer, which may be that the process shall be copied. */
static __attribute__((noinline)) const struct answer *next_answer(uintptr_t stack)
{
    struct wire_channel *own = channel.own;
    if (channel.head->copied)
        own->sleep = noise_places(stack);
    if (noise.returns)
        savepoint_before_sleep(&own->faults);
    if (noise.foretold && channel.asks) {
        take_foretold();
        return &own->answer;
    }
    atomic_store(&own->rests, noise.answered + 1);
    if (anticipate_is_on())
        hearing_want_rest(true);
    if (!noise.asleep)
        fall_asleep();
    noise.asleep = true;
    while (atomic_load_explicit(&own->turn, memory_order_acquire) == noise.answered)
        (wants_answer ? watch_word : futex_wait)(&own->turn, noise.answered);
    if (anticipate_is_on())
        hearing_want_rest(false);
    noise.answered++;
    return &own->answer;
}

/* One that goes back to a savepoint takes its answer there. */
static void wait_or_go_back(uintptr_t stack)
{
    const struct answer *answer = next_answer(stack);
    if (answer->order.back)
        savepoint_go_back(&answer->order, channel.arena);
}

/*
 * Registers that a function has to leave as they are hold variables of the program: they
 * are put on the stack, and those that say how floating-point numbers are rounded, too.
 * From then on nothing above changes until there is an answer: copying happens below.
 */
static __attribute__((noinline)) const struct answer *sleep_for_answer(void)
{
    struct sleep_registers registers;
    __builtin_unwind_init();
    sleep_registers_read(&registers);
    for (bool returned = savepoint_mark(&noise.place);; returned = false) {
        if (returned)
            savepoint_after_return();
        else
            wait_or_go_back(registers.stack);
        const struct answer *answer = &channel.own->answer;
        if (answer->order.save)
            savepoint_make(&answer->order, channel.arena);
        if (answer->kind == ANSWER_COPY)
            make_copy(answer->payload, answer->flag, answer->grant);
        else if (answer->kind == ANSWER_STAY && answer->ahead)
            channel.begun = anticipate_begin_ahead(channel.head, channel.arena, shim.rank, answer->ahead);
        else if (answer->kind != ANSWER_STAY) {
            noise.asleep = false;
            if (answer->kind == ANSWER_GO)
                noise.foretold = answer->next;
            return answer;
        }
    }
}

/* The last rank to fall asleep wakes tourney: all are at rest then, and one wake-up serves them all. */
const struct answer *channel_sleep(void)
{
    const struct answer *known = anticipate_is_on() ? anticipate_answer(channel.begun, &channel.own->turn, noise.answered) : NULL;
    if (!known && anticipate_is_on() && !wants_answer) {
        uncopied_stop_timers();
        known = sleep_for_mail();
        uncopied_start_timers();
    }
    if (known) {
        noise.answered++;
        return known;
    }
    if (channel.head->copied)
        flush_output(); /* what was printed belongs to this process, not to copies of it */
    uncopied_stop_timers();
    savepoint_settle();
    noise_wipe_stack();
    const struct answer *answer = sleep_for_answer();
    uncopied_start_timers();
    if (answer->kind == ANSWER_END)
        leave();
    if (anticipate_is_on())
        anticipate_answered(channel.begun, answer, answer_completions(answer));
    return answer;
}

void channel_sleep_watching(bool (*wants)(void))
{
    wants_answer = wants;
    channel_sleep();
    wants_answer = NULL;
    atomic_store(&channel.own->withdrawn, 0);
}

void channel_withdraw(void)
{
    atomic_store(&channel.own->withdrawn, 1);
    wake_tourney();
}

void channel_leave(void)
{
    hearing_leave(true);
    atomic_store(&channel.own->left, 1);
    count_out_and_tell();
}

bool channel_outlives_mpi(void)
{
    return true;
}

void channel_return(void)
{
    if (is_counted())
        atomic_fetch_add(&channel.head->running, 1);
    atomic_store(&channel.own->left, 0);
    hearing_leave(false);
}

uint64_t channel_poll_key(const struct op *op, const void *tail, size_t size)
{
    const uint64_t asked[] = {op->kind | (uint64_t)op->flags << 32, (uint32_t)op->peer | (uint64_t)op->tag << 32,
                              op->context};
    uint64_t key = 1;
    for (int i = 0; i < 3; i++)
        key = (key ^ asked[i]) * UINT64_C(0x9e3779b97f4a7c15), key ^= key >> 32;
    for (size_t i = 0; i < size; i++)
        key = (key ^ ((const unsigned char *)tail)[i]) * UINT64_C(0x100000001b3);
    return key;
}

static uint32_t *find_grant(uint64_t key)
{
    for (uint32_t i = 0; i < noise.grants && i < NOISE_GRANTS; i++)
        if (noise.grant[i].key == key)
            return &noise.grant[i].left;
    return NULL;
}

bool channel_poll_is_no(uint64_t key)
{
    uint32_t *left = find_grant(key);
    if (left && channel.head->copied)
        left = &noise.granted;
    if (!left || *left == 0)
        return false;
    --*left;
    if (channel.head->copied)
        atomic_fetch_add_explicit(&channel.own->noes, 1, memory_order_relaxed);
    virtual_time_polled(false);
    return true;
}

void channel_forget_grants(void)
{
    noise.grants = 0;
}

/* In a search. */
static void take_grant_for_all(uint32_t grant)
{
    if (!grant)
        noise.grants = 0;
    noise.granted = grant && !atomic_load(&channel.head->take_turns) ? grant - 1 : 0;
}

const struct answer *channel_sleep_polling(uint64_t key)
{
    const struct answer *answer = channel_sleep();
    if (channel.head->copied)
        take_grant_for_all(answer->grant);
    uint32_t *left = find_grant(key);
    virtual_time_polled(answer->flag);
    if (answer->flag) {
        turns_poll_succeeded();
        noise.grants = 0;
    } else if (left) {
        *left = answer->grant;
    } else {
        uint32_t i = noise.grants++ % NOISE_GRANTS;
        noise.grant[i].key = key;
        noise.grant[i].left = answer->grant;
    }
    return answer;
}

const struct completion *answer_completions(const struct answer *answer)
{
    return answer->payload ? arena_at(answer->payload) : (const void *)(answer + 1);
}

uint64_t arena_room(uint64_t bytes)
{
    struct op op = {.kind = OP_ROOM, .room = bytes};
    channel_post(&op, NULL, 0);
    return channel_sleep()->payload;
}

rank_t channel_places(uint32_t spawn, uint32_t n)
{
    struct op op = {.kind = OP_PLACES, .places = n, .type = spawn};
    channel_post(&op, NULL, 0);
    uint64_t first = channel_sleep()->payload;
    return first ? (rank_t)first : RANK_NONE;
}

void *arena_at(uint64_t offset)
{
    return channel.arena + offset;
}

/* What comes is that it goes back, or nothing. */
_Noreturn void channel_end(int code)
{
    fence_lower(); /* what is behind it is put back */
    if (noise.returns) {
        atomic_store(&channel.own->held, 1 + (uint32_t)(code & 0xff));
        for (;;)
            wait_or_go_back((uintptr_t)__builtin_frame_address(0));
    }
    for (;;)
        own_call(SYS_exit_group, (long)code);
}

_Noreturn void channel_end_unfit(void)
{
    atomic_store(&channel.own->unfit, 1);
    for (;;)
        own_call(SYS_kill, own_call(SYS_getpid), (long)SIGKILL);
}

void channel_tell_remapped(void)
{
    atomic_store(&channel.own->remapped, 1);
}

void channel_tell_dropped(uintptr_t start, size_t bytes)
{
    struct wire_channel *own = channel.own;
    uint32_t n = atomic_load(&own->dropped);
    if (n == WIRE_DROPPED) {
        channel_tell_remapped();
        return;
    }
    own->drop[n].start = start;
    own->drop[n].bytes = bytes;
    atomic_store(&own->dropped, n + 1);
}

_Noreturn void channel_wait_for_the_end(void)
{
    for (;;)
        channel_sleep();
}

/* Nobody else can reach the program's memory. */
bool channel_post_lent(struct op *op, void *memory)
{
    (void)op, (void)memory;
    return false;
}
