------------------------------ MODULE Absent -------------------------------
(***************************************************************************)
(* A broadcast whose root goes on by itself, and that the other process     *)
(* never calls: a fault, found when both have finalized.                    *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"b"}
Call(what) == [call |-> what]
Root == <<Call("Init")>> \o Collective("b", "bcast", W, 0, 8) \o <<Call("Finalize")>>
Other == <<Call("Init"), Call("Finalize")>>
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Root ELSE Other]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
