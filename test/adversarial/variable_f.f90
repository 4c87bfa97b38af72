! Fortran: an array of the program and one of a subroutine that are too short, and one of another kind; COMMON blocks and
! EQUIVALENCE, in which variables follow or share one another, are fine.
!
! check: -n 2 -- static: buffer-overflow error STATIC
! runs: -n 2 -- static: 1, merged 1
! check: -n 2 -- local: buffer-overflow error LOCAL
! runs: -n 2 -- local: 1, merged 1
! check: -n 2 -- kind: buffer-type warning KIND
! runs: -n 2 -- kind: 1, merged 1
! check: -n 2 -- right: none
! runs: -n 2 -- right: 1, merged 1
program variable_f
    use mpi
    implicit none
    integer :: ierr, rank
    integer :: fixed(5), behind(5)
    real(8) :: x(4)
    real :: first(6), second(4)
    integer :: numbers(10)
    common /shared/ first, second
    integer :: pieces(4)
    real :: same(4)
    equivalence (pieces, same)
    character(len=8) :: how

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call get_command_argument(1, how)
    fixed = 0
    behind = 0
    x = 0
    first = 0
    second = 0
    same = 0
    numbers = 0
    if (how == 'static') then
        if (rank == 0) call MPI_Send(fixed, 6, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr) ! STATIC
        if (rank == 1) call MPI_Recv(numbers, 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    if (how == 'local') call pass_local(6)
    if (how == 'kind') then
        if (rank == 0) call MPI_Send(x, 4, MPI_REAL, 1, 0, MPI_COMM_WORLD, ierr) ! KIND
        if (rank == 1) call MPI_Recv(first, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    if (how == 'right') then
        call pass_local(4)
        call MPI_Bcast(first, 10, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
        call MPI_Bcast(first(5), 6, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
        call MPI_Bcast(same, 4, MPI_REAL, 0, MPI_COMM_WORLD, ierr)
        call MPI_Bcast(pieces, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
        call MPI_Bcast(x, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
        call MPI_Bcast(x(3:4), 2, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
        call automatic(20)
    end if
    behind = fixed
    call MPI_Finalize(ierr)

contains

    subroutine pass_local(n)
        integer, intent(in) :: n
        integer :: mine(4), more(4)
        mine = 0
        more = 0
        if (rank == 0) then
            call MPI_Send(mine, n, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr) ! LOCAL
        else
            call MPI_Recv(numbers, 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        end if
        numbers(1) = mine(1) + more(1)
    end subroutine

    subroutine automatic(n)
        integer, intent(in) :: n
        integer :: flexible(n)
        flexible = 0
        call MPI_Bcast(flexible, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    end subroutine
end program
