/*
 * fence -- pages that the program cannot touch while it runs, and who touched them.
 *
 * The pages are protected between MPI calls only: in a call, and so whenever a rank sleeps,
 * its memory is as it always was.  An access raises SIGSEGV.  If the guard (guard.h) says
 * that it was allowed, it hit a neighbour on the same page: the page is opened, the
 * one instruction is done with the trap flag set, and the page is closed again.
 *
 * The kernel does not raise a signal for what a system call touches, it lets the call fail.
 * So while a fence is up, all system calls of the program are caught as well
 * (PR_SET_SYSCALL_USER_DISPATCH), the fence is lowered, and the call made.  Where the machine
 * has no trap flag, the kernel does not do that, or the program handles one of the signals itself, or has several
 * threads, there are no fences.
 *
 * What is counted here is forgotten at the next call.
 */
#ifndef SHIM_FENCE_H
#define SHIM_FENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { FENCE_PAGE = 4096, FENCE_RUNS = 32 };

/* Pages in a row. */
struct fence_run {
    uintptr_t start, end;
    bool closed; /* they cannot be read either */
};

/* Appends pages from the one of `start` to the one of `end`-1; asked for by rising addresses.  False: there is no room. */
bool fence_add(struct fence_run *, int *runs, uintptr_t start, uintptr_t end, bool closed);

/* Whether there are any at all. */
bool fence_exists(void);

/*
 * Whether memory can be fenced: writable, private, not the stack, on which everything takes steps.  It may take a while to find
 * out.
 */
bool fence_can_hold(uintptr_t start, uintptr_t end);

/* The same where steps do not matter (touches.h): the stack can be, too. */
bool fence_can_hold_at_any_cost(uintptr_t start, uintptr_t end);

/* After so many steps it is not worth it: the fence is lowered until the next call. */
void fence_raise(const struct fence_run *, int runs, uint32_t most_steps, uint32_t most_system_calls);
bool fence_is_up(void);
uint32_t fence_steps_left(void);
void fence_lower(void);

/* A call in which none is raised.  After many in a row system calls are not caught any more, until one is: as long as they can be, each takes a tenth longer.  Not in a search, where ranks go back. */
void fence_note_calm(void);

/* Whether SIGSYS comes here, for the sake of others; it does from now on if it can. */
bool fence_takes_system_calls(void);

/* In a copy of the process the kernel has forgotten that it catches system calls. */
void fence_forget_kernel(void);

#endif
