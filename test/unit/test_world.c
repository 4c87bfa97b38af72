/*
 * Hangs: when silence counts as one, and the stack of a process that does not help.
 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/symbol.h"
#include "world/stack.h"
#include "world/watch.h"

static volatile int *inside; /* shared: the child has come to where it stays */

static void spin(void)
{
    *inside = 1;
    for (volatile unsigned i = 0;; i++)
        ;
}

static void sleep_long(void)
{
    *inside = 1;
    for (;;)
        pause();
}

static void spin_deaf(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    spin();
}

static void nap(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* However long it takes on a busy machine. */
static pid_t start(void (*body)(void))
{
    *inside = 0;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        body();
        _exit(0);
    }
    while (!*inside)
        nap(1);
    return pid;
}

static void bury(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static char state(pid_t pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    assert_int_equal(fscanf(file, "%*d %*s %c", &state), 1);
    fclose(file);
    return state;
}

static void wait_for_state(pid_t pid, char wanted)
{
    while (state(pid) != wanted)
        nap(10);
}

/* After how many slices of a limit of one second it hangs; 0: not after `most`. */
static int slices_to_hang(pid_t pid, int most)
{
    struct watch watch;
    watch_begin(&watch);
    for (int i = 1; i <= most; i++)
        if (watch_note_slice(&watch, pid, 1))
            return i;
    return 0;
}

static void sleep_counts(void **unused)
{
    (void)unused;
    pid_t pid = start(sleep_long);
    wait_for_state(pid, 'S');
    assert_int_equal(slices_to_hang(pid, 100), 11); /* ten, and the one with which counting begins */
    bury(pid);
}

static void being_stopped_does_not_count(void **unused)
{
    (void)unused;
    pid_t pid = start(sleep_long);
    kill(pid, SIGSTOP);
    wait_for_state(pid, 'T');
    assert_int_equal(slices_to_hang(pid, 100), 0);
    kill(pid, SIGCONT);
    wait_for_state(pid, 'S');
    assert_int_equal(slices_to_hang(pid, 100), 11);
    bury(pid);
}

static void pin(pid_t pid)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(pid, sizeof one, &one);
}

/* Two want the same processor: of half a second, either waits for a good part. */
static void waiting_for_a_processor_does_not_count(void **unused)
{
    (void)unused;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    pid_t pid = start(spin), other = start(spin);
    struct watch watch;
    pin(pid);
    pin(other);
    watch_begin(&watch);
    watch_note_slice(&watch, pid, 1);
    nap(500);
    for (int i = 0; i < 10; i++)
        assert_false(watch_note_slice(&watch, pid, 1));
    kill(other, SIGSTOP);
    bool hangs = false;
    for (int i = 0; i < 10; i++)
        hangs = watch_note_slice(&watch, pid, 1);
    assert_true(hangs);
    bury(pid);
    bury(other);
}

static bool is_short_of(const struct timespec *t, int milliseconds)
{
    return t->tv_sec * 1000 + t->tv_nsec / 1000000 < milliseconds;
}

/* Slices may come late, and be few: what it ran in between counts all the same. */
static void what_it_ran_counts(void **unused)
{
    (void)unused;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip();
    pid_t pid = start(spin);
    struct timespec ran = {0};
    clockid_t clock;
    struct watch watch;
    assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
    watch_begin(&watch);
    assert_false(watch_note_slice(&watch, pid, 1));
    do
        nap(50);
    while (clock_gettime(clock, &ran) == 0 && is_short_of(&ran, 2000));
    assert_true(watch_note_slice(&watch, pid, 1));
    bury(pid);
}

static void slices_are_short(void **unused)
{
    (void)unused;
    assert_int_equal(watch_slice(1).tv_nsec, 100 * 1000 * 1000);
    assert_int_equal(watch_slice(1000000).tv_sec, 1);
}

static bool has_function(pid_t pid, const uint64_t *address, int depth, const char *name)
{
    struct symbols *symbols = symbols_new();
    bool found = false;
    for (int i = 0; i < depth; i++) {
        struct trace_place place = {0};
        symbols_place(symbols, pid, address[i], &place);
        found = found || (place.function && strcmp(place.function, name) == 0);
    }
    symbols_free(symbols);
    return found;
}

static void check_stack(void (*body)(void), const char *function)
{
    uint64_t address[STACK_DEPTH];
    pid_t pid = start(body);
    if (body == sleep_long)
        wait_for_state(pid, 'S');
    int depth = stack_take(pid, address);
    assert_in_range(depth, 2, STACK_DEPTH);
    assert_true(has_function(pid, address, depth, function));
    assert_true(has_function(pid, address, depth, "main"));
    wait_for_state(pid, 'T');
    bury(pid);
}

static void stack_of_one_that_blocks_signals(void **unused)
{
    (void)unused;
    check_stack(spin_deaf, "spin");
}

static void stack_of_one_asleep(void **unused)
{
    (void)unused;
    check_stack(sleep_long, "sleep_long");
}

static void stack_of_nobody(void **unused)
{
    (void)unused;
    uint64_t address[STACK_DEPTH];
    pid_t pid = start(sleep_long);
    kill(pid, SIGKILL);
    wait_for_state(pid, 'Z');
    assert_int_equal(stack_take(pid, address), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid); /* its end is still to be heard of */
}

int main(void)
{
    inside = mmap(NULL, sizeof *inside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleep_counts),
        cmocka_unit_test(being_stopped_does_not_count),
        cmocka_unit_test(waiting_for_a_processor_does_not_count),
        cmocka_unit_test(what_it_ran_counts), cmocka_unit_test(slices_are_short),
        cmocka_unit_test(stack_of_one_that_blocks_signals),
        cmocka_unit_test(stack_of_one_asleep),
        cmocka_unit_test(stack_of_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
