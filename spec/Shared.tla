------------------------------- MODULE Shared -------------------------------
(***************************************************************************)
(* Two ranks put to one place under shared locks, which they have at the   *)
(* same time: both puts can be under way, a race.  Process 2 is the lock,  *)
(* 3 the memory.                                                           *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2, 3>>]
TheHandles == {"h", "a"}
Writer(me) == LockShared("h", me, 2, W) \o AccessSharing("h", "a", me, 3, 2, W) \o Flush("a") \o ReleaseShared("h", me, 2, W)
TheProgram == [p \in 0 .. 3 |-> IF p < 2 THEN Writer(p) ELSE IF p = 2 THEN SharedLockKeeper("h", W) ELSE CounterKeeper(0, 2, "h", W)]
TheStart == [p \in 0 .. 3 |-> 1]
Safe == NoFault /\ NoRace(0 .. 1, "a")
=============================================================================
