/*
 * system_call -- system calls as the kernel has them: errno stays as it is, and an error is a negative number.
 */
#ifndef ARCH_SYSTEM_CALL_H
#define ARCH_SYSTEM_CALL_H

#include <errno.h>
#include <sys/syscall.h>

#include "arch/machine.h"

#ifdef __x86_64__
#include "arch/x86_64/system_call.h"
#elif defined __aarch64__
#include "arch/aarch64/system_call.h"
#endif

/* As functions of the C library return it. */
static inline long system_call_result(long value)
{
    if (value >= 0 || value < -4095)
        return value;
    errno = (int)-value;
    return -1;
}

/*
 * A system call of the shim's own, of which nobody hears: its number and up to six arguments.  The filter
 * (shim/virtual/kernel_filter.h) knows it by the place to which it returns.
 */
long own_call(long number, ...) __attribute__((visibility("hidden")));
extern const char own_call_return[] __attribute__((visibility("hidden")));

/*
 * Makes a thread in the same way, with this stack and these flags of clone, thread pointer, and word that the kernel makes 0 when the thread is
 * gone; its number, or an error.  The function does not return.
 */
long own_thread_call(void (*function)(void *), void *data, void *stack, long flags, void *pointer, void *gone)
    __attribute__((visibility("hidden")));

/* One of the program's, in place of which SIGSYS came: now it is made, and heard of as any other. */
long caught_call(long number, ...) __attribute__((visibility("hidden")));
extern const char caught_call_return[] __attribute__((visibility("hidden")));

#endif
