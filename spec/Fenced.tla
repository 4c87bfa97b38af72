------------------------------- MODULE Fenced -------------------------------
(***************************************************************************)
(* Two ranks put to one place, one before a fence and one behind it: never *)
(* are both under way (W5).  Process 2 is the memory.                      *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
R == "ranks"
TheComms == {W, R}
TheGroup == [c \in TheComms |-> IF c = R THEN <<0, 1>> ELSE <<0, 1, 2>>]
TheHandles == {"h", "a"}
Put(me) == Access("h", "a", me, 2, 2, W)
First == Put(0) \o WinFence("h", {"a"}, R) \o WinFence("h", {}, R)
Second == WinFence("h", {}, R) \o Put(1) \o WinFence("h", {"a"}, R)
TheProgram == [p \in 0 .. 2 |-> IF p = 0 THEN First ELSE IF p = 1 THEN Second ELSE CounterKeeper(0, 2, "h", W)]
TheStart == [p \in 0 .. 2 |-> 1]
Safe == NoFault /\ NoRace(0 .. 1, "a")
=============================================================================
