-------------------------------- MODULE Pairs -------------------------------
(***************************************************************************)
(* Two partitioned messages of one envelope are paired by the order of     *)
(* their init calls (P1), though the second is started first.              *)
(***************************************************************************)
EXTENDS MPIPartitioned
Sends == <<Psend_init(0, 1, 0), Psend_init(0, 1, 0)>>
Recvs == <<Precv_init(1, 0, 0), Precv_init(1, 0, 0)>>
TheComms == PairsOf(Sends) \cup PairsOf(Recvs)
TheGroup == [c \in TheComms |-> MembersOf(c)]
TheHandles == {"first", "second", "part", "other", "h"}
Sender == StartSend("second", Sends, 2) \o Pready("h", 0, 22, Sends, 2) \o StartSend("first", Sends, 1)
          \o Pready("h", 0, 11, Sends, 1) \o WaitSend("first") \o WaitSend("second")
Receiver == StartRecv("first", <<"part">>, Recvs, 1) \o StartRecv("second", <<"other">>, Recvs, 2)
            \o WaitRecv("first", {"part"}) \o WaitRecv("second", {"other"})
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Sender ELSE Receiver]
TheStart == [p \in 0 .. 1 |-> 1]
ByInits ==
    /\ NoFault
    /\ request[1]["part"].done => request[1]["part"].got = 11
    /\ request[1]["other"].done => request[1]["other"].got = 22
=============================================================================
