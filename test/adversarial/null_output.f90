! All ranks but the first write into nothing from now on, as programs do that want one rank to print.
!
! check: -n 2: none
! runs: -n 2: 1, merged 1
! check: -n 2 -- wrong: deadlock error WAITS
! runs: -n 2 -- wrong: 1, merged 1
program null_output
    use mpi
    implicit none
    integer :: rank, error, number
    character(16) :: word
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call get_command_argument(1, word)
    if (rank > 0) open(unit=6, file='/dev/null', status='unknown')
    write(6, *) 'rank', rank
    number = rank
    if (rank > 0) then
        if (word == ' ') call MPI_Send(number, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, error)
    else
        call MPI_Recv(number, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error) ! WAITS
    end if
    call MPI_Finalize(error)
end program
