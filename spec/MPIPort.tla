------------------------------ MODULE MPIPort -------------------------------
(***************************************************************************)
(* Ports, S2, where both sides are single ranks: a connect is a            *)
(* synchronous send to the rank that has the port, an accept a receive     *)
(* from any source.  So who is accepted is open (M4), and who connects     *)
(* where nobody accepts waits for ever (M9).                               *)
(***************************************************************************)
EXTENDS MPI

(* Ports of a rank are told apart by numbers, on a communicator of all ranks that nothing else uses. *)
Comm_connect(h, owner, port, ports) == <<Post("Issend", h, 0, owner, port, ports), About("Waitall", {h})>>
Comm_accept(h, port, ports) == <<Post("Irecv", h, 0, ANY, port, ports), About("Waitall", {h})>>
=============================================================================
