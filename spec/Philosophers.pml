/*
 * Two ranks lock the part of a window that is their own, then that of the other, and access it (W1 to W3).  The keepers of locks
 * and memories are processes that receive from anybody: 2 and 3 are the locks, 4 and 5 the memories.
 *
 * MPI_Win_lock of the other's part may return at once or wait for the lock (M7), so each may be stuck there, or where it waits for its access:
 * four ways to a deadlock, and one to the end.
 *
 * spin: 5 outcomes, deadlock
 */
#define RANKS 6
#define SENDS 4
#define RECVS 1
#define REQUESTS 2
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#define WINDOWS
#include "mpi.pml"

#define ASK 1      /* tags: for an exclusive lock, */
#define RELEASE 2  /* it is released, */
#define ACCESS 3   /* an access, */
#define ANSWER 4   /* and its answer */
#define LOCK(r) (2 + (r))
#define MEMORY(r) (4 + (r))

/* A message is told by who has sent it. */
#define BY(r) ((r) + 1)

proctype rank(byte me)
{
    byte other = 1 - me;
    atomic { /* its own lock is a synchronous send */
        QUIET ->
        ENTER(me, 1);
        send_behind(me, LOCK(me), 0, ASK, SYNCHRONOUS, 0, BY(me), 0, 1, LOCK(me));
        REST(me, 1)
    };
    atomic { /* that of the other a standard one */
        QUIET && DONE(me, 0) ->
        forget(me, 0);
        send_behind(me, LOCK(other), 0, ASK, STANDARD, 0, BY(me), 0, 2, LOCK(other));
        PASS(me, 2, DONE(me, 0));
        let_go(me, 0);
        send_behind(me, MEMORY(other), 0, ACCESS, BUFFERED, 4, BY(me), 0, 3, LOCK(other));
        let_go(me, 0);
        recv(me, MEMORY(other), 0, ANSWER, 1, 4);
        REST(me, 3)
    };
    atomic {
        QUIET && DONE(me, 1) ->
        forget(me, 1);
        send_behind(me, LOCK(other), 0, RELEASE, BUFFERED, 0, BY(me), 0, 5, LOCK(other));
        let_go(me, 0);
        send_behind(me, LOCK(me), 0, RELEASE, BUFFERED, 0, BY(me), 0, 6, LOCK(me));
        let_go(me, 0);
        REST(me, 0)
    };
end:
    false
}

/* Whoever is received has the lock; then only it can release it. */
proctype lock(byte me)
{
    byte holder = NOBODY;
    atomic { QUIET -> ENTER(me, 1); recv(me, ANY, 0, ASK, 0, 1); REST(me, 1) };
end:
    do
    :: atomic {
        QUIET && DONE(me, 0) ->
        if
        :: holder == NOBODY -> holder = REQUEST(me, 0).got - 1; forget(me, 0); recv(me, holder, 0, RELEASE, 0, 1)
        :: else -> holder = NOBODY; forget(me, 0); recv(me, ANY, 0, ASK, 0, 1)
        fi;
        REST(me, 1)
    }
    od
}

proctype memory(byte me)
{
    byte from;
    atomic { QUIET -> ENTER(me, 1); recv(me, ANY, 0, ACCESS, 0, 1); REST(me, 1) };
end:
    do
    :: atomic {
        QUIET && DONE(me, 0) ->
        from = REQUEST(me, 0).got - 1;
        forget(me, 0);
        send(me, from, 0, ANSWER, BUFFERED, 4, BY(me), 1, 2);
        let_go(me, 1);
        recv(me, ANY, 0, ACCESS, 0, 1);
        from = 0;
        REST(me, 1)
    }
    od
}

init {
    atomic { run rank(0); run rank(1); run lock(2); run lock(3); run memory(4); run memory(5) }
}
