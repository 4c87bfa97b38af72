! Rank 0 takes a message of anybody and then one of rank 2, which has sent only one: a deadlock if that was the first.  The values
! are those of the binary interface of MPI 5.
program main
    implicit none
    integer, parameter :: MPI_COMM_WORLD = 257, MPI_INTEGER = 537, MPI_SUM = 33, MPI_ANY_SOURCE = -1
    integer :: rank, comm, request, error, value, total, status(8)

    call mpi_init(error)
    call mpi_comm_dup(MPI_COMM_WORLD, comm, error)
    call mpi_comm_rank(comm, rank, error)
    call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
    if (total /= 3) stop 2
    if (rank == 0) then
        call mpi_irecv(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, comm, request, error)
        call mpi_wait(request, status, error)
        if (status(1) /= value .or. status(2) /= 5) stop 2
        call mpi_recv(value, 1, MPI_INTEGER, 2, 5, comm, status, error) ! SECOND
    else
        call mpi_send(rank, 1, MPI_INTEGER, 0, 5, comm, error)
    end if
    call mpi_comm_free(comm, error)
    call mpi_finalize(error)
end program
