/*
 * Two ranks draw a ticket each from a counter, by fetching and incrementing it, which is atomic (W1).  Process 2 is the memory of the window: whose
 * access it takes first is chance, and nobody draws what the other has drawn: two ways to the end.
 *
 * spin: 2 outcomes, no deadlock
 */
#define RANKS 3
#define SENDS 2
#define RECVS 1
#define REQUESTS 2
#define MEETINGS 1
#define PROBES 1
#define WATCH skip
#define CLASH false
#define WINDOWS
#include "mpi.pml"

#define ACCESS 1 /* tags */
#define ANSWER 2
#define MEMORY 2

/* A message of a rank is told by who has sent it, one of the memory by the number that it brings. */
#define BY(r) ((r) + 1)
#define BRINGS(n) ((n) + 10)

proctype rank(byte me)
{
    atomic {
        QUIET ->
        ENTER(me, 1);
        send(me, MEMORY, 0, ACCESS, BUFFERED, 4, BY(me), 0, 1);
        let_go(me, 0);
        recv(me, MEMORY, 0, ANSWER, 1, 2);
        REST(me, 2)
    };
    if
    :: atomic { QUIET && DONE(me, 1) && GOT(me, 1, BRINGS(0)) -> forget(me, 1); ENTER(me, 2); REST(me, 0) }
    :: atomic { QUIET && DONE(me, 1) && GOT(me, 1, BRINGS(1)) -> forget(me, 1); ENTER(me, 3); REST(me, 0) }
    fi;
end:
    false
}

proctype memory(byte me)
{
    byte from, number;
    atomic { QUIET -> ENTER(me, 1); recv(me, ANY, 0, ACCESS, 0, 1); REST(me, 1) };
end:
    do
    :: atomic {
        QUIET && DONE(me, 0) ->
        from = REQUEST(me, 0).got - 1;
        forget(me, 0);
        send(me, from, 0, ANSWER, BUFFERED, 4, BRINGS(number), 1, 2);
        let_go(me, 1);
        recv(me, ANY, 0, ACCESS, 0, 1);
        number++;
        from = 0;
        REST(me, 1)
    }
    od
}

init {
    atomic { run rank(0); run rank(1); run memory(2) }
}
