! Rank 0 asks until twenty seconds have passed, by the clock of Fortran, and then does not take the message.  With `right`
! it does.
!
! check: -n 2: lost-message warning SENT
! check: -n 2: buffering-deadlock error SENT
! runs: -n 2: 3, merged 2
! check: -n 2 -- right: none
! runs: -n 2 -- right: 3, merged 1
program poll_system_clock
    use mpi
    implicit none
    integer :: rank, value, ierr, status(MPI_STATUS_SIZE)
    integer(8) :: start, now, rate
    logical :: seen

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    value = rank
    if (rank == 1) then
        call MPI_Send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr) ! SENT
    else
        call system_clock(start, rate)
        now = start
        seen = .false.
        do while (.not. seen .and. now - start < 20 * rate)
            call MPI_Iprobe(1, 0, MPI_COMM_WORLD, seen, status, ierr)
            call system_clock(now)
        end do
        if (seen .or. command_argument_count() > 0) &
            call MPI_Recv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, status, ierr)
    end if
    call MPI_Finalize(ierr)
end program
