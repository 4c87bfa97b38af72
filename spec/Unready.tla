------------------------------- MODULE Unready ------------------------------
(***************************************************************************)
(* A rank waits for a partitioned send of which a partition is not ready,  *)
(* and so for itself, whatever is buffered (P2).                           *)
(***************************************************************************)
EXTENDS MPIPartitioned
Sends == <<Psend_init(0, 1, 0)>>
Recvs == <<Precv_init(1, 0, 0)>>
TheComms == PairsOf(Sends) \cup PairsOf(Recvs)
TheGroup == [c \in TheComms |-> MembersOf(c)]
TheHandles == {"all", "one", "two", "h"}
Sender == StartSend("all", Sends, 1) \o Pready("h", 0, 5, Sends, 1) \o WaitTooEarly("all", "two", 0, 2, Sends, 1)
          \o Pready("h", 1, 6, Sends, 1)
Receiver == StartRecv("all", <<"one", "two">>, Recvs, 1) \o Parrived("all", "one") \o WaitRecv("all", {"one", "two"})
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Sender ELSE Receiver]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
