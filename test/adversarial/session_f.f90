! Fortran programs with a session in place of MPI_Init, in the search: two ranks send to rank 0, which receives from any source.
!
! mpi: mpich
! check: -n 3 -- right: none
! runs: -n 3 -- right: 2, merged 1
! check: -n 3 -- leaks: comm-leak warning MAKES
! runs: -n 3 -- leaks: 2, merged 1
program session_f
    use mpi_f08
    implicit none
    type(MPI_Session) :: session
    type(MPI_Group) :: group
    type(MPI_Comm) :: comm
    integer :: rank
    character(len=20) :: what

    call get_command_argument(1, what)
    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session)
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group)
    call MPI_Comm_create_from_group(group, 'fortran', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm) ! MAKES
    call MPI_Group_free(group)
    call MPI_Comm_rank(comm, rank)
    call collect()
    if (what /= 'leaks') call MPI_Comm_free(comm)
    call MPI_Session_finalize(session)
contains
    subroutine collect()
        integer :: word, i

        word = rank
        if (rank == 0) then
            do i = 1, 2
                call MPI_Recv(word, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE)
            end do
        else
            call MPI_Send(word, 1, MPI_INTEGER, 0, 0, comm)
        end if
        word = 0
    end subroutine
end program
