------------------------------ MODULE InOrder ------------------------------
(***************************************************************************)
(* Questions 1 and 3 of [Palmer 2007], section 1.  Process 1 sends 6 and 7, *)
(* the first synchronously; process 0 has posted two receives and waits for *)
(* the second first.  InOrderAlways: the first receive always gets 6.  That *)
(* there is no deadlock: the second may complete before the first.          *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"r1", "r2", "s1", "s2"}
Receiver == <<Post("Irecv", "r1", 0, 1, 5, W), Post("Irecv", "r2", 0, 1, 5, W),
              About("Waitall", {"r2"}), About("Waitall", {"r1"})>>
Sender == <<Post("Issend", "s1", 6, 0, 5, W), Post("Isend", "s2", 7, 0, 5, W), About("Waitall", {"s1", "s2"})>>
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Receiver ELSE Sender]
TheStart == [p \in 0 .. 1 |-> 1]

InOrderAlways ==
    /\ request[0]["r1"].done => request[0]["r1"].got = 6
    /\ request[0]["r2"].done => request[0]["r2"].got = 7
=============================================================================
