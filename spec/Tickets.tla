------------------------------ MODULE Tickets -------------------------------
(***************************************************************************)
(* Two ranks draw tickets from a counter by fetching and incrementing it,  *)
(* which is atomic (W1): whoever is first, they draw different ones.       *)
(* Process 2 is the memory.                                                *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1, 2>>]
TheHandles == {"h", "a", "b"}
Draws(me) == Access("h", "a", me, 2, 2, W) \o Flush("a") \o Access("h", "b", me, 2, 2, W) \o Flush("b")
TheProgram == [p \in 0 .. 2 |-> IF p < 2 THEN Draws(p) ELSE CounterKeeper(0, 4, "h", W)]
TheStart == [p \in 0 .. 2 |-> 1]
Drawn == {<<p, a>> \in (0 .. 1) \X {"a", "b"} : request[p][a].done}
Different == NoFault /\ \A x \in Drawn, y \in Drawn : x # y => request[x[1]][x[2]].got # request[y[1]][y[2]].got
=============================================================================
