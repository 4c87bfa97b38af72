----------------------------- MODULE MPISupport -----------------------------
(***************************************************************************)
(* The calls around communication.                                         *)
(***************************************************************************)
EXTENDS MPICollective

(* Startup. *)
MPI_Init(p) ==
    IF status[p] # "new" THEN Fail("MPI_Init twice")
    ELSE /\ status' = [status EXCEPT ![p] = "initialized"]
         /\ UNCHANGED <<sent, wanted, request, space, turn, part, answer, fault>>
(* A collective is called by all members: when the last one finalizes, it is certain that somebody did not (M5). *)
MPI_Finalize(p) ==
    IF (\A q \in Procs \ {p} : status[q] = "finalized") /\ \E x \in part : IsUnjoined(x)
    THEN Fail("a collective that not all members called")
    ELSE /\ status' = [status EXCEPT ![p] = "finalized"]
         /\ UNCHANGED <<sent, wanted, request, space, turn, part, answer, fault>>
MPI_Initialized(p) == Tell(p, [initialized |-> status[p] # "new"])
MPI_Abort(p) == Fail("MPI_Abort")
Crash(p) == Fail("crash")

(* Groups and communicators. *)
MPI_Group_size(p, comm) == Tell(p, [size |-> Len(Group[comm])])
MPI_Group_rank(p, comm) == Tell(p, [rank |-> RankIn(comm, p)])
MPI_Comm_size(p, comm) == MPI_Group_size(p, comm)
MPI_Comm_rank(p, comm) == MPI_Group_rank(p, comm)
MPI_Comm_compare(p, a, b) ==
    Tell(p, [compare |-> IF a = b THEN "ident"
                         ELSE IF Group[a] = Group[b] THEN "congruent"
                         ELSE IF Members(a) = Members(b) THEN "similar" ELSE "unequal"])
=============================================================================
