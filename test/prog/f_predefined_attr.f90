! The attributes that every job has, as Fortran is told them: by mpiexec the same as here.  (Of a
! duplicate Open MPI tells addresses.)
!
! run: -n 2
! compare: each
program f_predefined_attr
  use mpi
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call show_all(MPI_COMM_WORLD)
  call MPI_Finalize(ierr)

contains

  subroutine show(name, comm, keyval)
    character(*), intent(in) :: name
    integer, intent(in) :: comm, keyval
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    value = -7
    call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
    if (.not. flag) value = -7
    print *, name, flag, value
  end subroutine

  subroutine show_old(name, comm, keyval)
    character(*), intent(in) :: name
    integer, intent(in) :: comm, keyval
    integer :: value
    logical :: flag
    value = -7
    call MPI_Attr_get(comm, keyval, value, flag, ierr)
    if (.not. flag) value = -7
    print *, name, flag, value
  end subroutine

  subroutine show_all(comm)
    integer, intent(in) :: comm
    call show('MPI_TAG_UB', comm, MPI_TAG_UB)
    call show('MPI_APPNUM', comm, MPI_APPNUM)
    call show('MPI_UNIVERSE_SIZE', comm, MPI_UNIVERSE_SIZE)
    call show_old('MPI_APPNUM', comm, MPI_APPNUM)
    call show_old('MPI_UNIVERSE_SIZE', comm, MPI_UNIVERSE_SIZE)
  end subroutine
end program
