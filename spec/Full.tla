------------------------------- MODULE Full --------------------------------
(***************************************************************************)
(* As Empty, but with something to combine: the reduction waits for all,    *)
(* and OnlyEarly is right.                                                  *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2>>]
TheHandles == {"r", "b", "s"}
Reduction == CollectiveBut("b", "allreduce", W, ANY, 0, {})
Receiver == <<Post("Irecv", "r", 0, ANY, 0, W), About("Waitall", {"r"})>> \o Reduction \o Recv("s", ANY, 0, W)
Early == Send("s", 1, 0, 0, W) \o Reduction
Late == Reduction \o Send("s", 2, 0, 0, W)
TheProgram == [p \in 0 .. 2 |-> IF p = 0 THEN Receiver ELSE IF p = 1 THEN Early ELSE Late]
TheStart == [p \in 0 .. 2 |-> 1]

OnlyEarly == request[0]["r"].done => request[0]["r"].got = 1
=============================================================================
