------------------------------- MODULE Accepted -----------------------------
(***************************************************************************)
(* Two ranks connect to a port at which one accepts twice (S2): whoever is *)
(* first, each is accepted once, and all come to their end.                *)
(***************************************************************************)
EXTENDS MPIPort
Ports == "ports"
TheComms == {Ports}
TheGroup == [c \in TheComms |-> <<0, 1, 2>>]
TheHandles == {"h", "first", "next"}
Owner == Comm_accept("first", 7, Ports) \o Comm_accept("next", 7, Ports)
TheProgram == [p \in 0 .. 2 |-> IF p = 0 THEN Owner ELSE Comm_connect("h", 0, 7, Ports)]
TheStart == [p \in 0 .. 2 |-> 1]
(* Who has been told that it is connected was accepted: it has nothing under way any more. *)
OneByOne == NoFault /\ \A p \in 1 .. 2 : (pc[p] > 2 \/ request[p]["h"].done) => sent[p] = <<>>
=============================================================================
