/*
 * execute -- instructions of another process, executed here.
 *
 * To have the kernel stop a process after each instruction takes microseconds, many of them on a virtual machine.  Most
 * instructions need not run there: given registers and memory they do the same anywhere.  So a copy of the instruction is made, whose
 * memory operand is wherever its bytes are kept here, and is run between loading and storing all registers.
 *
 * Instructions that jump or use the stack are not run but done.  What is not known to be harmless, such as system calls,
 * divisions, which may fail, and those with vectors of more than 16 bytes, is left to the process itself.
 */
#ifndef FLOW_EXECUTE_H
#define FLOW_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/user.h>

#include "flow/instruction.h"

/* The registers of a process.  The order is that of the code in execute.c. */
struct machine {
    uint64_t general[16];
    uint64_t flags;
    uint64_t at; /* rip */
    uint8_t vector[16][16];
    uint32_t rounding;
    uint32_t reserved;
    void *operand; /* where the bytes of the memory operand are */
    uint64_t fs, gs;
};

/* How an instruction is done. */
enum execution_kind {
    EXECUTION_THERE, /* by the process */
    EXECUTION_STUB,
    EXECUTION_JUMP,
    EXECUTION_JUMP_IF,
    EXECUTION_CALL,
    EXECUTION_RETURN,
    EXECUTION_PUSH,
    EXECUTION_POP,
    EXECUTION_LEAVE,
    EXECUTION_ADDRESS, /* lea */
    EXECUTION_IDLE,
    EXECUTION_COPY_STRING, /* movs, one round of it */
    EXECUTION_FILL_STRING, /* stos */
};

struct execution {
    uint8_t kind;
    uint8_t condition; /* JUMP_IF: the machine's number of it */
    uint8_t reg;       /* PUSH, POP, ADDRESS, JUMP, CALL: a general register; NO_REGISTER: none */
    uint8_t bytes;     /* ADDRESS: of the register; RETURN: of parameters that go, too */
    bool by_memory;    /* JUMP, CALL, PUSH: what is in the memory operand */
    bool vectors;      /* uses them */
    uint64_t value;    /* target, or immediate operand */
    void (*stub)(struct machine *);
};

struct executor;
struct executor *executor_new(void); /* NULL: there is no memory in which code can be run */
void executor_free(struct executor *);

struct execution execution_make(struct executor *, const uint8_t *code, uint64_t address, const struct instruction *);

/* Whether a condition holds (the last four bits of the jump's opcode). */
bool execution_holds(uint8_t condition, uint64_t flags);

#endif
