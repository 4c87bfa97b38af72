---------------------------- MODULE MPIMatching ----------------------------
(***************************************************************************)
(* Which sends and receives meet: M1 to M4, and what a probe sees.         *)
(***************************************************************************)
EXTENDS MPIState

(* M1.  3.2.3 Message envelope, 3.2.4 Blocking receive.  What a matched probe has taken is matched. *)
Fits(s, send, r, recv) ==
    /\ send.taken = {}
    /\ send.to = r
    /\ send.comm = recv.comm
    /\ recv.from \in {ANY, s}
    /\ recv.tag \in {ANY, send.tag}

(* W2: nobody can receive the i-th send of s before all earlier ones to another process, or those with one tag, have been received. *)
KeptBack(s, i) ==
    \E k \in 1 .. i - 1 : \E a \in sent[s][i].after :
        sent[s][k].to = a.of /\ a.tag \in {ANY, sent[s][k].tag} /\ sent[s][k].comm = sent[s][i].comm

(* M2.  3.5 Order, first sentence: no earlier send of s would do for the receive. *)
FirstSent(s, i, r, recv) == \A k \in 1 .. i - 1 : ~Fits(s, sent[s][k], r, recv) \/ KeptBack(s, k)

(* M3.  3.5 Order, second sentence: none of the first n receives of r would do for the send. *)
NotWantedBefore(s, i, r, n) == \A k \in 1 .. n : ~Fits(s, sent[s][i], r, wanted[r][k])

(* M4.  Nothing else restricts matching. *)
Eligible(s, i, r, j) ==
    /\ Fits(s, sent[s][i], r, wanted[r][j])
    /\ ~KeptBack(s, i)
    /\ FirstSent(s, i, r, wanted[r][j])
    /\ NotWantedBefore(s, i, r, j - 1)

(* 3.8 Probe and Cancel: a probe sees what a receive posted now could take. *)
Seen(p, from, tag, comm) ==
    LET recv == [from |-> from, tag |-> tag, comm |-> comm]
    IN {<<s, i>> \in UNION {{<<q, k>> : k \in 1 .. Len(sent[q])} : q \in Procs} :
            /\ Fits(s, sent[s][i], p, recv)
            /\ ~KeptBack(s, i)
            /\ FirstSent(s, i, p, recv)
            /\ NotWantedBefore(s, i, p, Len(wanted[p]))}

(* M6 for the sender of a message that is received. *)
SendDone(all, s, h) == IF h = NOBODY THEN all ELSE [all EXCEPT ![s] = [@ EXCEPT ![h] = [@ EXCEPT !.done = TRUE]]]

(* M6 for a receive. *)
RecvDone(all, r, h, s, send) ==
    IF h = NOBODY THEN all
    ELSE [all EXCEPT ![r] = [@ EXCEPT ![h] =
             [@ EXCEPT !.done = TRUE, !.got = send.value, !.source = s, !.gottag = send.tag]]]

(* A message that leaves the attached buffer makes room (3.6.1, the model of buffered mode). *)
SpaceWithout(s, send) ==
    IF send.attached THEN [space EXCEPT ![s] = [@ EXCEPT !.used = @ - 1]] ELSE space

(* Any eligible pair may match at any moment: 3.5 Fairness promises nothing. *)
Match ==
    \E s \in Procs, r \in Procs :
        \E i \in 1 .. Len(sent[s]), j \in 1 .. Len(wanted[r]) :
            /\ Eligible(s, i, r, j)
            /\ LET send == sent[s][i]
                   recv == wanted[r][j]
               IN /\ sent' = [sent EXCEPT ![s] = Without(@, i)]
                  /\ wanted' = [wanted EXCEPT ![r] = Without(@, j)]
                  /\ request' = RecvDone(SendDone(request, s, send.handle), r, recv.handle, s, send)
                  /\ space' = SpaceWithout(s, send)
            /\ UNCHANGED <<status, turn, part, answer, fault>>
=============================================================================
