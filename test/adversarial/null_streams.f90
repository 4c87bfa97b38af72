! Units that are connected to the standard streams are opened anew, on files and on nothing, and closed.
!
! check: -n 2: none
! runs: -n 2: 1, merged 1
! check: -n 2 -- wrong: deadlock error WAITS
! runs: -n 2 -- wrong: 1, merged 1
program null_streams
    use mpi
    implicit none
    integer :: rank, error, number
    character(16) :: word
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call get_command_argument(1, word)
    if (rank > 0) then
        open(unit=6, file='/dev/null')
        open(unit=0, file='/dev/null', status='old', action='write')
        write(6, *) 'nobody reads this'
        write(0, *) 'nor this'
        close(6)
        open(unit=6, file='/dev/null', status='unknown', form='formatted')
    else
        write(6, *) 'this goes where it always went'
    end if
    number = rank
    if (rank > 0) then
        if (word == ' ') call MPI_Send(number, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    else
        call MPI_Recv(number, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! WAITS
    end if
    call MPI_Finalize(error)
end program
