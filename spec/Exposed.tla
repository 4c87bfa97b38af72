------------------------------ MODULE Exposed -------------------------------
(***************************************************************************)
(* As Started, with the windows exposed first: all come to their end,      *)
(* whether MPI_Win_start waits or not (W4).                                *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"h", "s", "c"}
Rank(other) == WinPost("s", "c", other, W) \o WinStart("h", other, W) \o WinComplete("h", other, W) \o WinWait("s", "c")
TheProgram == [p \in 0 .. 1 |-> Rank(1 - p)]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
