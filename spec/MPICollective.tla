--------------------------- MODULE MPICollective ---------------------------
(***************************************************************************)
(* M5: the n-th collective of one member goes with the n-th of every other *)
(* on the same communicator; a part is complete by its data flow.          *)
(***************************************************************************)
EXTENDS MPIPointToPoint

(* Whose data a member needs.  root is a process, or ANY where there is none. *)
Needs(what, comm, root, p) ==
    CASE what \in {"barrier", "allgather", "alltoall", "allreduce", "reduce_scatter"} -> Members(comm)
      [] what \in {"bcast", "scatter"} -> IF p = root THEN {} ELSE {root}
      [] what \in {"gather", "reduce"} -> IF p = root THEN Members(comm) ELSE {}
      [] what = "scan" -> {q \in Members(comm) : RankIn(comm, q) <= RankIn(comm, p)}
      [] what = "exscan" -> {q \in Members(comm) : RankIn(comm, q) < RankIn(comm, p)}

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

MPI_Ibarrier(p, h, comm) == Join(p, h, "barrier", comm, Needs("barrier", comm, ANY, p), 0, {})

(* Sequences of steps: any blocking collective, and the barrier. *)
Collective(h, what, comm, root, value) ==
    <<[call |-> "Collective", h |-> h, what |-> what, comm |-> comm, root |-> root, value |-> value],
      About("Waitall", {h})>>
Barrier(h, comm) == Collective(h, "barrier", comm, ANY, 0)
=============================================================================
