/*
 * gate_raw -- system calls as the kernel has them, for functions that stand in front of the C library's.
 */
#ifndef SHIM_GATE_RAW_H
#define SHIM_GATE_RAW_H

#include <errno.h>
#include <sys/syscall.h>

static inline long gate_raw(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return number;
}

/* As functions of the C library return it. */
static inline long gate_result(long value)
{
    if (value >= 0 || value < -4095)
        return value;
    errno = (int)-value;
    return -1;
}

#endif
