/*
 * kept_state -- what the program has asked of the kernel that a copy of its process would not have.
 *
 * The preloaded library stands in front of these calls, passes each on, and notes what came of it here.  The shim
 * reads it when the rank shall be copied.  What the MPI library asks for is its own affair: copies have never needed it.
 */
#ifndef SHIM_GATE_KEPT_STATE_H
#define SHIM_GATE_KEPT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "call/obstacle.h"

enum { KEPT_RANGES = 64, KEPT_FILES = 32, KEPT_TIMERS = 8, KEPT_SEGMENTS = 32 };

struct segment_list;

/* An open file that is not the program's: it was there from the start, or the MPI library has opened it. */
struct kept_file {
    int fd; /* what has no name has one number, all together */
    uint64_t device, number;
};

/* Memory that cannot be copied, or could not be if it were writable. */
struct kept_range {
    uintptr_t start, end;
    enum obstacle why;
    bool harmless; /* shared, but only to be read */
};

struct gate_kept {
    bool (*is_internal)(const void *place); /* shim: whether the caller is the MPI library; NULL: it has not come up */
    void (*kills_itself)(void); /* shim: to be told before the rank sends SIGKILL to itself; or NULL */
    void (*handles_faults)(void); /* shim: to be told before the program has SIGSEGV handled by a function of its own; or NULL */
    bool in_library; /* shim: MPI_Init of the library is at work */
    bool alarms;     /* an interval timer was set at some time */
    bool locks;      /* a file was locked at some time */
    int timers;      /* how many POSIX timers exist */
    timer_t timer[KEPT_TIMERS];
    int files;       /* how many files are kept that belong to others than the program */
    struct kept_file file[KEPT_FILES];
    int ranges;
    bool overflow;   /* there are more */
    struct kept_range range[KEPT_RANGES];
    struct segment_list *segments; /* shim: where System V memory is to be noted; NULL: it has not come up */
    int made_segments; /* so much System V memory the program has made here and not removed; beyond KEPT_SEGMENTS: more than that */
    int made_segment[KEPT_SEGMENTS]; /* the numbers of it */
};

#define GATE_KEPT_NAME "tourney_gate_kept"
extern struct gate_kept tourney_gate_kept __attribute__((visibility("default")));

/* Notes memory that cannot be copied, and forgets it, or what there is of one kind; OBSTACLE_NONE: of any (memory.c). */
void gate_keep_range(uintptr_t start, size_t length, enum obstacle why, bool harmless);
void gate_forget_range(uintptr_t start, size_t length, enum obstacle why);

/* The process or thread that the program means by a number: it may be the rank's own, which no process has. */
pid_t gate_meant(pid_t number);

/* Whether a call that returns to `place` was made by the program, and not by the MPI library. */
bool gate_is_of_program(const void *place);

/* Whether a call that returns to `place` was made by the program, in a rank that tourney may copy. */
bool gate_is_of_copied_program(const void *place);

/* The same by the MPI library, once it has come up. */
bool gate_is_of_copied_library(const void *place);

#endif
