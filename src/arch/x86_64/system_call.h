/*
 * system_call -- the instruction, with up to six arguments or with four.
 */
#ifndef ARCH_X86_64_SYSTEM_CALL_H
#define ARCH_X86_64_SYSTEM_CALL_H

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
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

static inline long system_call_4(long number, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return number;
}

#endif
