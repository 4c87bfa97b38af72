#include "shim/noise.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/gate/threads.h"
#include "shim/process/tasks.h"
#include "shim/shim.h"

_Alignas(NOISE_PAGE) struct noise noise = {.entry = PTHREAD_MUTEX_INITIALIZER};

/* Of the C library, since 2.35. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

static void *core_number(void)
{
    bool told = &__rseq_offset && &__rseq_size && __rseq_size;
    return told ? (char *)__builtin_thread_pointer() + __rseq_offset : NULL;
}

static void count_fork(void)
{
    noise.forks++;
}

/* A stream that the program has told to keep nothing stays like that. */
static void place_output(void)
{
    if (__fbufsize(stdout) != 1)
        setvbuf(stdout, noise.output, __flbf(stdout) || isatty(1) ? _IOLBF : _IOFBF, sizeof noise.output);
}

void noise_open(void)
{
    place_output();
    pthread_atfork(count_fork, NULL, NULL);
}

/* R, S, D and so on, behind the name; 0: it is gone.  Nothing of it must stay in memory, where it would be noise. */
static char state_of(pid_t thread)
{
    char text[512] = "";
    snprintf(text, sizeof text, "/proc/self/task/%d/stat", (int)thread);
    int fd = open(text, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    char state = name_end && name_end[1] ? name_end[2] : 0;
    explicit_bzero(text, sizeof text);
    return state;
}

static void look_whether_it_sleeps(pid_t thread, void *data)
{
    bool *all = data;
    char state = thread == (pid_t)own_call(SYS_gettid) ? 0 : state_of(thread);
    *all = *all && state != 'R' && state != 'D';
}

static bool others_sleep(void)
{
    bool all = true;
    tasks_each(look_whether_it_sleeps, &all);
    return all;
}

/* Twice in a row: one that has just come up may have to wait for another before it goes on. */
bool noise_wait_for_threads(int milliseconds)
{
    int quiet = 0;
    for (int i = 0; i < milliseconds && quiet < 2; i++) {
        quiet = others_sleep() ? quiet + 1 : 0;
        if (quiet < 2)
            own_call(SYS_nanosleep, &(struct timespec){.tv_nsec = quiet ? 100 * 1000 : 1000 * 1000}, 0L);
    }
    return quiet == 2;
}

/* It lies where the C library keeps what belongs to the thread, so the kernel is asked once for each. */
void *noise_thread_number(void)
{
    if (noise.numbered != __builtin_thread_pointer()) {
        prctl(PR_GET_TID_ADDRESS, &noise.thread_number);
        noise.numbered = __builtin_thread_pointer();
    }
    return noise.thread_number;
}

#pragma weak tourney_thread_callers

void noise_note_only_thread(void)
{
    noise.only_thread = tourney_thread_callers;
    noise.threads_started = noise.only_thread ? tourney_thread_callers(NULL, 0) : 0;
}

/*
 * Those who begin later come through the gate, so that the kernel need not be asked at each sleep.  One that is made otherwise is
 * heard of by the filter (kernel_filter.h), and its rank is not looked at any more.
 */
static bool has_threads(void)
{
    return !(noise.only_thread && noise.threads_started == tourney_thread_callers(NULL, 0)) && !shim_can_be_copied();
}

struct wire_sleep noise_places(uintptr_t stack)
{
    return (struct wire_sleep){.stack = stack,
                               .first_stack = getauxval(AT_RANDOM),
                               .noise = (uintptr_t)&noise,
                               .noise_bytes = sizeof noise,
                               .thread_number = (uintptr_t)noise_thread_number(),
                               .core_number = (uintptr_t)core_number(),
                               .process = (uintptr_t)&noise.posted,
                               .process_bytes = offsetof(struct noise, asleep) - offsetof(struct noise, posted),
                               .forks = noise.forks,
                               .threads = has_threads()};
}

static bool keeps_stack;

void noise_keep_stack(void)
{
    keeps_stack = true;
}

/* A frame that is never entered costs nothing. */
static __attribute__((noinline)) void wipe_below(void)
{
    char dead[1024];
    memset(dead, 0, sizeof dead);
    __asm__ volatile("" : : "r"(dead) : "memory");
}

void noise_wipe_stack(void)
{
    if (!keeps_stack)
        wipe_below();
}
