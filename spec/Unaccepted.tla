------------------------------ MODULE Unaccepted ----------------------------
(***************************************************************************)
(* Two ranks connect to a port at which one accepts once: one of them is   *)
(* not accepted, and waits for ever, whatever is buffered (S2).            *)
(***************************************************************************)
EXTENDS MPIPort
Ports == "ports"
TheComms == {Ports}
TheGroup == [c \in TheComms |-> <<0, 1, 2>>]
TheHandles == {"h"}
TheProgram == [p \in 0 .. 2 |-> IF p = 0 THEN Comm_accept("h", 7, Ports) ELSE Comm_connect("h", 0, 7, Ports)]
TheStart == [p \in 0 .. 2 |-> 1]
=============================================================================
