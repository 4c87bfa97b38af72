/*
 * Two ranks access each other's window, and expose their own only then.  MPI_Win_start is a standard send that MPI_Win_post receives (W4), so it may wait for the
 * post or not: either both wait there, or one does not, and then both come to their ends.
 *
 * spin: 2 outcomes, deadlock
 */
#define RANKS 2
#define SENDS 3
#define RECVS 2
#define REQUESTS 3
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#define WINDOWS
#include "mpi.pml"

#define START 1 /* tags */
#define COMPLETE 2
#define BY(r) ((r) + 1)

proctype rank(byte me)
{
    byte other = 1 - me;
    atomic {
        QUIET ->
        ENTER(me, 1);
        send(me, other, 0, START, STANDARD, 0, BY(me), 0, 1);
        PASS(me, 1, DONE(me, 0));
        let_go(me, 0);
        send(me, other, 0, COMPLETE, BUFFERED, 0, BY(me), 0, 2);
        let_go(me, 0);
        recv(me, other, 0, START, 1, 3);
        recv(me, other, 0, COMPLETE, 2, 4);
        REST(me, 4)
    };
    atomic {
        QUIET && DONE(me, 1) && DONE(me, 2) ->
        forget(me, 1);
        forget(me, 2);
        REST(me, 0)
    };
end:
    false
}

init {
    atomic { run rank(0); run rank(1) }
}
