/*
 * cycle_counter -- the processor's own counter, which a program reads with an instruction (RDTSC).
 *
 * Where ranks are copied and run again it has to be virtual as all clocks are (virtual_time.h).  The kernel lets the instruction
 * raise SIGSEGV, and the handler does it: a thousand cycles are a microsecond.  That is asked for only if the program has such an
 * instruction, or bytes that look like one, and does not handle that signal itself; if it does so later, what it reads is real from then on, as
what the MPI library reads always is.
 */
#ifndef SHIM_VIRTUAL_CYCLE_COUNTER_H
#define SHIM_VIRTUAL_CYCLE_COUNTER_H

/* At the end of MPI_Init. */
void cycle_counter_open(void);

#endif
