! Fortran programs whose ranks meet others at a port, start them, or share a pointer into a file: texts, arrays of texts and handles come
! through the library's Fortran interface, and the choices are those of C.  Two ranks connect, and which is accepted first is one choice;
! a child and its parent send to nobody else; two ranks take a part of a file by the shared pointer.
!
! check: -n 3 -- ports: none
! runs: -n 3 -- ports: 2, merged 2
! check: -n 3 -- refused: deadlock error CONNECTS
! runs: -n 3 -- refused: 2, merged 2
! check: -n 2 -- names: none
! runs: -n 2 -- names: 1, merged 1
! check: -n 1 -- spawn: none
! runs: -n 1 -- spawn: 2, merged 1
! check: -n 2 -- pointer: none
! runs: -n 2 -- pointer: 2, merged 2
program meeting_f
    use mpi
    implicit none
    integer :: rank, nranks, ierr, parent
    character(len=20) :: what

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
    call MPI_Comm_get_parent(parent, ierr)
    call get_command_argument(1, what)
    select case (what)
    case ('ports')
        call meet(nranks - 1)
    case ('refused')
        call meet(nranks - 2)
    case ('names')
        call find()
    case ('spawn')
        call start_others()
    case ('child')
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, parent, ierr)
        call MPI_Comm_disconnect(parent, ierr)
    case ('pointer')
        call take_part()
    end select
    call MPI_Finalize(ierr)
contains
    ! Rank 0 accepts so many of the others.
    subroutine meet(times)
        integer, intent(in) :: times
        integer :: other, i
        character(len=MPI_MAX_PORT_NAME) :: port

        if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port, ierr)
        call MPI_Bcast(port, len(port), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
        if (rank == 0) then
            do i = 1, times
                call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
                call MPI_Comm_disconnect(other, ierr)
            end do
            call MPI_Close_port(port, ierr)
        else
            call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr) ! CONNECTS
            call MPI_Comm_disconnect(other, ierr)
        end if
    end subroutine

    ! A port is found by the name under which it was published.
    subroutine find()
        integer :: other
        character(len=MPI_MAX_PORT_NAME) :: port

        if (rank == 0) then
            call MPI_Open_port(MPI_INFO_NULL, port, ierr)
            call MPI_Publish_name('a fortran service', MPI_INFO_NULL, port, ierr)
            call MPI_Barrier(MPI_COMM_WORLD, ierr)
            call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
            call MPI_Unpublish_name('a fortran service', MPI_INFO_NULL, port, ierr)
            call MPI_Close_port(port, ierr)
        else
            call MPI_Barrier(MPI_COMM_WORLD, ierr)
            call MPI_Lookup_name('a fortran service', MPI_INFO_NULL, port, ierr)
            call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, other, ierr)
        end if
        call MPI_Comm_disconnect(other, ierr)
    end subroutine

    ! Two children, of which either may be first.
    subroutine start_others()
        integer :: children, number, codes(2), i
        character(len=256) :: program, arguments(2)

        call get_command_argument(0, program)
        arguments = [character(len=256) :: 'child', ' ']
        call MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr)
        do i = 1, 2
            call MPI_Recv(number, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, children, MPI_STATUS_IGNORE, ierr)
        end do
        number = 0
        call MPI_Comm_disconnect(children, ierr)
    end subroutine

    subroutine take_part()
        integer :: file
        character :: part

        call MPI_File_open(MPI_COMM_WORLD, '/proc/self/exe', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
        call MPI_File_read_shared(file, part, 1, MPI_CHARACTER, MPI_STATUS_IGNORE, ierr)
        part = ' '
        call MPI_File_close(file, ierr)
    end subroutine
end program
