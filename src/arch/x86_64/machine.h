/*
 * machine -- what others call this machine.
 */
#ifndef ARCH_X86_64_MACHINE_H
#define ARCH_X86_64_MACHINE_H

#include <elf.h>
#include <linux/audit.h>

#define MACHINE_NAME "x86-64"
#define MACHINE_OF_ELF EM_X86_64           /* e_machine */
#define MACHINE_OF_KERNEL AUDIT_ARCH_X86_64 /* of struct seccomp_data */
#define MACHINE_FIRST_LIBC "GLIBC_2.2.5"   /* the version of symbols that its C library has had from the beginning */

/* As debug information numbers registers: the frame pointer and the stack pointer. */
enum { MACHINE_FRAME_POINTER = 6, MACHINE_STACK_POINTER = 7 };

/* The return address of a call is on the stack, at the end of the frame that it returns to. */
enum { MACHINE_CALLS_PUSH = 1 };

/* A process can stop after each instruction. */
enum { MACHINE_STEPS = 1 };

/* In a loop that waits for another core. */
static inline void machine_relax(void)
{
    __builtin_ia32_pause();
}

#endif
