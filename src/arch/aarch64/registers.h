/*
 * registers -- their names, and how the kernel is told of a handler.
 */
#ifndef ARCH_AARCH64_REGISTERS_H
#define ARCH_AARCH64_REGISTERS_H

#include <asm/sigcontext.h>

enum {
    REGISTERS_FAULT_WRITES = 1 << 6, /* of the syndrome of a page fault */
    SYSTEM_CALL_BYTES = 4,           /* of the instruction */
    INSTRUCTIONS_AHEAD = 4,          /* bytes of code that are looked at */
};

/* Where the instruction is. */
static inline uintptr_t registers_place(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.pc;
}

/* Of a page fault: whether something was to be written.  The syndrome is one of the records behind the registers. */
static inline bool registers_fault_writes(const ucontext_t *context)
{
    const char *at = (const char *)context->uc_mcontext.__reserved, *end = at + sizeof context->uc_mcontext.__reserved;
    while (at + sizeof(struct esr_context) <= end) {
        const struct _aarch64_ctx *head = (const struct _aarch64_ctx *)at;
        if (head->magic == ESR_MAGIC)
            return ((const struct esr_context *)at)->esr & REGISTERS_FAULT_WRITES;
        if (head->magic == 0 || head->size == 0)
            break;
        at += head->size;
    }
    return true; /* not told: the more that it may have done */
}

/* MACHINE_STEPS says that it cannot be had: whoever comes here has not asked. */
static inline void registers_step(ucontext_t *context, bool single)
{
    (void)context, (void)single;
    __builtin_trap();
}

/* Of a system call that was caught: its first and second argument; and it is made once more. */
static inline uintptr_t registers_first_argument(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.regs[0];
}

static inline uintptr_t registers_second_argument(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.regs[1];
}

/* Of a system call that was not made: all its arguments, and what it is to return. */
static inline void registers_arguments(const ucontext_t *context, long argument[6])
{
    for (int i = 0; i < 6; i++)
        argument[i] = (long)context->uc_mcontext.regs[i];
}

static inline void registers_set_result(ucontext_t *context, long result)
{
    context->uc_mcontext.regs[0] = (unsigned long long)result;
}

static inline void registers_call_again(ucontext_t *context)
{
    context->uc_mcontext.pc -= SYSTEM_CALL_BYTES;
}

/* How floating-point numbers are rounded, and where the stack of the caller ends. */
struct sleep_registers {
    uint64_t rounding;
    uintptr_t stack;
};

static inline __attribute__((always_inline)) void sleep_registers_read(struct sleep_registers *r)
{
    __asm__ volatile("mrs %0, fpcr; mov %1, sp" : "=r"(r->rounding), "=r"(r->stack));
}

/* What savepoint_mark keeps (savepoint.S knows where): x19 to x30, the stack pointer, d8 to d15, and how numbers are rounded. */
struct savepoint_place {
    uint64_t kept[13];
    uint64_t kept_numbers[8];
    uint64_t rounding;
};

/* ---- the counter of cycles: the kernel does not keep a program from reading it, so no instruction is ever met ---- */

enum { REGISTERS_COUNTER_BYTE = 0 };

static inline uint64_t registers_read_counter(void)
{
    uint64_t cycles;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(cycles));
    return cycles;
}

static inline int registers_counter_instruction(const unsigned char *code)
{
    (void)code;
    return 0;
}

static inline void registers_set_counter(ucontext_t *context, int bytes, uint64_t cycles)
{
    (void)context, (void)bytes, (void)cycles;
}

/* A handler as the kernel knows it: the C library would put in its own way back. */
struct kernel_handler {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    const void *restorer;
    unsigned long mask;
};
enum { KERNEL_HANDLER_RETURNS = 0x04000000 }; /* SA_RESTORER */

#endif
