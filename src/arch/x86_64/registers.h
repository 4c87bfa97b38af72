/*
 * registers -- their names, flags, and how the kernel is told of a handler.
 */
#ifndef ARCH_X86_64_REGISTERS_H
#define ARCH_X86_64_REGISTERS_H

enum {
    REGISTERS_TRAP_FLAG = 0x100,
    REGISTERS_FAULT_WRITES = 2, /* of the error code of a page fault */
    SYSTEM_CALL_BYTES = 2,      /* of the instruction */
    INSTRUCTIONS_AHEAD = 32,    /* bytes of code that are looked at */
};

/* Where the instruction is. */
static inline uintptr_t registers_place(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Of a page fault: whether something was to be written. */
static inline bool registers_fault_writes(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_ERR] & REGISTERS_FAULT_WRITES;
}

/* After one instruction SIGTRAP comes; or no more. */
static inline void registers_step(ucontext_t *context, bool single)
{
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    *flags = single ? *flags | REGISTERS_TRAP_FLAG : *flags & ~REGISTERS_TRAP_FLAG;
}

/* Of a system call that was caught: its first and second argument; and it is made once more. */
static inline uintptr_t registers_first_argument(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RDI];
}

static inline uintptr_t registers_second_argument(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSI];
}

/* Of a system call that was not made: all its arguments, and what it is to return. */
static inline void registers_arguments(const ucontext_t *context, long argument[6])
{
    static const int order[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int i = 0; i < 6; i++)
        argument[i] = context->uc_mcontext.gregs[order[i]];
}

static inline void registers_set_result(ucontext_t *context, long result)
{
    context->uc_mcontext.gregs[REG_RAX] = result;
}

static inline void registers_call_again(ucontext_t *context)
{
    context->uc_mcontext.gregs[REG_RIP] -= SYSTEM_CALL_BYTES;
}

/* How floating-point numbers are rounded, and where the stack of the caller ends. */
struct sleep_registers {
    uint32_t rounding;
    uint16_t rounding_x87;
    uintptr_t stack;
};

static inline __attribute__((always_inline)) void sleep_registers_read(struct sleep_registers *r)
{
    __asm__ volatile("stmxcsr %0; fnstcw %1; mov %%rsp, %2" : "=m"(r->rounding), "=m"(r->rounding_x87), "=r"(r->stack));
}

/* What savepoint_mark keeps: registers that functions leave as they are, the stack pointer, and the place; how numbers are rounded. */
struct savepoint_place {
    uint64_t kept[8];
    uint32_t rounding;
    uint16_t rounding_x87;
};

/* ---- the counter of cycles ---- */

enum { REGISTERS_COUNTER_BYTE = 0x0f }; /* with which the instructions begin that read it */

static inline uint64_t registers_read_counter(void)
{
    return __builtin_ia32_rdtsc();
}

/* How long the instruction is, if it reads the counter: RDTSC or RDTSCP; else 0. */
static inline int registers_counter_instruction(const unsigned char *code)
{
    if (code[0] != REGISTERS_COUNTER_BYTE)
        return 0;
    return code[1] == 0x31 ? 2 : code[1] == 0x01 && code[2] == 0xf9 ? 3 : 0;
}

/* It has been done, and gave this; RDTSCP also tells a core, the first one. */
static inline void registers_set_counter(ucontext_t *context, int bytes, uint64_t cycles)
{
    greg_t *regs = context->uc_mcontext.gregs;
    regs[REG_RAX] = (greg_t)(uint32_t)cycles;
    regs[REG_RDX] = (greg_t)(cycles >> 32);
    if (bytes == 3)
        regs[REG_RCX] = 0;
    regs[REG_RIP] += bytes;
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
