----------------------------- MODULE MPIWindow -----------------------------
(***************************************************************************)
(* One-sided communication, W1 to W5, and what a race is: the lock of a    *)
(* window at one of its members, and its memory, are processes, their      *)
(* keepers, which receive from any source.  What ranks and keepers do are  *)
(* sequences of steps.                                                     *)
(*                                                                         *)
(* A request for a lock is a standard send, received when the lock is      *)
(* granted, so it may block or not (M7); that of one's own window is       *)
(* synchronous (W3).  All messages to a lock come in their order, but a    *)
(* shared one is not behind an exclusive one; and an access comes after    *)
(* the request for its lock (W2).                                          *)
(***************************************************************************)
EXTENDS MPI

(* Tags. *)
ASKS == 1
RELEASES == 2
ACCESSES == 3
ANSWERS == 4
STARTS == 5
COMPLETES == 6
SHARES == 7 \* to a lock that can be shared: a shared one is wanted or given back

Behind(h, mode, value, peer, tag, comm, after) ==
    [call |-> "Behind", h |-> h, mode |-> mode, value |-> value, peer |-> peer, tag |-> tag, comm |-> comm, after |-> after]

(* Behind all earlier messages to a process, or those about shared locks. *)
All(of) == {[of |-> of, tag |-> ANY]}
Sharing(of) == {[of |-> of, tag |-> SHARES]}

(* ---- ranks ---- *)

Lock(h, lock, comm) == <<Behind(h, "standard", 0, lock, ASKS, comm, All(lock)), About("Waitall", {h})>>
LockOwn(h, lock, comm) == <<Behind(h, "synchronous", 0, lock, ASKS, comm, All(lock)), About("Waitall", {h})>>
Release(h, lock, comm) == <<Behind(h, "to keeper", 0, lock, RELEASES, comm, All(lock)), About("Waitall", {h})>>

(*
 * An access that is called, and its completion, which a flush or an unlock waits for; `a` is the request of the answer.  It is behind the request
 * for its lock, a shared one or not.
 *)
AccessBehind(h, a, value, memory, after, comm) ==
    <<Behind(h, "to keeper", value, memory, ACCESSES, comm, after), About("Waitall", {h}),
      Post("Irecv", a, 0, memory, ANSWERS, comm)>>
Access(h, a, value, memory, lock, comm) == AccessBehind(h, a, value, memory, All(lock), comm)
AccessSharing(h, a, value, memory, lock, comm) == AccessBehind(h, a, value, memory, Sharing(lock), comm)
Flush(a) == <<About("Waitall", {a})>>

(* A lock that can be shared (SharedLockKeeper): what is sent says who sends it, and what it wants. *)
ALONE == 0
SHARED == 1
GIVES_BACK == 2
Told(p, what) == 3 * p + what
LockAlone(h, me, lock, comm) == <<Behind(h, "standard", Told(me, ALONE), lock, ASKS, comm, All(lock)), About("Waitall", {h})>>
LockShared(h, me, lock, comm) == <<Behind(h, "standard", Told(me, SHARED), lock, SHARES, comm, Sharing(lock)), About("Waitall", {h})>>
LockSharedOwn(h, me, lock, comm) == <<Behind(h, "synchronous", Told(me, SHARED), lock, SHARES, comm, Sharing(lock)), About("Waitall", {h})>>
ReleaseAlone(h, me, lock, comm) == <<Behind(h, "to keeper", Told(me, GIVES_BACK), lock, RELEASES, comm, All(lock)), About("Waitall", {h})>>
ReleaseShared(h, me, lock, comm) == <<Behind(h, "to keeper", Told(me, GIVES_BACK), lock, SHARES, comm, Sharing(lock)), About("Waitall", {h})>>

(* W5: it waits for all members, and for the answers `as` to what this one has called before; so then all of it has happened. *)
WinFence(h, as, ranks) == <<About("Waitall", as)>> \o Barrier(h, ranks)

(* ---- races ---- *)

(*
 * An access is under way from its call, or the beginning of its epoch if that is later, until its rank knows that it is complete (W1, W10).  As an
 * invariant of programs in which all accesses are puts to one place: no two ranks have one under way at the same time.
 *)
UnderWay(p, a) == request[p][a].active /\ ~ \E i \in 1 .. Len(sent[p]) : sent[p][i].tag = ACCESSES /\ KeptBack(p, i)
NoRace(ranks, a) == \A p \in ranks, q \in ranks : p # q => ~(UnderWay(p, a) /\ UnderWay(q, a))

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

(* ---- keepers that go by what they were sent: programs with states, of two steps each ---- *)

Received(h, values, next) ==
    [when |-> [flag |-> TRUE, done |-> {h}, cancelled |-> {}, values |-> {[h |-> h, of |-> values]}, parts |-> {}, seen |-> {}], to |-> next]
Awaits(h, from, tag, comm, branches) == <<Post("Irecv", h, 0, from, tag, comm), [call |-> "Waitall", hs |-> {h}, idle |-> TRUE, then |-> branches]>>

(*
 * W3, of ranks 0 and 1.  The lock is free; or one of them has it alone, and then only that one is heard; or one shares it, or both do, and then
 * requests for the lock alone are not heard (D9).
 *)
SharedLockKeeper(h, comm) ==
    Awaits(h, ANY, ANY, comm, <<Received(h, {Told(0, ALONE)}, 3), Received(h, {Told(1, ALONE)}, 5), Received(h, {Told(0, SHARED), Told(1, SHARED)}, 7)>>)
    \o Awaits(h, 0, RELEASES, comm, <<Received(h, {Told(0, GIVES_BACK)}, 1)>>)
    \o Awaits(h, 1, RELEASES, comm, <<Received(h, {Told(1, GIVES_BACK)}, 1)>>)
    \o Awaits(h, ANY, SHARES, comm, <<Received(h, {Told(0, SHARED), Told(1, SHARED)}, 9), Received(h, {Told(0, GIVES_BACK), Told(1, GIVES_BACK)}, 1)>>)
    \o Awaits(h, ANY, SHARES, comm, <<Received(h, {Told(0, GIVES_BACK), Told(1, GIVES_BACK)}, 7)>>)

(* W1: a number that ranks 0 and 1 fetch and increment: an access says whose it is, and the answer brings what was there. *)
Answer(h, number, to, comm) ==
    <<Behind(h, "to keeper", number, to, ANSWERS, comm, {}), [call |-> "Waitall", hs |-> {h}, goto |-> 6 * number + 7]>>
RECURSIVE CounterKeeper(_, _, _, _)
CounterKeeper(number, most, h, comm) ==
    IF number = most THEN <<>>
    ELSE Awaits(h, ANY, ACCESSES, comm, <<Received(h, {0}, 6 * number + 3), Received(h, {1}, 6 * number + 5)>>)
         \o Answer(h, number, 0, comm) \o Answer(h, number, 1, comm) \o CounterKeeper(number + 1, most, h, comm)
=============================================================================
