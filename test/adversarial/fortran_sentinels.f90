! What Fortran has in place of null pointers: MPI_IN_PLACE, MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE and
! MPI_UNWEIGHTED are variables there, whose addresses mean something.
!
! check: -n 2: none
! runs: -n 2: 1, merged 1
program fortran_sentinels
  use mpi
  implicit none
  integer :: ierr, rank, other, requests(2), ring
  integer :: in, out, both(2), degrees(1)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  out = rank + 1
  call MPI_Irecv(in, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(out, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (in /= other + 1) call abort()
  call MPI_Sendrecv(out, 1, MPI_INTEGER, other, 1, in, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  if (in /= other + 1) call abort()

  call MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (out /= 3) call abort()
  both = -1
  both(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  if (any(both /= (/ 0, 1 /))) call abort()
  both = rank
  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, both, 2, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
    if (any(both /= 1)) call abort()
  else
    call MPI_Reduce(both, both, 2, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  end if

  degrees = other
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, degrees, MPI_UNWEIGHTED, 1, degrees, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., ring, ierr)
  in = -1
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring, ierr)
  if (in /= other) call abort()
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
end program
