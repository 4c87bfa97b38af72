----------------------------- MODULE NotPosted -----------------------------
(***************************************************************************)
(* The other half of question 4: nothing is known of receives after the one *)
(* that was met.  A ready send for the third may come too early: a fault.   *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"r1", "r2", "s0", "s1"}
Receiver == <<Post("Irecv", "r1", 0, 1, 1, W), Post("Irecv", "r2", 0, 1, 2, W), About("Waitall", {"r1", "r2"})>>
Sender == <<Post("Issend", "s0", 7, 0, 1, W), About("Waitall", {"s0"}),
            Post("Irsend", "s1", 6, 0, 2, W), About("Waitall", {"s1"})>>
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Receiver ELSE Sender]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
