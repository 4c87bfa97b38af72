------------------------------ MODULE MPIState ------------------------------
(***************************************************************************)
(* What MPI remembers.  The rules M1 to M9 and the decisions D1 to D6 are  *)
(* those of doc/semantics.md, which has the clauses of the standard.       *)
(*                                                                         *)
(* Reading order: MPIState, MPIMatching (M1-M4), MPICompletion (M6-M8),    *)
(* MPIPointToPoint (the 35 calls), MPICollective (M5), MPISupport (the     *)
(* calls around them), MPI (programs, and what can happen next; M9),       *)
(* MPIWindow (W1-W5: windows, whose keepers are processes), MPIPartitioned *)
(* (P1-P4), MPIPort (S2).                                                  *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    N,       \* number of processes
    Slack,   \* M7: "zero", "infinite" or "any"
    Comms,   \* names of communicators
    Group,   \* by communicator: the sequence of its members
    Handles  \* names of the programs' request variables

Procs == 0 .. N - 1
ANY == -1          \* MPI_ANY_SOURCE, MPI_ANY_TAG
PROC_NULL == -2
NOBODY == "nobody" \* no request: nobody waits for the operation

VARIABLES
    status,  \* by process: "new", "initialized" or "finalized"
    sent,    \* by process: its unmatched sends, in the order in which they were posted, and those that a matched
             \* probe has taken and nobody has received
    wanted,  \* by process: its unmatched receives, likewise
    request, \* by process and handle: see NoRequest
    space,   \* by process: [attached, size, used], its buffer for buffered sends, counted in messages
    turn,    \* by process and communicator: collectives it has called
    part,    \* collectives: the set of all parts with which somebody has joined
    answer,  \* by process: what its last completed call has returned
    fault    \* the name of the first error, or ""

(* MPI_REQUEST_NULL; every other request has the same fields. *)
NoRequest == [kind |-> "null",      \* or "send", "recv", "coll"
              active |-> FALSE,     \* started and not yet completed by its process
              done |-> FALSE,       \* M6 holds
              cancelled |-> FALSE,
              persistent |-> FALSE,
              mode |-> "",          \* of a send: "standard", "buffered", "synchronous", "ready"
              peer |-> 0, tag |-> 0, comm |-> "",
              value |-> 0,          \* what is sent, or joined with
              after |-> {},         \* of a send: processes, and tags, whose earlier messages from here come first (W2)
              turn |-> 0, needs |-> {}, strict |-> FALSE,
              got |-> 0, source |-> 0, gottag |-> 0] \* what a receive was given

NoAnswer == [flag |-> TRUE, done |-> {}, got |-> <<>>]

MPIInit ==
    /\ status = [p \in Procs |-> "new"]
    /\ sent = [p \in Procs |-> <<>>]
    /\ wanted = [p \in Procs |-> <<>>]
    /\ request = [p \in Procs |-> [h \in Handles |-> NoRequest]]
    /\ space = [p \in Procs |-> [attached |-> FALSE, size |-> 0, used |-> 0]]
    /\ turn = [p \in Procs |-> [c \in Comms |-> 0]]
    /\ part = {}
    /\ answer = [p \in Procs |-> NoAnswer]
    /\ fault = ""

Members(c) == {Group[c][i] : i \in 1 .. Len(Group[c])}
RankIn(c, p) == (CHOOSE i \in 1 .. Len(Group[c]) : Group[c][i] = p) - 1

(* A sequence without its i-th element. *)
Without(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))

(* The process breaks a rule: nothing else changes, and the run is over. *)
Fail(what) ==
    /\ fault' = what
    /\ UNCHANGED <<status, sent, wanted, request, space, turn, part, answer>>
=============================================================================
