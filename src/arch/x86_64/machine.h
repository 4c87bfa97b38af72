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

/* In a loop that waits for another core. */
static inline void machine_relax(void)
{
    __builtin_ia32_pause();
}

#endif
