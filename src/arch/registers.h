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
#endif

/*
 * Handlers may come back by this, and only by its system call.  The unwinder and debuggers know it by its bytes.  The
 * kernel looks where the call would return to: before the end.
 */
extern const char signal_return[] __attribute__((visibility("hidden")));
extern const char signal_return_end[] __attribute__((visibility("hidden")));

/*
 * Whether the instruction at `code`, or one of those that follow, reads what the program may not need: compilers load
 * several elements at once and some of them for nothing, or one before it is known whether it is needed, which a
 * conditional move then tells.  There are INSTRUCTIONS_AHEAD bytes to be looked at.
 */
bool instruction_reads_ahead(const unsigned char *code);

#endif
