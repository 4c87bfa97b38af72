/*
 * obstacle -- why a rank cannot be copied.
 *
 * A copy has the memory of its original.  What the kernel keeps for a process is not all copied: children, timers and
 * locks are not, and pipes and shared memory would be those of the original.  Such a rank is run again from its start
 * in place of being copied.
 */
#ifndef CALL_OBSTACLE_H
#define CALL_OBSTACLE_H

enum obstacle {
    OBSTACLE_NONE,
    OBSTACLE_THREADS,
    OBSTACLE_SCRIPT,
    OBSTACLE_CHILD,
    OBSTACLE_CHANNEL,
    OBSTACLE_NAMELESS_FILE,
    OBSTACLE_SHARED_MEMORY,
    OBSTACLE_KEPT_MEMORY,
    OBSTACLE_TIMER,
    OBSTACLE_LOCK,
    OBSTACLE_SIGNAL,
    OBSTACLE_SYSTEM,
    OBSTACLES
};

/* Behind "because". */
static inline const char *obstacle_text(enum obstacle obstacle)
{
    static const char *const texts[OBSTACLES] = {
        [OBSTACLE_NONE] = "nothing is in the way",
        [OBSTACLE_THREADS] = "it has several threads",
        [OBSTACLE_SCRIPT] = "a script has started it",
        [OBSTACLE_CHILD] = "it has a child process",
        [OBSTACLE_CHANNEL] = "it has a pipe, a socket or another channel of its own",
        [OBSTACLE_NAMELESS_FILE] = "it writes to a file that has no name",
        [OBSTACLE_SHARED_MEMORY] = "it has memory that processes share",
        [OBSTACLE_KEPT_MEMORY] = "it has memory that it keeps from children (madvise)",
        [OBSTACLE_TIMER] = "it has a POSIX timer",
        [OBSTACLE_LOCK] = "it has locked a file",
        [OBSTACLE_SIGNAL] = "a signal is pending",
        [OBSTACLE_SYSTEM] = "the system has no room for more processes",
    };
    return texts[obstacle < OBSTACLES ? obstacle : OBSTACLE_NONE];
}

#endif
