! A session in place of MPI_Init, from Fortran.
!
! mpi: mpich
! run: -n 3
program f_session
    use mpi_f08
    implicit none
    type(MPI_Session) :: session
    type(MPI_Group) :: group
    type(MPI_Comm) :: comm
    integer :: rank, total

    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session)
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group)
    call MPI_Comm_create_from_group(group, 'fortran', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm)
    call MPI_Group_free(group)
    call MPI_Comm_rank(comm, rank)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm)
    print '(a, i0, a, i0)', 'rank ', rank, ' sums to ', total
    call MPI_Comm_free(comm)
    call MPI_Session_finalize(session)
end program
