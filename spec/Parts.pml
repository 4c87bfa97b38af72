/*
 * A message of two partitions, of which the sender marks the second ready and waits for an answer before it marks the first (P3).  The receiver polls for
 * the second by MPI_Parrived (P4), which says yes or no, waits for it if it was no, answers, and waits for the whole: two ways to the end.
 *
 * spin: 2 outcomes, no deadlock
 */
#define RANKS 2
#define SENDS 3
#define RECVS 3
#define REQUESTS 4
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#include "mpi.pml"

/* Contexts.  A pair of MPI_Psend_init and MPI_Precv_init, by the order of these calls, has two of its own (P1). */
#define WORLD 0
#define STARTS(pair) (1 + 2 * (pair))
#define PARTS(pair) (2 + 2 * (pair))

/* Requests of the sender, and of the receiver. */
#define ALL 1
#define HEARS 2
#define OF_PART(i) (2 + (i))

proctype sender(byte me)
{
    atomic {
        QUIET ->
        ENTER(me, 1);
        send(me, 1, STARTS(0), 0, STANDARD, 8, 1, ALL, 1);
        send(me, 1, PARTS(0), 1, BUFFERED, 4, 2, 0, 2);
        let_go(me, 0);
        recv(me, 1, WORLD, 0, HEARS, 3);
        REST(me, 1)
    };
    atomic {
        QUIET && DONE(me, HEARS) ->
        forget(me, HEARS);
        ENTER(me, 2);
        send(me, 1, PARTS(0), 0, BUFFERED, 4, 3, 0, 4);
        let_go(me, 0);
        REST(me, 2)
    };
    atomic { QUIET && DONE(me, ALL) -> let_go(me, ALL); ENTER(me, 3); REST(me, 0) };
end:
    false
}

proctype receiver(byte me)
{
    atomic {
        QUIET ->
        ENTER(me, 1);
        recv(me, 0, STARTS(0), 0, ALL, 1);
        recv(me, 0, PARTS(0), 0, OF_PART(0), 2);
        recv(me, 0, PARTS(0), 1, OF_PART(1), 3);
        REST(me, 1)
    };
    if
    :: atomic { QUIET && DONE(me, ALL) && DONE(me, OF_PART(1)) -> ENTER(me, 2) }
    :: atomic { QUIET -> ENTER(me, 3); REST(me, 1); QUIET && DONE(me, ALL) && DONE(me, OF_PART(1)) -> skip }
    fi;
    atomic {
        assert(GOT(me, OF_PART(1), 2));
        forget(me, ALL);
        forget(me, OF_PART(1));
        send(me, 0, WORLD, 0, BUFFERED, 4, 4, 0, 4);
        let_go(me, 0);
        REST(me, 2)
    };
    atomic { QUIET && DONE(me, OF_PART(0)) -> forget(me, OF_PART(0)); REST(me, 0) };
end:
    false
}

init {
    atomic { run sender(0); run receiver(1) }
}
