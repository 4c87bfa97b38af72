! ALLOCATE and OPEN may fail in Fortran, too; what its library allocates for itself does not.
!
! check: -n 2 --faults=malloc,open: deadlock error SUM
! runs: -n 2 --faults=malloc,open: 5, merged 3
! assumed: -n 2 --faults=malloc,open: faults: at 4 of 4 places (rank 0: 2, rank 1: 2)
! check: -n 2 --faults=malloc,open -- right: none
! runs: -n 2 --faults=malloc,open -- right: 5, merged 2
program fault_f
  use mpi
  implicit none
  integer :: ierr, stat, all
  logical :: fine, both
  real, allocatable :: part(:)
  character(len=4096) :: name
  call MPI_Init(ierr)
  allocate (part(1000), stat=stat)
  fine = stat == 0
  call get_command_argument(0, name)
  open (unit=10, file=trim(name), status='old', action='read', form='unformatted', access='stream', iostat=stat)
  fine = fine .and. stat == 0
  both = fine
  if (command_argument_count() > 0) call MPI_Allreduce(fine, both, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
  if (both) call MPI_Allreduce(1, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! SUM
  call MPI_Finalize(ierr)
end program fault_f
