/*
 * doubt -- why it is not known what the kernel keeps for a process.
 *
 * Two histories that come to the same memory are one only if the kernel keeps the same for both (kernel_effect.h).  And
 * whoever has left something outside of its memory is not run again just to see whether it does the same (drive/steady.h).
 */
#ifndef WORLD_DOUBT_H
#define WORLD_DOUBT_H

#include <stdbool.h>

enum doubt {
    DOUBT_NONE,
    DOUBT_UNHEARD,
    DOUBT_BEFORE,
    DOUBT_SCRIPT,
    DOUBT_CHILD,
    DOUBT_TIMER,
    DOUBT_CHANNEL,
    DOUBT_MEMORY,
    DOUBT_STREAMS,
    DOUBT_DATA,
    DOUBT_FILES, /* these are known, but others find them */
    DOUBT_OTHER,
    DOUBTS
};

/* Behind "because"; of one rank, or of several. */
static inline const char *doubt_text(enum doubt doubt, bool several)
{
    static const char *const texts[DOUBTS][2] = {
        [DOUBT_NONE] = {"nothing is in doubt", "nothing is in doubt"},
        [DOUBT_UNHEARD] = {"the system does not let tourney listen to its system calls",
                           "the system does not let tourney listen to their system calls"},
        [DOUBT_BEFORE] = {"it ended before MPI_Init", "they ended before MPI_Init"},
        [DOUBT_SCRIPT] = {"a script has started it", "a script has started them"},
        [DOUBT_CHILD] = {"it has started a process or a thread", "they have started processes or threads"},
        [DOUBT_TIMER] = {"it has used a timer", "they have used timers"},
        [DOUBT_CHANNEL] = {"it has used a pipe, a socket or a device", "they have used pipes, sockets or devices"},
        [DOUBT_MEMORY] = {"it has changed what its memory may be used for",
                          "they have changed what their memory may be used for"},
        [DOUBT_STREAMS] = {"it has put something else in place of its standard streams",
                           "they have put something else in place of their standard streams"},
        [DOUBT_DATA] = {"it has written too much at a time to be compared",
                        "they have written too much at a time to be compared"},
        [DOUBT_FILES] = {"it has changed files", "they have changed files"},
        [DOUBT_OTHER] = {"it has made system calls whose effects tourney does not know",
                         "they have made system calls whose effects tourney does not know"},
    };
    return texts[doubt < DOUBTS ? doubt : DOUBT_OTHER][several];
}

#endif
