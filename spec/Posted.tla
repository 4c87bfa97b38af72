------------------------------- MODULE Posted -------------------------------
(***************************************************************************)
(* Question 4 of [Palmer 2007], their Fig. 1: when a synchronous send has   *)
(* completed, its receive was posted, and with it all before.  So a ready   *)
(* send for the first of three receives is correct, once the synchronous    *)
(* send that met the second is complete.                                   *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"r0", "r1", "r2", "s0", "s1"}
Receiver == <<Post("Irecv", "r0", 0, 1, 0, W), Post("Irecv", "r1", 0, 1, 1, W), About("Waitall", {"r0", "r1"})>>
Sender == <<Post("Issend", "s0", 7, 0, 1, W), About("Waitall", {"s0"}),
            Post("Irsend", "s1", 6, 0, 0, W), About("Waitall", {"s1"})>>
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Receiver ELSE Sender]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
