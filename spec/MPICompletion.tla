--------------------------- MODULE MPICompletion ---------------------------
(***************************************************************************)
(* When operations are complete (M6), and how calls return (M8).           *)
(***************************************************************************)
EXTENDS MPIMatching

(* M5.  A part is complete when those have joined whose data it needs, or, if MPI likes it so, all. *)
Joined(c, t, q) == \E x \in part : x.comm = c /\ x.turn = t /\ x.proc = q
CollDone(r) == \A q \in (IF r.strict THEN Members(r.comm) ELSE r.needs) : Joined(r.comm, r.turn, q)

(* 3.7.3: MPI_REQUEST_NULL and inactive requests are complete, and tell nothing. *)
Active(p, h) == request[p][h].active
Complete(p, h) ==
    LET r == request[p][h]
    IN \/ ~r.active
       \/ r.kind = "coll" /\ CollDone(r)
       \/ r.kind # "coll" /\ r.done

(* D7: a test does not say no where what is complete for good is enough for a yes. *)
NeedsNobody(p, h) == Active(p, h) /\ request[p][h].peer = PROC_NULL

(* The status object, 3.2.5. *)
Result(p, h) ==
    LET r == request[p][h]
    IN IF ~r.active
       THEN [value |-> 0, source |-> ANY, tag |-> ANY, cancelled |-> FALSE]
       ELSE IF r.peer = PROC_NULL
       THEN [value |-> 0, source |-> PROC_NULL, tag |-> ANY, cancelled |-> r.cancelled]
       ELSE IF r.kind = "coll"
       THEN [value |-> [q \in r.needs |-> (CHOOSE x \in part : x.comm = r.comm /\ x.turn = r.turn /\ x.proc = q).value],
             source |-> ANY, tag |-> ANY, cancelled |-> FALSE]
       ELSE [value |-> r.got, source |-> r.source, tag |-> r.gottag, cancelled |-> r.cancelled]

(* A call returns, having completed these requests.  Persistent ones become inactive (3.9). *)
AfterCompletion(r) == IF r.persistent THEN [r EXCEPT !.active = FALSE, !.done = FALSE, !.cancelled = FALSE] ELSE NoRequest

(* Nobody waits any more for what is still pending: a buffered send, or a request that was freed. *)
LetGo(seq, hs) == [i \in 1 .. Len(seq) |-> IF seq[i].handle \in hs THEN [seq[i] EXCEPT !.handle = NOBODY] ELSE seq[i]]

Return(p, flag, hs) ==
    /\ answer' = [answer EXCEPT ![p] = [flag |-> flag, done |-> hs, got |-> [h \in hs |-> Result(p, h)]]]
    /\ request' = [request EXCEPT ![p] = [h \in Handles |-> IF h \in hs THEN AfterCompletion(@[h]) ELSE @[h]]]
    /\ sent' = [sent EXCEPT ![p] = LetGo(@, hs)]
    /\ UNCHANGED <<status, wanted, space, turn, part, fault>>

(* M8: a poll may say no, although yes is possible, save by D7. *)
SayNo(p) == Return(p, FALSE, {})

(* A call that only tells something. *)
Tell(p, what) ==
    /\ answer' = [answer EXCEPT ![p] = [flag |-> TRUE, done |-> {}, got |-> what]]
    /\ UNCHANGED <<status, sent, wanted, request, space, turn, part, fault>>
=============================================================================
