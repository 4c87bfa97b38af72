------------------------------ MODULE Crooked ------------------------------
(***************************************************************************)
(* A barrier does not order what is still pending: a receive posted before  *)
(* it may take a message that was sent after it.  OnlyEarly says otherwise, *)
(* and is wrong.                                                           *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2>>]
TheHandles == {"r", "b", "s"}
Receiver == <<Post("Irecv", "r", 0, ANY, 0, W)>> \o Barrier("b", W) \o <<About("Waitall", {"r"})>> \o Recv("s", ANY, 0, W)
Early == Send("s", 1, 0, 0, W) \o Barrier("b", W)
Late == Barrier("b", W) \o Send("s", 2, 0, 0, W)
TheProgram == [p \in 0 .. 2 |-> IF p = 0 THEN Receiver ELSE IF p = 1 THEN Early ELSE Late]
TheStart == [p \in 0 .. 2 |-> 1]

OnlyEarly == request[0]["r"].done => request[0]["r"].got = 1
=============================================================================
