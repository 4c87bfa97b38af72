------------------------------ MODULE Started -------------------------------
(***************************************************************************)
(* Two ranks access each other's window between MPI_Win_start and          *)
(* complete, and expose their own only then: if MPI_Win_start waits for    *)
(* the post, as it may, nobody comes to it (W4).                           *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"h", "s", "c"}
Rank(other) == WinStart("h", other, W) \o WinComplete("h", other, W) \o WinPost("s", "c", other, W) \o WinWait("s", "c")
TheProgram == [p \in 0 .. 1 |-> Rank(1 - p)]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
