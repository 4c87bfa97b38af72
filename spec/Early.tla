-------------------------------- MODULE Early -------------------------------
(***************************************************************************)
(* A partition is received as soon as it is ready and the receive has      *)
(* started (P3): the sender waits for an answer to it before it marks the  *)
(* other one, and both come to their end.                                  *)
(***************************************************************************)
EXTENDS MPIPartitioned
Sends == <<Psend_init(0, 1, 0)>>
Recvs == <<Precv_init(1, 0, 0)>>
Answers == <<0, 1, 0, 0, "answers">>
TheComms == PairsOf(Sends) \cup PairsOf(Recvs) \cup {Answers}
TheGroup == [c \in TheComms |-> MembersOf(c)]
TheHandles == {"all", "one", "two", "h"}
Sender == StartSend("all", Sends, 1) \o Pready("h", 1, 5, Sends, 1) \o Recv("h", 1, 0, Answers) \o Pready("h", 0, 6, Sends, 1)
          \o WaitSend("all")
Receiver == StartRecv("all", <<"one", "two">>, Recvs, 1) \o <<About("Waitall", {"all", "two"})>> \o Send("h", 0, 0, 0, Answers)
            \o WaitRecv("all", {"one"})
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Sender ELSE Receiver]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
