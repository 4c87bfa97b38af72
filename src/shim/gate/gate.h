/*
 * gate -- what the parts of the preloaded library know of each other.
 */
#ifndef SHIM_GATE_GATE_H
#define SHIM_GATE_GATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether this process is one of tourney's ranks. */
bool gate_is_rank(void);

/* Ends this process, which cannot go on under tourney.  The reason is a sentence without its end, and without a name before it. */
_Noreturn void gate_stop(const char *format, ...) __attribute__((format(printf, 1, 2), visibility("hidden")));

/* Whether a file is a parallel MPI library; there may be no shim for it. */
bool gate_is_mpi(const char *path);

/* Whether a number is that of this process or thread, the real or the virtual one (self.c). */
bool gate_is_self(pid_t);

/* Whether the gate itself is busy with MPI's names. */
bool gate_is_opening(void);

/* Has the shim tell of a crash before MPI_Init, for which it is opened (early_crash.h).  Both come back only if nobody can be told. */
typedef void gate_crash_function(int sig);
void gate_tell_crash(int sig) __attribute__((visibility("hidden")));

/*
 * What the shim tells of time, once it is open: whether what a clock shows is real, real and these microseconds
 * later, or these microseconds after MPI_Init, which may not have been called.  And whether it is necessary to sleep that long.
 */
enum gate_time { GATE_TIME_UNKNOWN, GATE_TIME_REAL, GATE_TIME_LATER, GATE_TIME_VIRTUAL };
typedef enum gate_time gate_time_function(uint64_t *microseconds, const void *place);
enum gate_sleep { GATE_SLEEP_UNKNOWN, GATE_SLEEP_REAL, GATE_SLEEP_VIRTUAL };
typedef enum gate_sleep gate_sleep_function(uint64_t microseconds);
/* Which of n alternatives it is to be (shim/bodies/choose.c); -1: MPI is not there. */
typedef int gate_choose_function(int n, const char *name, const void *place);

/*
 * A call on a socket of the program, in a rank that may be copied: whether the shim has done it, with this result, or -1 and errno (shim/virtual/sockets.h).
 * `address` is what is bound or connected to, or NULL, or where an address is to go.
 */
enum gate_socket { GATE_SOCKET_BIND, GATE_SOCKET_LISTEN, GATE_SOCKET_ACCEPT, GATE_SOCKET_CONNECT, GATE_SOCKET_NAME, GATE_SOCKET_CLOSE, GATE_SOCKET_DATA };
struct gate_socket_call {
    enum gate_socket kind;
    int fd;
    void *address;       /* struct sockaddr */
    unsigned int *bytes; /* of it; NULL: there is none */
    const void *place;
};
typedef bool gate_socket_function(const struct gate_socket_call *, int *result);
extern gate_socket_function *gate_connects __attribute__((visibility("hidden")));
extern gate_choose_function *gate_chooses __attribute__((visibility("hidden")));
extern gate_time_function *gate_time __attribute__((visibility("hidden")));
extern gate_sleep_function *gate_sleeps __attribute__((visibility("hidden")));

#endif
