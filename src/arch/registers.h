/*
 * registers -- of a process that a signal has interrupted, or that falls asleep; and the instruction that it is at.
 */
#ifndef ARCH_REGISTERS_H
#define ARCH_REGISTERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "arch/machine.h"

#ifdef __x86_64__
#include "arch/x86_64/registers.h"
#elif defined __aarch64__
#include "arch/aarch64/registers.h"
#endif

/*
 * Handlers may come back by this, and only by its system call.  The unwinder and debuggers know it by its bytes.  The
 * kernel looks where the call would return to: before the end.
 */
extern const char signal_return[] __attribute__((visibility("hidden")));
extern const char signal_return_end[] __attribute__((visibility("hidden")));

/* Marks where a rank goes on that comes back to a savepoint (call/wire.h).  0; and 1 when somebody has come back. */
int savepoint_mark(struct savepoint_place *) __attribute__((returns_twice, visibility("hidden")));

/*
 * Puts back `saved` spans from one block and `others` from the next, and goes on at the place, which is in the memory that was put
 * back.  It needs no stack: that is put back, too.
 */
struct saved_span;
_Noreturn void savepoint_return(const struct saved_span *, uint64_t saved, const char *block, uint64_t others,
                                const char *other_block, const struct savepoint_place *)
    __attribute__((visibility("hidden")));

/*
 * Whether the instruction at `code`, or one of those that follow, reads what the program may not need: compilers load
 * several elements at once and some of them for nothing, or one before it is known whether it is needed, which a
 * conditional move then tells.  There are INSTRUCTIONS_AHEAD bytes to be looked at.
 */
bool instruction_reads_ahead(const unsigned char *code);

/*
 * A repeated string instruction that stores, or copies, upwards: all that is left of it.  To step through it takes a step for
 * each element.
 */
struct string_instruction {
    uintptr_t to, from; /* `from` is 0 if it does not copy */
    size_t bytes;
    unsigned element; /* bytes of one */
    unsigned length;  /* of the instruction */
};

/* Whether the one at `code`, where the process stands, is such an instruction; does it, in the memory of this process. */
bool instruction_is_string(const ucontext_t *, const unsigned char *code, struct string_instruction *);
void instruction_do_string(ucontext_t *, const struct string_instruction *);

#endif
