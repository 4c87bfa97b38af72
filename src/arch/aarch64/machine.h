/*
 * machine -- what others call this machine.
 */
#ifndef ARCH_AARCH64_MACHINE_H
#define ARCH_AARCH64_MACHINE_H

#include <elf.h>
#include <linux/audit.h>

#define MACHINE_NAME "aarch64"
#define MACHINE_OF_ELF EM_AARCH64            /* e_machine */
#define MACHINE_OF_KERNEL AUDIT_ARCH_AARCH64 /* of struct seccomp_data */
#define MACHINE_FIRST_LIBC "GLIBC_2.17"      /* the version of symbols that its C library has had from the beginning */

/* As debug information numbers registers: the frame pointer and the stack pointer. */
enum { MACHINE_FRAME_POINTER = 29, MACHINE_STACK_POINTER = 31 };

/* The return address of a call is in a register, and functions keep it somewhere in their own frames. */
enum { MACHINE_CALLS_PUSH = 0 };

/* Only a debugger can have a process stop after each instruction. */
enum { MACHINE_STEPS = 0 };

/* In a loop that waits for another core. */
static inline void machine_relax(void)
{
    __asm__ volatile("yield");
}

#endif
