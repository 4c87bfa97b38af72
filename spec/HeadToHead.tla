----------------------------- MODULE HeadToHead -----------------------------
(***************************************************************************)
(* Both send, then both receive: fine as long as MPI buffers one of them.  *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"s", "r"}
TheProgram == [p \in 0 .. 1 |-> Send("s", p + 1, 1 - p, 7, W) \o Recv("r", 1 - p, 7, W)]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
