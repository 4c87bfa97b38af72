#include "shim/noise.h"

#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

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

void *noise_thread_number(void)
{
    void *address = NULL;
    prctl(PR_GET_TID_ADDRESS, &address);
    return address;
}

struct wire_sleep noise_places(uintptr_t stack)
{
    return (struct wire_sleep){.stack = stack,
                               .noise = (uintptr_t)&noise,
                               .noise_bytes = sizeof noise,
                               .thread_number = (uintptr_t)noise_thread_number(),
                               .core_number = (uintptr_t)core_number(),
                               .forks = noise.forks,
                               .threads = !shim_can_be_copied()};
}

void noise_wipe_stack(void)
{
    char dead[1024];
    memset(dead, 0, sizeof dead);
    __asm__ volatile("" : : "r"(dead) : "memory");
}
