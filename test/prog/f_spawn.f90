! Ranks that others start, from Fortran.
!
! run: -n 1
! compare: openmpi
! timeout: 120
program f_spawn
    use mpi
    implicit none
    integer :: ierr, parent, children, rank, number, codes(2), status(MPI_STATUS_SIZE), i, total
    character(len=256) :: program, arguments(2)
    call MPI_Init(ierr)
    call MPI_Comm_get_parent(parent, ierr)
    if (parent == MPI_COMM_NULL) then
        call get_command_argument(0, program)
        arguments(1) = 'one argument'
        arguments(2) = ' '
        call MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr)
        total = 0
        do i = 1, 2
            call MPI_Recv(number, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, children, status, ierr)
            total = total + number
        end do
        print '(a,i0)', 'parent: ', total
        call MPI_Comm_disconnect(children, ierr)
    else
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
        call get_command_argument(1, program)
        print '(a,i0,2a)', 'child ', rank, ': ', trim(program)
        call MPI_Send(rank + 1, 1, MPI_INTEGER, 0, 0, parent, ierr)
        call MPI_Comm_disconnect(parent, ierr)
    end if
    call MPI_Finalize(ierr)
end program f_spawn
