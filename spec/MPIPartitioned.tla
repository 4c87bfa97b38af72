--------------------------- MODULE MPIPartitioned ---------------------------
(***************************************************************************)
(* Partitioned communication, P1 to P4: which sends and receives its calls *)
(* are.  Each pair of a send and a receive has two communicators of its    *)
(* own, one for starts and one for partitions, so who meets whom is M1 to  *)
(* M4, and who waits does so by M6 to M8.                                  *)
(***************************************************************************)
EXTENDS MPI

(* ---- P1: pairs ---- *)

(* What an init call says: MPI_Psend_init of rank `from`, or MPI_Precv_init of rank `to`. *)
Inits(side, from, to, tag) == [side |-> side, from |-> from, to |-> to, tag |-> tag]
Psend_init(me, dest, tag) == Inits("send", me, dest, tag)
Precv_init(me, source, tag) == Inits("recv", source, me, tag)

(* The k-th init of a rank, of all that it calls, is the n-th with its envelope: each side counts alone. *)
PairNumber(inits, k) == Cardinality({i \in 1 .. k : inits[i] = inits[k]})
Pair(inits, k, what) == <<inits[k].from, inits[k].to, inits[k].tag, PairNumber(inits, k), what>>
Starts(inits, k) == Pair(inits, k, "starts")
Parts(inits, k) == Pair(inits, k, "parts")

(* The communicators of all pairs that the inits of a rank are in. *)
PairsOf(inits) == UNION {{Starts(inits, k), Parts(inits, k)} : k \in 1 .. Len(inits)}
MembersOf(pair) == IF pair[1] = pair[2] THEN <<pair[1]>> ELSE <<pair[1], pair[2]>>

(* ---- P2: starts ---- *)

StartSend(h, inits, k) == <<Post("Isend", h, 0, inits[k].to, 0, Starts(inits, k))>>

(* With a request for each partition, from 0. *)
RECURSIVE AskForParts(_, _, _, _)
AskForParts(parts, inits, k, i) ==
    IF i = Len(parts) THEN <<>>
    ELSE <<Post("Irecv", parts[i + 1], 0, inits[k].from, i, Parts(inits, k))>> \o AskForParts(parts, inits, k, i + 1)
StartRecv(h, parts, inits, k) ==
    <<Post("Irecv", h, 0, inits[k].from, 0, Starts(inits, k))>> \o AskForParts(parts, inits, k, 0)

(* ---- P3, P4: partitions ---- *)

(* What is marked ready waits for nobody: a release of its part. *)
Pready(h, i, value, inits, k) ==
    <<[call |-> "Behind", h |-> h, mode |-> "to keeper", value |-> value, peer |-> inits[k].to, tag |-> i,
       comm |-> Parts(inits, k), after |-> {}],
      About("Waitall", {h})>>

(* A poll for the start of the other side and for one partition (M8). *)
Parrived(h, part) == <<About("Testall", {h, part})>>

WaitSend(h) == <<About("Waitall", {h})>>
WaitRecv(h, parts) == <<About("Waitall", {h} \cup parts)>>

(* Of a send of which some partition is not ready: a message from this rank to itself, which it would have to send later. *)
WaitTooEarly(h, ready, me, partitions, inits, k) ==
    <<Post("Irecv", ready, 0, me, partitions, Parts(inits, k)), About("Waitall", {h, ready})>>
=============================================================================
