/*
 * machine -- the processor that tourney and its libraries are built for.
 *
 * All that depends on it is in one folder, src/arch/NAME, behind the headers of this one: how system calls are made
 * (system_call.h), registers and instructions (registers.h), and, in NAME/gate, the stubs of the preloaded library.
 * Another machine is another folder, and another line here and in these headers.  Which system calls there are is said by
 * <sys/syscall.h>: the lists in shim/virtual/kernel_filter.c and world/kernel_effect.c name all that some machine has; one that
 * lacks some of them says so in its system_call.h.
 */
#ifndef ARCH_MACHINE_H
#define ARCH_MACHINE_H

#ifdef __x86_64__
#include "arch/x86_64/machine.h"
#elif defined __aarch64__
#include "arch/aarch64/machine.h"
#else
#error "tourney knows x86-64 and aarch64; another machine needs a folder of its own beside src/arch/x86_64"
#endif

#endif
