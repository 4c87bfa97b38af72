----------------------------- MODULE Exclusive -----------------------------
(***************************************************************************)
(* Two ranks lock the same part of a window, that of rank 0, and rank 1    *)
(* accesses it; its MPI_Win_lock returns before the lock is granted.  Both *)
(* come to their end, and the access does not happen before (W2).          *)
(* Process 2 is the keeper of the lock, 3 that of the memory.              *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2, 3>>]
TheHandles == {"h", "a"}
Owner == LockOwn("h", 2, W) \o Release("h", 2, W)
Origin == Lock("h", 2, W) \o Access("h", "a", 0, 3, 2, W) \o Flush("a") \o Release("h", 2, W)
TheProgram == [p \in 0 .. 3 |-> IF p = 0 THEN Owner
                                ELSE IF p = 1 THEN Origin
                                ELSE IF p = 2 THEN LockKeeper(2, "h", W)
                                ELSE MemoryKeeper(1, "h", 1, W)]
TheStart == [p \in 0 .. 3 |-> 1]

Accessed == pc[3] > 2 \/ request[3]["h"].done
Guarded == NoFault /\ (Accessed => \A k \in 1 .. Len(sent[1]) : sent[1][k].tag # ASKS)
=============================================================================
