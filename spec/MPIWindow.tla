----------------------------- MODULE MPIWindow -----------------------------
(***************************************************************************)
(* One-sided communication, W1 to W4: the lock of a window at one of its   *)
(* members, and its memory, are processes, their keepers, which receive    *)
(* from any source.  What ranks and keepers do are sequences of steps.     *)
(*                                                                         *)
(* A request for a lock is a standard send, received when the lock is      *)
(* granted, so it may block or not (M7); that of one's own window is       *)
(* synchronous (W3).  All messages to a lock come in their order, and an   *)
(* access comes after the request for its lock (W2).                       *)
(***************************************************************************)
EXTENDS MPI

(* Tags. *)
ASKS == 1
RELEASES == 2
ACCESSES == 3
ANSWERS == 4
STARTS == 5
COMPLETES == 6

Behind(h, mode, value, peer, tag, comm, after) ==
    [call |-> "Behind", h |-> h, mode |-> mode, value |-> value, peer |-> peer, tag |-> tag, comm |-> comm, after |-> after]

(* ---- ranks ---- *)

Lock(h, lock, comm) == <<Behind(h, "standard", 0, lock, ASKS, comm, {lock}), About("Waitall", {h})>>
LockOwn(h, lock, comm) == <<Behind(h, "synchronous", 0, lock, ASKS, comm, {lock}), About("Waitall", {h})>>
Release(h, lock, comm) == <<Behind(h, "to keeper", 0, lock, RELEASES, comm, {lock}), About("Waitall", {h})>>

(* An access that is called, and its completion, which a flush or an unlock waits for; `a` is the request of the answer. *)
Access(h, a, value, memory, after, comm) ==
    <<Behind(h, "to keeper", value, memory, ACCESSES, comm, {after}), About("Waitall", {h}),
      Post("Irecv", a, 0, memory, ANSWERS, comm)>>
Flush(a) == <<About("Waitall", {a})>>

(* W4, with one target or origin each. *)
WinStart(h, target, comm) == Send(h, 0, target, STARTS, comm)
WinComplete(h, target, comm) == <<Behind(h, "to keeper", 0, target, COMPLETES, comm, {}), About("Waitall", {h})>>
WinPost(s, c, origin, comm) == <<Post("Irecv", s, 0, origin, STARTS, comm), Post("Irecv", c, 0, origin, COMPLETES, comm)>>
WinWait(s, c) == <<About("Waitall", {s, c})>>

(* ---- keepers, for as many rounds as there will be ---- *)

(* The lock of a window that is only locked exclusively: whoever is received next has it until it releases it. *)
RECURSIVE LockKeeper(_, _, _)
LockKeeper(rounds, h, comm) ==
    IF rounds = 0 THEN <<>>
    ELSE Recv(h, ANY, ASKS, comm) \o Recv(h, ANY, RELEASES, comm) \o LockKeeper(rounds - 1, h, comm)

(* The memory of a window that one rank accesses. *)
RECURSIVE MemoryKeeper(_, _, _, _)
MemoryKeeper(rounds, h, origin, comm) ==
    IF rounds = 0 THEN <<>>
    ELSE Recv(h, ANY, ACCESSES, comm)
         \o <<Behind(h, "to keeper", 0, origin, ANSWERS, comm, {}), About("Waitall", {h})>>
         \o MemoryKeeper(rounds - 1, h, origin, comm)
=============================================================================
