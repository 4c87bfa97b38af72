/*
 * Both send, then both receive: fine as long as MPI buffers one of them.  By hand, as an example
 * of a model; scalars of what it has come first.
 *
 * spin: 2 outcomes, deadlock
 */
#define RANKS 2
#define SENDS 1
#define RECVS 1
#define REQUESTS 2
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#include "mpi.pml"

/* A send without a request, which the rank waits for; a receive under request 1. */
proctype rank(byte me)
{
    byte other = 1 - me;
    atomic {
        QUIET ->
        ENTER(me, 1);
        send(me, other, 0, 7, STANDARD, 4, me + 1, 0, 1);
        PASS(me, 1, DONE(me, 0));
        let_go(me, 0);
        recv(me, other, 0, 7, 1, 2);
        REST(me, 2)
    };
    atomic {
        QUIET && DONE(me, 1) ->
        assert(GOT(me, 1, other + 1));
        forget(me, 1);
        REST(me, 0)
    };
end:
    false
}

init {
    atomic { run rank(0); run rank(1) }
}
