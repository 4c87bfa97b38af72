! Buffers of pending operations in Fortran.
!
! check: -n 2 -- write: buffer-race error WRITE
! check: -n 2 -- read: buffer-race error READ
! check: -n 2: none
program buffer_race_f
  use mpi
  implicit none

  integer :: ierr, me, other, request(2), i
  character(8) :: what
  double precision, save :: line(0:101)
  double precision, allocatable :: sums(:)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call get_command_argument(1, what)
  other = 1 - me
  allocate(sums(0:20000))
  sums = 0
  line = me
  call MPI_Irecv(sums(10), 100, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request(1), ierr)
  call MPI_Isend(line(1), 100, MPI_DOUBLE_PRECISION, other, 0, MPI_COMM_WORLD, request(2), ierr)
  do i = 0, 9
    sums(i) = line(i)
  end do
  line(0) = line(101)
  if (what == 'write') line(50) = 1 ! WRITE
  if (what == 'read') line(0) = sums(20) ! READ
  call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
  line(50) = sums(20)
  call MPI_Finalize(ierr)
end program
