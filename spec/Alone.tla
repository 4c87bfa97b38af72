------------------------------- MODULE Alone --------------------------------
(***************************************************************************)
(* Two ranks access one place; one has the lock of it for itself, and the  *)
(* other shares it, with nobody.  MPI_Win_lock may or may not wait for it. *)
(* Never are both under way (W3).  Process 2 is the lock, 3 the memory.    *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2, 3>>]
TheHandles == {"h", "a"}
UsesAlone(me) == LockAlone("h", me, 2, W) \o Access("h", "a", me, 3, 2, W) \o Flush("a") \o ReleaseAlone("h", me, 2, W)
UsesShared(me) == LockShared("h", me, 2, W) \o AccessSharing("h", "a", me, 3, 2, W) \o Flush("a") \o ReleaseShared("h", me, 2, W)
TheProgram == [p \in 0 .. 3 |-> IF p = 0 THEN UsesAlone(0)
                                ELSE IF p = 1 THEN UsesShared(1)
                                ELSE IF p = 2 THEN SharedLockKeeper("h", W)
                                ELSE CounterKeeper(0, 2, "h", W)]
TheStart == [p \in 0 .. 3 |-> 1]
Safe == NoFault /\ NoRace(0 .. 1, "a")
=============================================================================
