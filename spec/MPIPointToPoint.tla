-------------------------- MODULE MPIPointToPoint --------------------------
(***************************************************************************)
(* The 35 point-to-point calls of MPI-1.  28 of them are one step each; the *)
(* other seven are sequences of these, at the end.  p is the process that  *)
(* calls; h the request variable; what is sent is one value.               *)
(***************************************************************************)
EXTENDS MPICompletion

(* ---- 3.4 Communication Modes, 3.7.2 Communication initiation ---- *)

(* M7: whether a send completes at once.  It is chosen for each send anew. *)
Buffered(mode) ==
    CASE mode \in {"buffered", "to keeper"} -> {TRUE}
      [] mode = "synchronous" -> {FALSE}
      [] Slack = "infinite" -> {TRUE}
      [] Slack = "zero" -> {FALSE}
      [] OTHER -> BOOLEAN

(* 3.4: a ready send is erroneous unless its receive is posted.  Which receive that is, M3 tells. *)
ReadyHolds(p, to, tag, comm) ==
    \E j \in 1 .. Len(wanted[to]) :
        Fits(p, [to |-> to, tag |-> tag, comm |-> comm, taken |-> {}], to, wanted[to][j])

NewRequest(kind, mode, peer, tag, comm, value, persistent) ==
    [NoRequest EXCEPT !.kind = kind, !.mode = mode, !.peer = peer, !.tag = tag, !.comm = comm,
                      !.value = value, !.persistent = persistent]

(* Posts the send that a request describes. *)
PostSend(p, h, r) ==
    IF r.peer = PROC_NULL \* 3.11: completes at once, with no effect
    THEN /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = [r EXCEPT !.active = TRUE, !.done = TRUE]]]
         /\ UNCHANGED <<status, sent, wanted, space, turn, part, answer, fault>>
    ELSE IF r.mode = "ready" /\ ~ReadyHolds(p, r.peer, r.tag, r.comm)
    THEN Fail("ready send without a receive")
    ELSE IF r.mode = "buffered" /\ ~(space[p].attached /\ space[p].used < space[p].size)
    THEN Fail("no room for a buffered send") \* 3.6
    ELSE /\ \E b \in Buffered(r.mode) :
                request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = [r EXCEPT !.active = TRUE, !.done = b]]]
         /\ sent' = [sent EXCEPT ![p] = Append(@, [to |-> r.peer, comm |-> r.comm, tag |-> r.tag, value |-> r.value,
                                                   handle |-> h, attached |-> r.mode = "buffered", taken |-> {}, after |-> r.after])]
         /\ space' = IF r.mode = "buffered" THEN [space EXCEPT ![p] = [@ EXCEPT !.used = @ + 1]] ELSE space
         /\ UNCHANGED <<status, wanted, turn, part, answer, fault>>

PostRecv(p, h, r) ==
    IF r.peer = PROC_NULL
    THEN /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = [r EXCEPT !.active = TRUE, !.done = TRUE]]]
         /\ UNCHANGED <<status, sent, wanted, space, turn, part, answer, fault>>
    ELSE /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = [r EXCEPT !.active = TRUE, !.done = FALSE]]]
         /\ wanted' = [wanted EXCEPT ![p] = Append(@, [from |-> r.peer, comm |-> r.comm, tag |-> r.tag, handle |-> h])]
         /\ UNCHANGED <<status, sent, space, turn, part, answer, fault>>

MPI_Isend(p, h, value, dest, tag, comm) ==
    PostSend(p, h, NewRequest("send", "standard", dest, tag, comm, value, FALSE))
MPI_Ibsend(p, h, value, dest, tag, comm) ==
    PostSend(p, h, NewRequest("send", "buffered", dest, tag, comm, value, FALSE))
MPI_Issend(p, h, value, dest, tag, comm) ==
    PostSend(p, h, NewRequest("send", "synchronous", dest, tag, comm, value, FALSE))
MPI_Irsend(p, h, value, dest, tag, comm) ==
    PostSend(p, h, NewRequest("send", "ready", dest, tag, comm, value, FALSE))
(* A send to the keeper of a window, kept back behind those to `after` (W2). *)
SendBehind(p, h, mode, value, dest, tag, comm, after) ==
    PostSend(p, h, [NewRequest("send", mode, dest, tag, comm, value, FALSE) EXCEPT !.after = after])
MPI_Irecv(p, h, source, tag, comm) ==
    PostRecv(p, h, NewRequest("recv", "", source, tag, comm, 0, FALSE))

(* ---- 3.6 Buffer allocation and usage ---- *)

MPI_Buffer_attach(p, size) ==
    IF space[p].attached THEN Fail("a buffer is attached already")
    ELSE /\ space' = [space EXCEPT ![p] = [attached |-> TRUE, size |-> size, used |-> 0]]
         /\ UNCHANGED <<status, sent, wanted, request, turn, part, answer, fault>>

(* It returns when all messages have left the buffer: to their receivers, or to where MPI keeps them (M7). *)
(* D4: without a buffer, it returns at once.                                                               *)
MPI_Buffer_detach(p) ==
    /\ space[p].used = 0 \/ \E elsewhere \in Buffered("standard") : elsewhere
    /\ space' = [space EXCEPT ![p] = [attached |-> FALSE, size |-> 0, used |-> 0]]
    /\ sent' = [sent EXCEPT ![p] = [i \in 1 .. Len(@) |-> [@[i] EXCEPT !.attached = FALSE]]]
    /\ UNCHANGED <<status, wanted, request, turn, part, answer, fault>>

(* ---- 3.7.3 Communication Completion ---- *)

MPI_Wait(p, h) == Complete(p, h) /\ Return(p, TRUE, {h})
MPI_Test(p, h) == MPI_Wait(p, h) \/ (~NeedsNobody(p, h) /\ SayNo(p))

MPI_Request_free(p, h) ==
    /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = NoRequest]]
    /\ sent' = [sent EXCEPT ![p] = LetGo(@, {h})]
    /\ wanted' = [wanted EXCEPT ![p] = LetGo(@, {h})]
    /\ UNCHANGED <<status, space, turn, part, answer, fault>>

(* ---- 3.7.5 Multiple Completions ---- *)

AllComplete(p, hs) == \A h \in hs : Complete(p, h)
SomeComplete(p, hs) == {h \in hs : Active(p, h) /\ Complete(p, h)}
NoneActive(p, hs) == \A h \in hs : ~Active(p, h)
SomeNeedNobody(p, hs) == \E h \in hs : NeedsNobody(p, h)

MPI_Waitany(p, hs) ==
    \/ \E h \in SomeComplete(p, hs) : Return(p, TRUE, {h})
    \/ NoneActive(p, hs) /\ Return(p, TRUE, {})
MPI_Testany(p, hs) == MPI_Waitany(p, hs) \/ (~NoneActive(p, hs) /\ ~SomeNeedNobody(p, hs) /\ SayNo(p))
MPI_Waitall(p, hs) == AllComplete(p, hs) /\ Return(p, TRUE, hs)
MPI_Testall(p, hs) == MPI_Waitall(p, hs) \/ ((\E h \in hs : ~NeedsNobody(p, h)) /\ SayNo(p))
MPI_Waitsome(p, hs) ==
    \/ \E some \in SUBSET SomeComplete(p, hs) : some # {} /\ Return(p, TRUE, some)
    \/ NoneActive(p, hs) /\ Return(p, TRUE, {})
MPI_Testsome(p, hs) == MPI_Waitsome(p, hs) \/ (~NoneActive(p, hs) /\ ~SomeNeedNobody(p, hs) /\ SayNo(p))

(* ---- 3.8 Probe and Cancel ---- *)

MPI_Probe(p, source, tag, comm) ==
    IF source = PROC_NULL
    THEN Tell(p, [source |-> PROC_NULL, tag |-> ANY, value |-> 0])
    ELSE \E x \in Seen(p, source, tag, comm) :
            Tell(p, [source |-> x[1], tag |-> sent[x[1]][x[2]].tag, value |-> sent[x[1]][x[2]].value])
MPI_Iprobe(p, source, tag, comm) == MPI_Probe(p, source, tag, comm) \/ SayNo(p)

(* Since MPI-3.0: the message that was seen is matched at once, and waits under a request until it is received. *)
MPI_Mprobe(p, h, source, tag, comm) ==
    \E x \in Seen(p, source, tag, comm) :
        LET send == sent[x[1]][x[2]]
            held == [NewRequest("recv", "", source, tag, comm, 0, FALSE) EXCEPT !.active = TRUE]
        IN /\ answer' = [answer EXCEPT ![p] = [flag |-> TRUE, done |-> {}, got |-> [source |-> x[1], tag |-> send.tag, value |-> send.value]]]
           /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = held]]
           /\ sent' = [sent EXCEPT ![x[1]] = [@ EXCEPT ![x[2]] = [@ EXCEPT !.taken = {<<p, h>>}]]]
           /\ UNCHANGED <<status, wanted, space, turn, part, fault>>
MPI_Improbe(p, h, source, tag, comm) == MPI_Mprobe(p, h, source, tag, comm) \/ SayNo(p)

(* M6: only now is the message received, and what was taken complete. *)
MPI_Imrecv(p, h) ==
    \E s \in Procs : \E i \in 1 .. Len(sent[s]) :
        /\ sent[s][i].taken = {<<p, h>>}
        /\ request' = RecvDone(SendDone(request, s, sent[s][i].handle), p, h, s, sent[s][i])
        /\ sent' = [sent EXCEPT ![s] = Without(@, i)]
        /\ space' = SpaceWithout(s, sent[s][i])
        /\ UNCHANGED <<status, wanted, turn, part, answer, fault>>

(* D1, D2: what is unmatched is withdrawn; what has matched goes its way.  D3: MPI_REQUEST_NULL is an error.    *)
(* D5: a send that is buffered may go its way, too, though it is unmatched; nobody can cancel it any more then. *)
Withdrawn(seq, h) == SelectSeq(seq, LAMBDA x : x.handle # h)
Unmatched(p, h) ==
    \/ \E i \in 1 .. Len(sent[p]) : sent[p][i].handle = h /\ sent[p][i].taken = {}
    \/ \E i \in 1 .. Len(wanted[p]) : wanted[p][i].handle = h
MPI_Cancel(p, h) ==
    IF ~Active(p, h) THEN Fail("cancel of a request that is null or inactive")
    ELSE IF Unmatched(p, h)
    THEN \/ /\ sent' = [sent EXCEPT ![p] = Withdrawn(@, h)]
            /\ wanted' = [wanted EXCEPT ![p] = Withdrawn(@, h)]
            /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = [@ EXCEPT !.done = TRUE, !.cancelled = TRUE]]]
            /\ space' = IF request[p][h].mode = "buffered" THEN [space EXCEPT ![p] = [@ EXCEPT !.used = @ - 1]] ELSE space
            /\ UNCHANGED <<status, turn, part, answer, fault>>
         \/ /\ request[p][h].done
            /\ sent' = [sent EXCEPT ![p] = LetGo(@, {h})]
            /\ UNCHANGED <<status, wanted, request, space, turn, part, answer, fault>>
    ELSE UNCHANGED <<status, sent, wanted, request, space, turn, part, answer, fault>>

(* They read the status of a call that has just returned. *)
MPI_Test_cancelled(p, h) == Tell(p, [cancelled |-> answer[p].got[h].cancelled])
MPI_Get_count(p, h) ==
    Tell(p, [count |-> IF answer[p].got[h].source \in {ANY, PROC_NULL} THEN 0 ELSE 1])

(* ---- 3.9 Persistent communication requests ---- *)

Create(p, h, r) ==
    /\ request' = [request EXCEPT ![p] = [@ EXCEPT ![h] = r]]
    /\ UNCHANGED <<status, sent, wanted, space, turn, part, answer, fault>>
MPI_Send_init(p, h, value, dest, tag, comm) ==
    Create(p, h, NewRequest("send", "standard", dest, tag, comm, value, TRUE))
MPI_Bsend_init(p, h, value, dest, tag, comm) ==
    Create(p, h, NewRequest("send", "buffered", dest, tag, comm, value, TRUE))
MPI_Ssend_init(p, h, value, dest, tag, comm) ==
    Create(p, h, NewRequest("send", "synchronous", dest, tag, comm, value, TRUE))
MPI_Rsend_init(p, h, value, dest, tag, comm) ==
    Create(p, h, NewRequest("send", "ready", dest, tag, comm, value, TRUE))
MPI_Recv_init(p, h, source, tag, comm) ==
    Create(p, h, NewRequest("recv", "", source, tag, comm, 0, TRUE))

MPI_Start(p, h) ==
    LET r == request[p][h]
    IN IF ~r.persistent \/ r.active THEN Fail("start of a request that is not inactive and persistent")
       ELSE IF r.kind = "send" THEN PostSend(p, h, r) ELSE PostRecv(p, h, r)

(* As MPI_Start of each, in some order; the call is over when none is left (MPI, After). *)
NotStarted(p, hs) == {h \in hs : ~Active(p, h)}
MPI_Startall(p, hs) == \E h \in NotStarted(p, hs) : MPI_Start(p, h)

(* ---- the other seven, and MPI_Mrecv, are sequences of steps, for the programs of module MPI ---- *)

Post(call, h, value, peer, tag, comm) ==
    [call |-> call, h |-> h, value |-> value, peer |-> peer, tag |-> tag, comm |-> comm]
About(call, hs) == [call |-> call, hs |-> hs]

Send(h, value, dest, tag, comm) == <<Post("Isend", h, value, dest, tag, comm), About("Waitall", {h})>>
Bsend(h, value, dest, tag, comm) == <<Post("Ibsend", h, value, dest, tag, comm), About("Waitall", {h})>>
Ssend(h, value, dest, tag, comm) == <<Post("Issend", h, value, dest, tag, comm), About("Waitall", {h})>>
Rsend(h, value, dest, tag, comm) == <<Post("Irsend", h, value, dest, tag, comm), About("Waitall", {h})>>
Recv(h, source, tag, comm) == <<Post("Irecv", h, 0, source, tag, comm), About("Waitall", {h})>>
Mrecv(h) == <<[call |-> "Imrecv", h |-> h], About("Waitall", {h})>>
(* 3.10: as if by two threads that run at the same time. *)
Sendrecv(hs, hr, value, dest, sendtag, source, recvtag, comm) ==
    <<Post("Isend", hs, value, dest, sendtag, comm), Post("Irecv", hr, 0, source, recvtag, comm),
      About("Waitall", {hs, hr})>>
(* What is sent was read before anything is received: a value cannot be overwritten here. *)
Sendrecv_replace(hs, hr, value, dest, sendtag, source, recvtag, comm) ==
    Sendrecv(hs, hr, value, dest, sendtag, source, recvtag, comm)
=============================================================================
