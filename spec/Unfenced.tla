------------------------------ MODULE Unfenced ------------------------------
(***************************************************************************)
(* Two ranks put to one place between the same fences: both puts can be    *)
(* under way, a race.  Process 2 is the memory.                            *)
(***************************************************************************)
EXTENDS MPIWindow
W == "window"
R == "ranks"
TheComms == {W, R}
TheGroup == [c \in TheComms |-> IF c = R THEN <<0, 1>> ELSE <<0, 1, 2>>]
TheHandles == {"h", "a"}
Put(me) == Access("h", "a", me, 2, 2, W)
Both(me) == Put(me) \o WinFence("h", {"a"}, R)
TheProgram == [p \in 0 .. 2 |-> IF p < 2 THEN Both(p) ELSE CounterKeeper(0, 2, "h", W)]
TheStart == [p \in 0 .. 2 |-> 1]
Safe == NoFault /\ NoRace(0 .. 1, "a")
=============================================================================
