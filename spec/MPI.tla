-------------------------------- MODULE MPI --------------------------------
(***************************************************************************)
(* Programs, and what can happen next.                                     *)
(*                                                                         *)
(* A program is, for each process, a sequence of steps.  Each step is a     *)
(* record that names its call.  After a step comes the next one, unless the *)
(* step has a field `goto`, or a field `then`: a sequence of [when, to],    *)
(* of which the first whose condition on the answer holds says where it     *)
(* goes on.  So a program can do one thing or another by what it received,  *)
(* from whom, and what its polls said.                                      *)
(***************************************************************************)
EXTENDS MPISupport

CONSTANTS
    Program,
    Start    \* by process: its first step
VARIABLE pc \* by process: its next step; one more than there are: it is over

vars == <<status, sent, wanted, request, space, turn, part, answer, fault, pc>>

Init ==
    /\ MPIInit
    /\ pc = Start

Do(p, s) ==
    CASE s.call = "Isend" -> MPI_Isend(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Ibsend" -> MPI_Ibsend(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Issend" -> MPI_Issend(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Irsend" -> MPI_Irsend(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Behind" -> SendBehind(p, s.h, s.mode, s.value, s.peer, s.tag, s.comm, s.after)
      [] s.call = "Irecv" -> MPI_Irecv(p, s.h, s.peer, s.tag, s.comm)
      [] s.call = "Send_init" -> MPI_Send_init(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Bsend_init" -> MPI_Bsend_init(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Ssend_init" -> MPI_Ssend_init(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Rsend_init" -> MPI_Rsend_init(p, s.h, s.value, s.peer, s.tag, s.comm)
      [] s.call = "Recv_init" -> MPI_Recv_init(p, s.h, s.peer, s.tag, s.comm)
      [] s.call = "Start" -> MPI_Start(p, s.h)
      [] s.call = "Startall" -> MPI_Startall(p, s.hs)
      [] s.call = "Wait" -> MPI_Wait(p, s.h)
      [] s.call = "Test" -> MPI_Test(p, s.h)
      [] s.call = "Waitall" -> MPI_Waitall(p, s.hs)
      [] s.call = "Testall" -> MPI_Testall(p, s.hs)
      [] s.call = "Waitany" -> MPI_Waitany(p, s.hs)
      [] s.call = "Testany" -> MPI_Testany(p, s.hs)
      [] s.call = "Waitsome" -> MPI_Waitsome(p, s.hs)
      [] s.call = "Testsome" -> MPI_Testsome(p, s.hs)
      [] s.call = "Request_free" -> MPI_Request_free(p, s.h)
      [] s.call = "Cancel" -> MPI_Cancel(p, s.h)
      [] s.call = "Test_cancelled" -> MPI_Test_cancelled(p, s.h)
      [] s.call = "Get_count" -> MPI_Get_count(p, s.h)
      [] s.call = "Probe" -> MPI_Probe(p, s.peer, s.tag, s.comm)
      [] s.call = "Iprobe" -> MPI_Iprobe(p, s.peer, s.tag, s.comm)
      [] s.call = "Mprobe" -> MPI_Mprobe(p, s.h, s.peer, s.tag, s.comm)
      [] s.call = "Improbe" -> MPI_Improbe(p, s.h, s.peer, s.tag, s.comm)
      [] s.call = "Imrecv" -> MPI_Imrecv(p, s.h)
      [] s.call = "Buffer_attach" -> MPI_Buffer_attach(p, s.value)
      [] s.call = "Buffer_detach" -> MPI_Buffer_detach(p)
      [] s.call = "Collective" -> Join(p, s.h, s.what, s.comm, Needs(s.what, s.comm, s.root, s.empty, p), s.value, {})
      [] s.call = "Join" -> Join(p, s.h, s.what, s.comm, s.needs, s.value, s.clash)
      [] s.call = "Init" -> MPI_Init(p)
      [] s.call = "Finalize" -> MPI_Finalize(p)
      [] s.call = "Initialized" -> MPI_Initialized(p)
      [] s.call = "Abort" -> MPI_Abort(p)
      [] s.call = "Crash" -> Crash(p)
      [] s.call = "Comm_size" -> MPI_Comm_size(p, s.comm)
      [] s.call = "Comm_rank" -> MPI_Comm_rank(p, s.comm)
      [] s.call = "Group_size" -> MPI_Group_size(p, s.comm)
      [] s.call = "Group_rank" -> MPI_Group_rank(p, s.comm)
      [] s.call = "Comm_compare" -> MPI_Comm_compare(p, s.comm, s.other)

(***************************************************************************)
(* Whether an answer is the one that a branch is for.  It tells the flag;   *)
(* which requests were completed, and which of them were cancelled; by      *)
(* request, the values that may have come; by request and member, those     *)
(* that may have been joined with; and what a probe may have seen.          *)
(***************************************************************************)
Says(a, when) ==
    /\ a.flag = when.flag
    /\ a.done = when.done
    /\ {h \in a.done : a.got[h].cancelled} = when.cancelled
    /\ \A x \in when.values : a.got[x.h].value \in x.of
    /\ \A x \in when.parts : a.got[x.h].value[x.proc] \in x.of
    /\ when.seen # {} => a.got.value \in when.seen

Branch(s, a) == {i \in 1 .. Len(s.then) : Says(a, s.then[i].when)}
HasBranches(s) == "then" \in DOMAIN s

(* Where a process goes from step s, with answer a. *)
After(p, s, a) ==
    IF s.call = "Startall" /\ Cardinality(NotStarted(p, s.hs)) > 1 THEN pc[p]
    ELSE IF "goto" \in DOMAIN s THEN s.goto
    ELSE IF ~HasBranches(s) THEN pc[p] + 1
    ELSE s.then[CHOOSE i \in Branch(s, a) : \A k \in Branch(s, a) : i <= k].to

Over(p) == pc[p] > Len(Program[p])

(* Polls that go round, until one of them says yes (M8), are one step: a wait for any of the alternatives. *)
Alternatives(s) == IF s.call = "Either" THEN s.of ELSE {s}

Step(p) ==
    /\ ~Over(p)
    /\ fault = ""
    /\ \E s \in Alternatives(Program[p][pc[p]]) :
          /\ Do(p, s)
          /\ pc' = [pc EXCEPT ![p] = After(p, s, answer'[p])]

(* A keeper of a window need not come to an end: it waits in a step that has a field `idle`. *)
OverOrIdle(p) == IF Over(p) THEN TRUE ELSE "idle" \in DOMAIN Program[p][pc[p]]

(* A run that has ended well, or with a fault, stays as it is: what else has no next state is a deadlock (M9). *)
Ended == fault # "" \/ \A p \in Procs : OverOrIdle(p)

Next ==
    \/ \E p \in Procs : Step(p)
    \/ fault = "" /\ Match /\ UNCHANGED pc
    \/ Ended /\ UNCHANGED <<status, sent, wanted, request, space, turn, part, answer, fault, pc>>

Spec == Init /\ [][Next]_vars

(* To be asked as an invariant. *)
NoFault == fault = ""
=============================================================================
