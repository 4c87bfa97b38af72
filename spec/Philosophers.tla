---------------------------- MODULE Philosophers ----------------------------
(***************************************************************************)
(* Two ranks lock the part of a window that is their own, then that of the *)
(* other; MPI_Win_lock waits for the lock.  Processes 2 and 3 are the      *)
(* keepers of the locks.  Philosophers.pml has accesses, too.              *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2, 3>>]
TheHandles == {"h"}
Rank(me, other) ==
    LockOwn("h", 2 + me, W) \o Lock("h", 2 + other, W) \o Release("h", 2 + other, W) \o Release("h", 2 + me, W)
TheProgram == [p \in 0 .. 3 |-> IF p < 2 THEN Rank(p, 1 - p) ELSE LockKeeper(2, "h", W)]
TheStart == [p \in 0 .. 3 |-> 1]
=============================================================================
