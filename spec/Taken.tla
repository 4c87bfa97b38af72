------------------------------- MODULE Taken -------------------------------
(***************************************************************************)
(* What a matched probe has taken is not received yet (M6): process 0 waits *)
(* for the second message before it receives the first, and the sender of   *)
(* the first for just that.                                                 *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"m", "r", "s"}
Process0 == <<[call |-> "Mprobe", h |-> "m", peer |-> 1, tag |-> 1, comm |-> W]>>
            \o Recv("r", 1, 2, W) \o Mrecv("m")
Process1 == Ssend("s", 1, 0, 1, W) \o Send("s", 2, 0, 2, W)
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Process0 ELSE Process1]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
