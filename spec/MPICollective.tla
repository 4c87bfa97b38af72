--------------------------- MODULE MPICollective ---------------------------
(***************************************************************************)
(* M5: the n-th collective of one member goes with the n-th of every other *)
(* on the same communicator; a part is complete by its data flow.  The     *)
(* starts of a persistent collective are those of a communicator of its    *)
(* own, and its init is one of the other that needs nobody.                *)
(***************************************************************************)
EXTENDS MPIPointToPoint

(* Whose data a member takes.  root is a process, or ANY where there is none. *)
Takes(what, comm, root, p) ==
    CASE what \in {"barrier", "allgather", "alltoall", "allreduce", "reduce_scatter"} -> Members(comm)
      [] what \in {"bcast", "scatter"} -> IF p = root THEN {} ELSE {root}
      [] what \in {"gather", "reduce"} -> IF p = root THEN Members(comm) ELSE {}
      [] what = "scan" -> {q \in Members(comm) : RankIn(comm, q) <= RankIn(comm, p)}
      [] what = "exscan" -> {q \in Members(comm) : RankIn(comm, q) < RankIn(comm, p)}

(* Whose it needs: not that of those who bring it no bytes.  A barrier has no data, and needs all. *)
Needs(what, comm, root, empty, p) ==
    IF what = "barrier" THEN Members(comm) ELSE Takes(what, comm, root, p) \ empty

(* Not every member has called it. *)
IsUnjoined(x) == \E q \in Members(x.comm) : ~ \E y \in part : y.comm = x.comm /\ y.turn = x.turn /\ y.proc = q

(* M7 for collectives: more synchronisation than the data flow asks for is the implementation's choice. *)
Strict == IF Slack = "any" THEN BOOLEAN ELSE {FALSE}

(* A member joins with a part; `needs` as the data flow has it, `clash` the values of parts that it does not agree with. *)
Join(p, h, what, comm, needs, value, clash) ==
    LET t == turn[p][comm] + 1
        others == {x \in part : x.comm = comm /\ x.turn = t}
    IN IF \E x \in others : x.what # what \/ x.value \in clash
       THEN Fail("collectives out of step")
       ELSE /\ turn' = [turn EXCEPT ![p] = [@ EXCEPT ![comm] = t]]
            /\ part' = part \cup {[comm |-> comm, turn |-> t, proc |-> p, what |-> what, value |-> value]}
            /\ \E strict \in Strict :
                   request' = [request EXCEPT ![p] = [@ EXCEPT ![h] =
                       [NoRequest EXCEPT !.kind = "coll", !.active = TRUE, !.comm = comm, !.value = value,
                                         !.turn = t, !.needs = needs, !.strict = strict]]]
            /\ UNCHANGED <<status, sent, wanted, space, answer, fault>>

MPI_Ibarrier(p, h, comm) == Join(p, h, "barrier", comm, Needs("barrier", comm, ANY, {}, p), 0, {})

(* Sequences of steps: any blocking collective, one to which some bring this member nothing, and the barrier. *)
CollectiveBut(h, what, comm, root, value, empty) ==
    <<[call |-> "Collective", h |-> h, what |-> what, comm |-> comm, root |-> root, value |-> value, empty |-> empty],
      About("Waitall", {h})>>
Collective(h, what, comm, root, value) == CollectiveBut(h, what, comm, root, value, {})
Barrier(h, comm) == Collective(h, "barrier", comm, ANY, 0)
=============================================================================
