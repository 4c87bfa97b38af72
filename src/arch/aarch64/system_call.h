/*
 * system_call -- the instruction, with up to six arguments or with four; and calls that this kernel does not have.
 */
#ifndef ARCH_AARCH64_SYSTEM_CALL_H
#define ARCH_AARCH64_SYSTEM_CALL_H

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}

static inline long system_call_4(long number, long a, long b, long c, long d)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}

/*
 * Older machines have these besides newer ones that do more.  Here nobody makes them: they have numbers that no call has, each its
 * own, so that lists of calls are the same everywhere.
 */
enum {
    SYS_access = 0x7000, SYS_alarm, SYS_chmod, SYS_creat, SYS_dup2, SYS_fork, SYS_getdents, SYS_getpgrp, SYS_link,
    SYS_lstat, SYS_mkdir, SYS_open, SYS_pipe, SYS_poll, SYS_readlink, SYS_rename, SYS_rmdir, SYS_select, SYS_stat,
    SYS_symlink, SYS_time, SYS_unlink, SYS_vfork,
};

#endif
