------------------------------- MODULE Calls -------------------------------
(***************************************************************************)
(* Calls that the other instances leave out: persistent requests, probes,   *)
(* cancel, an attached buffer, waiting for some, PROC_NULL, a broadcast.    *)
(***************************************************************************)
EXTENDS MPI
W == "world"
TheComms == {W}
TheGroup == [c \in TheComms |-> <<0, 1>>]
TheHandles == {"a", "b", "c"}
Call(name) == [call |-> name, value |-> 1, comm |-> W]
Envelope(name, h, peer, tag) == [call |-> name, h |-> h, peer |-> peer, tag |-> tag, comm |-> W]
Process0 == <<Call("Init"), Call("Initialized"), Call("Comm_rank"), Call("Buffer_attach"),
              Post("Ibsend", "a", 5, 1, 1, W), About("Waitsome", {"a"}), Call("Buffer_detach"),
              Envelope("Recv_init", "b", PROC_NULL, 9), About("Startall", {"b"}), About("Testall", {"b"}),
              Post("Irecv", "c", 0, ANY, 3, W), [call |-> "Cancel", h |-> "c"], About("Waitany", {"c"}),
              [call |-> "Test_cancelled", h |-> "c"]>>
            \o Collective("c", "bcast", W, 0, 8) \o <<Call("Finalize")>>
Process1 == <<Call("Init"), Call("Group_size"), Envelope("Probe", "a", 0, ANY),
              Envelope("Recv_init", "a", 0, 1), About("Startall", {"a"}), [call |-> "Wait", h |-> "a"],
              [call |-> "Get_count", h |-> "a"], Envelope("Iprobe", "a", 0, ANY), [call |-> "Request_free", h |-> "a"]>>
            \o Collective("c", "bcast", W, 0, 0) \o Sendrecv("a", "b", 4, 1, 6, 1, 6, W) \o <<Call("Finalize")>>
TheProgram == [p \in 0 .. 1 |-> IF p = 0 THEN Process0 ELSE Process1]
TheStart == [p \in 0 .. 1 |-> 1]
=============================================================================
