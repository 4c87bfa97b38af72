------------------------------- MODULE Vacant -------------------------------
(***************************************************************************)
(* Rank 0 shares the lock of its own part of a window until it has a       *)
(* message from rank 1.  That has locked and unlocked the part exclusively *)
(* before, without any access, so that it need not have had the lock (D10),*)
(* and shares it then: its first request, which nobody has any use for,    *)
(* holds up nothing, and both come to their end.  Process 2 is the lock, 3 *)
(* the memory.                                                             *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2, 3>>]
TheHandles == {"h", "a"}
Owner == LockSharedOwn("h", 0, 2, W) \o Recv("h", 1, 0, W) \o ReleaseShared("h", 0, 2, W)
Origin == LockAlone("h", 1, 2, W) \o ReleaseAlone("h", 1, 2, W)
          \o LockShared("h", 1, 2, W) \o AccessSharing("h", "a", 1, 3, 2, W) \o Flush("a") \o ReleaseShared("h", 1, 2, W)
          \o Send("h", 0, 0, 0, W)
TheProgram == [p \in 0 .. 3 |-> IF p = 0 THEN Owner
                                ELSE IF p = 1 THEN Origin
                                ELSE IF p = 2 THEN SharedLockKeeper("h", W)
                                ELSE MemoryKeeper(1, "h", 1, W)]
TheStart == [p \in 0 .. 3 |-> 1]
=============================================================================
