#include "shim/virtual/virtual_time.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shim/bodies/alternative.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/noise.h"
#include "shim/turns.h"

enum {
    LONGEST_LEAP = 45, /* 2^45 microseconds are a year */
    PATIENCE = 1024,   /* after so many readings with nothing else in between, readings begin to take longer */
    DOUBLED = 256,     /* they take twice as long after each further so many */
};

/* What the program says of itself to reports is nothing that it does. */
static bool does_something(const struct op *op)
{
    return !op_is_poll(op) && !op_is_remark(op);
}

static void end_leaps(void)
{
    noise.noes = 0;
    noise.slept = 0;
    shim.leap = 0;
    shim.readings = 0;
}

void virtual_time_passes(const struct op *op)
{
    if (shim.clock && op_posts(op))
        shim.clock += 1 + op->bytes / 1000;
    if (does_something(op))
        end_leaps();
}

void virtual_time_polled(bool yes)
{
    if (yes)
        end_leaps();
    else
        noise.noes++;
}

/*
 * Nanoseconds in 63 bits are 292 years, and some have passed since 1970: programs that count so, Python for one, do not bear more.  So a leap is
 * no more than a part of what is left of time, which has no end then.
 */
static uint64_t within_time(uint64_t leap)
{
    enum { PART = 64 };
    const uint64_t latest = UINT64_C(1) << 52; /* microseconds; 142 years */
    uint64_t most = shim.clock < latest ? (latest - shim.clock) / PART : 0;
    return leap < most ? leap : most;
}

/* What has passed while the rank was told no. */
static uint64_t next_leap(void)
{
    if (!noise.noes)
        return 0;
    uint64_t leap = noise.slept + within_time(UINT64_C(1) << shim.leap);
    noise.noes = 0;
    noise.slept = 0;
    if (shim.leap < LONGEST_LEAP)
        shim.leap++;
    return leap;
}

/* A program that computes until some time has passed reads the clock far less often than each microsecond. */
static uint64_t next_tick(void)
{
    uint32_t late = ++shim.readings < PATIENCE ? 0 : (shim.readings - PATIENCE) / DOUBLED;
    return 1 + within_time((UINT64_C(1) << (late < LONGEST_LEAP ? late : LONGEST_LEAP)) - 1);
}

uint64_t virtual_time_read(void)
{
    shim.clock += next_leap() + next_tick();
    return shim.clock;
}

/*
 * Skewed clocks (--clocks=skewed): before a reading the clock of a rank may have leapt, once.  Nobody knows what the program makes
 * of a reading, so each of the first ones is asked about.
 */
static struct {
    uint32_t readings;
    bool has_leapt;
} skew;

static bool clocks_are_skewed(void)
{
    const char *kind = getenv(WIRE_ENV_TIME);
    return kind && strcmp(kind, WIRE_TIME_SKEWED) == 0;
}

static void leap_perhaps(void)
{
    if (!clocks_are_skewed() || skew.has_leapt || skew.readings == WIRE_SKEWED_READINGS || shim.finalized)
        return;
    skew.readings++;
    skew.has_leapt = alternative_choose(2, "clock|finds that its clock goes on|finds that its clock has leapt by an hour");
    if (skew.has_leapt)
        shim.clock += UINT64_C(3600) * 1000000;
}

double body_Wtime(void)
{
    if (shim.up && channel_head()->real_time) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec + now.tv_nsec * 1e-9;
    }
    if (shim.initialized && channel_head()->copied)
        leap_perhaps();
    return 1 + virtual_time_read() * 1e-6;
}

double body_Wtick(void)
{
    return 1e-6;
}

/* Threads other than the first may be those of a library, which want to know how late it is. */
static bool is_program(void)
{
    return shim.up && !entry_is_open() && !channel_head()->real_time &&
           (pthread_equal(shim.main_thread, pthread_self()) || turns_know_thread());
}

bool virtual_time_is_read(void)
{
    return is_program() && channel_head()->copied;
}

__attribute__((visibility("default"))) gate_time_function tourney_shim_time;
enum gate_time tourney_shim_time(uint64_t *microseconds, const void *place)
{
    if (!shim.up && !entry_is_open())
        return GATE_TIME_UNKNOWN;
    if (!is_program())
        return GATE_TIME_REAL;
    if (virtual_time_is_read()) {
        struct entry entry;
        if (clocks_are_skewed()) {
            entry_begin(&entry, CALL_Wtime, place);
            leap_perhaps();
            entry_end(&entry);
        }
        *microseconds = virtual_time_read();
        return GATE_TIME_VIRTUAL;
    }
    *microseconds = shim.leapt += next_leap();
    return GATE_TIME_LATER;
}

/*
 * Whether a program that sleeps need not.  Between two polls nobody will do anything in the meantime; otherwise nobody else
 * depends on how long it takes, unless that is another thread of its own, or a child.
 */
__attribute__((visibility("default"))) gate_sleep_function tourney_shim_sleeps;
enum gate_sleep tourney_shim_sleeps(uint64_t microseconds)
{
    if (!shim.up && !entry_is_open())
        return GATE_SLEEP_UNKNOWN;
    bool takes_turns = turns_are_taken();
    if (!is_program() || !channel_head()->copied || noise.forks || (!takes_turns && !shim_can_be_copied()))
        return GATE_SLEEP_REAL;
    if (takes_turns && !shim.over)
        turns_yield();
    if (noise.noes)
        noise.slept += microseconds;
    else
        shim.clock += microseconds;
    return GATE_SLEEP_VIRTUAL;
}
