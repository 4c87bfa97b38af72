#include "shim/virtual/hearing.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/machine.h"
#include "arch/system_call.h"
#include "call/mail.h"

enum { GLANCES = 32 }; /* before another process gets the processor, if there are as many as ranks */

/*
 * A core that many stay awake on goes round among them, though what they wait for may be made on another one, so all but a few sleep.  These stay, since it
 * takes longer to be woken up by another core, and longest if one's own has fallen idle; where there is one core it is a switch like any other.
 */
static const struct manners {
    int times;   /* that one gives the processor away, however many do so on the same core */
    int company; /* others who may do so there for longer */
} on_one_core = {2, 0}, on_several = {6, 4};

/* Both grow with whatever a rank does. */
struct seen_rest {
    uint64_t posted;
    uint32_t turn;
    uint32_t listens;
};

static struct {
    struct wire_head *head;
    rank_t own;
    const int32_t *channels;           /* as hearing_open was told */
    uint32_t listens;                  /* as it was last said */
    uint64_t lack;                     /* the same of `lacks` */
    struct seen_rest rest[MAIL_RANKS]; /* of the others, when they were last seen to rest */
} hearing;

struct wire_channel *hearing_channel(rank_t r)
{
    return (struct wire_channel *)((char *)hearing.head + wire_channel_offset(hearing.channels ? hearing.channels[r] : r));
}

static _Atomic uint32_t *own_word(void)
{
    return &hearing_channel(hearing.own)->listens;
}

void hearing_open(struct wire_head *head, rank_t own, const int32_t *channels)
{
    hearing.head = head;
    hearing.own = own;
    hearing.channels = channels;
}

void hearing_want_rest(bool wanted)
{
    atomic_fetch_add(&hearing.head->rest_wanted, wanted ? 1 : -1);
}

/* For whom, and nothing else. */
static uint32_t without_flags(uint32_t listens)
{
    return listens & ~(uint32_t)(WIRE_LISTENS_AWAKE | WIRE_LISTENS_TO_CHOOSE);
}

/* It waits for a choice, which is made when all rest, or when it is certain. */
static bool waits_for_choice(uint32_t listens)
{
    return without_flags(listens) >= WIRE_LISTENS_NEXT;
}

static uint32_t whole_word_of(rank_t r)
{
    return atomic_load(&hearing_channel(r)->listens);
}

/* The word of a rank, without saying whether it is awake. */
static uint32_t word_of(rank_t r)
{
    return whole_word_of(r) & ~(uint32_t)WIRE_LISTENS_AWAKE;
}

/* Whose turn it is may rest as well, and then it takes all others to rest. */
static bool is_worth_watching(uint32_t listens)
{
    rank_t next = (rank_t)(without_flags(listens) - WIRE_LISTENS_NEXT);
    return !waits_for_choice(listens) || (next != hearing.own && word_of(next) < WIRE_LISTENS_NEVER);
}

bool hearing_can_watch(uint32_t listens)
{
    return listens != WIRE_LISTENS_NOT && atomic_load_explicit(&hearing.head->rest_wanted, memory_order_relaxed) <= 0 && is_worth_watching(listens);
}

void hearing_begin(uint32_t listens, uint32_t undecided)
{
    struct wire_channel *own = hearing_channel(hearing.own);
    if (waits_for_choice(listens))
        hearing_want_rest(true);
    hearing.listens = listens | WIRE_LISTENS_AWAKE;
    atomic_store_explicit(&own->undecided, undecided, memory_order_relaxed);
    atomic_store(&own->listens, hearing.listens);
    atomic_thread_fence(memory_order_seq_cst); /* and then it looks whether it was shown something meanwhile */
}

/* Whoever shows something to one who waits for a choice adds that there may be one. */
static bool still_listens(uint32_t now)
{
    if (waits_for_choice(now) && now == (hearing.listens | WIRE_LISTENS_TO_CHOOSE))
        hearing.listens = now;
    return now == hearing.listens;
}

static bool is_undisturbed(const _Atomic uint32_t *turn, uint32_t answered)
{
    return still_listens(atomic_load(own_word())) && atomic_load_explicit(turn, memory_order_relaxed) == answered;
}

static void say_where_lingers(uint32_t core)
{
    atomic_store_explicit(&hearing_channel(hearing.own)->lingers, core, memory_order_relaxed);
}

static int count_lingering_on(uint32_t core)
{
    int n = 0;
    for (rank_t r = 0; r < hearing.head->first_ranks; r++)
        n += r != hearing.own && atomic_load_explicit(&hearing_channel(r)->lingers, memory_order_relaxed) == core;
    return n;
}

static int cores_of_ranks(void)
{
    return (int)atomic_load_explicit(&hearing.head->cores, memory_order_relaxed);
}

int hearing_glances(void)
{
    return hearing.head->first_ranks <= cores_of_ranks() ? GLANCES : 1;
}

static const struct manners *manners(void)
{
    return cores_of_ranks() > 1 ? &on_several : &on_one_core;
}

bool hearing_give_way(int times)
{
    if (times >= manners()->times) {
        uint32_t core = 1 + (uint32_t)sched_getcpu();
        if (count_lingering_on(core) > manners()->company)
            return false;
        say_where_lingers(core);
    }
    system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    return true;
}

void hearing_end_giving_way(int times)
{
    if (times > on_one_core.times)
        say_where_lingers(0);
}

/* If nobody runs it is tourney's turn, which may take a while. */
bool hearing_linger(const _Atomic uint32_t *turn, uint32_t answered, int times)
{
    int n = 0;
    for (; n < times && atomic_load_explicit(&hearing.head->running, memory_order_relaxed) > 0; n++) {
        for (int left = hearing_glances(); left > 1 && is_undisturbed(turn, answered); left--)
            machine_relax();
        if (!is_undisturbed(turn, answered) || !hearing_give_way(n) || !is_undisturbed(turn, answered))
            break;
    }
    hearing_end_giving_way(n);
    return !is_undisturbed(turn, answered);
}

static int64_t now_in_nanoseconds(void)
{
    struct timespec t = {0};
    own_call(SYS_clock_gettime, (long)CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* From now on who calls has to wake it. */
static void cease_to_be_awake(void)
{
    uint32_t now = hearing.listens;
    while (still_listens(now) && now & WIRE_LISTENS_AWAKE)
        if (atomic_compare_exchange_strong(own_word(), &now, now & ~(uint32_t)WIRE_LISTENS_AWAKE))
            hearing.listens = now &= ~(uint32_t)WIRE_LISTENS_AWAKE;
}

bool hearing_sleep(const _Atomic uint32_t *turn, uint32_t answered)
{
    enum { SHORT = 30 * 1000 }; /* ns */
    int64_t since = now_in_nanoseconds();
    cease_to_be_awake();
    while (is_undisturbed(turn, answered))
        own_call(SYS_futex, own_word(), (long)FUTEX_WAIT, (long)hearing.listens, 0L, 0L, 0L);
    return now_in_nanoseconds() - since < SHORT;
}

bool hearing_end(void)
{
    if (waits_for_choice(hearing.listens))
        hearing_want_rest(false);
    return atomic_exchange(own_word(), WIRE_LISTENS_NOT) == WIRE_LISTENS_CALLED;
}

void hearing_leave(bool leaves)
{
    if (!hearing.head)
        return;
    atomic_store(own_word(), leaves ? WIRE_LISTENS_NEVER : WIRE_LISTENS_NOT);
    for (rank_t r = 0; leaves && r < hearing.head->first_ranks; r++)
        (void)hearing_call(r, WIRE_LISTENS_NEXT + (uint32_t)hearing.own);
}

/* The number of bytes is one that grows with every message, so what was once said of another wait is never taken for this one. */
static uint64_t lack_of(rank_t sender, uint64_t looked)
{
    return looked << 8 | (uint64_t)(1 + sender);
}

void hearing_tell_lack(rank_t sender, uint64_t looked)
{
    uint64_t lack = lack_of(sender, looked);
    if (lack == hearing.lack)
        return;
    hearing.lack = lack;
    atomic_store(&hearing_channel(hearing.own)->lacks, lack);
    (void)hearing_call(sender, WIRE_LISTENS_NEXT + (uint32_t)hearing.own);
}

bool hearing_sends_nothing(rank_t r, uint64_t shown)
{
    return r == hearing.own || (shown != UINT64_MAX && atomic_load(&hearing_channel(r)->lacks) == lack_of(hearing.own, shown)) ||
           whole_word_of(r) == WIRE_LISTENS_NEVER;
}

bool hearing_call(rank_t r, uint32_t listens)
{
    _Atomic uint32_t *word = &hearing_channel(r)->listens;
    atomic_thread_fence(memory_order_seq_cst); /* what was shown comes before the look at whether it is waited for */
    uint32_t now = atomic_load_explicit(word, memory_order_relaxed);
    if (without_flags(now) != listens)
        return false;
    atomic_fetch_add(&hearing.head->running, 1);
    while (without_flags(now) == listens)
        if (atomic_compare_exchange_strong(word, &now, WIRE_LISTENS_CALLED)) {
            if (!(now & WIRE_LISTENS_AWAKE))
                own_call(SYS_futex, word, (long)FUTEX_WAKE, 1L, 0L, 0L, 0L);
            return true;
        }
    atomic_fetch_sub(&hearing.head->running, 1);
    return false;
}

/* What it may choose from it finds when it is called; until then it sleeps on. */
static void say_there_is_a_choice(rank_t r)
{
    _Atomic uint32_t *word = &hearing_channel(r)->listens;
    uint32_t now = atomic_load_explicit(word, memory_order_relaxed);
    while (waits_for_choice(now) && !(now & WIRE_LISTENS_TO_CHOOSE) &&
           !atomic_compare_exchange_strong(word, &now, now | WIRE_LISTENS_TO_CHOOSE))
        continue;
}

/* One that listens for somebody else sees it when that one calls, or has called. */
bool hearing_call_receiver(rank_t r)
{
    if (hearing_call(r, WIRE_LISTENS_FOR + (uint32_t)hearing.own) || hearing_call(r, WIRE_LISTENS_NEXT + (uint32_t)hearing.own))
        return true;
    say_there_is_a_choice(r);
    return hearing_is_listening(r);
}

bool hearing_is_listening(rank_t r)
{
    return word_of(r) != WIRE_LISTENS_NOT;
}

bool hearing_may_choose(void)
{
    return !atomic_load_explicit(&hearing.head->tourney_chooses, memory_order_relaxed);
}

static bool listens_at_all(rank_t r)
{
    return word_of(r) >= WIRE_LISTENS_NEVER && atomic_load_explicit(&hearing_channel(r)->undecided, memory_order_relaxed) == 0;
}

bool hearing_call_chooser(void)
{
    rank_t first = RANK_NONE;
    for (rank_t r = hearing.head->first_ranks - 1; r >= 0; r--) {
        if (!listens_at_all(r))
            return false;
        if (word_of(r) & WIRE_LISTENS_TO_CHOOSE)
            first = r;
    }
    return first != RANK_NONE && hearing_may_choose() && hearing_call(first, without_flags(word_of(first)));
}

static struct seen_rest look_at_rest(rank_t r)
{
    struct wire_channel *c = hearing_channel(r);
    return (struct seen_rest){atomic_load(&c->posted), atomic_load(&c->turn), word_of(r)};
}

/* One who has held a rank back has not counted it since. */
bool hearing_others_rest(void)
{
    if (atomic_load(&hearing.head->running) != 1)
        return false;
    for (rank_t r = 0; r < hearing.head->first_ranks; r++) {
        if (r == hearing.own)
            continue;
        hearing.rest[r] = look_at_rest(r);
        if (!listens_at_all(r) || hearing.rest[r].listens < WIRE_LISTENS_NEVER || (r < hearing.own && hearing.rest[r].listens & WIRE_LISTENS_TO_CHOOSE))
            return false;
    }
    return atomic_load(&hearing.head->running) == 1 && hearing_may_choose();
}

bool hearing_others_rested(void)
{
    for (rank_t r = 0; r < hearing.head->first_ranks; r++) {
        struct seen_rest before = hearing.rest[r], now = look_at_rest(r);
        if (r != hearing.own && (now.posted != before.posted || now.turn != before.turn || now.listens != before.listens))
            return false;
    }
    return true;
}
