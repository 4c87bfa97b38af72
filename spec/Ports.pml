/*
 * Two ranks connect to a port at which one accepts twice (S2): a connect is a synchronous send to the rank that has the port, an accept a receive from any
 * source.  Who is first is chance: two ways to the end.  With UNACCEPTED it accepts once, and the other one waits for ever.
 *
 * spin: 2 outcomes, no deadlock
 */
#define RANKS 3
#define SENDS 1
#define RECVS 1
#define REQUESTS 1
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#include "mpi.pml"

#define PORTS 0
#define PORT 7
#define BY(r) ((r) + 1)

proctype owner(byte me)
{
    atomic { QUIET -> ENTER(me, 1); recv(me, ANY, PORTS, PORT, 0, 1); REST(me, 1) };
    if
    :: atomic { QUIET && DONE(me, 0) && GOT(me, 0, BY(1)) -> forget(me, 0); ENTER(me, 2) }
    :: atomic { QUIET && DONE(me, 0) && GOT(me, 0, BY(2)) -> forget(me, 0); ENTER(me, 3) }
    fi;
#ifdef UNACCEPTED
    atomic { REST(me, 0) };
#else
    atomic { recv(me, ANY, PORTS, PORT, 0, 1); REST(me, 1) };
    atomic { QUIET && DONE(me, 0) -> forget(me, 0); REST(me, 0) };
#endif
end:
    false
}

proctype client(byte me)
{
    atomic { QUIET -> ENTER(me, 1); send(me, 0, PORTS, PORT, SYNCHRONOUS, 0, BY(me), 0, 1); REST(me, 1) };
    atomic { QUIET && DONE(me, 0) -> forget(me, 0); ENTER(me, 2); REST(me, 0) };
end:
    false
}

init {
    atomic { run owner(0); run client(1); run client(2) }
}
