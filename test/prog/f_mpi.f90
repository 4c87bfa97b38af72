! Fortran through the module mpi: what f_mpifh does not do. Probes, buffered and
! cancelled communication, v-collectives, scans, type maps of a derived type,
! error codes, intercommunicators, in allocatable arrays.
!
! run: -n 3
program f_mpi
  use mpi
  implicit none

  type particle
    sequence
    double precision :: x, y
    integer :: id, kind
  end type

  integer :: ierr, me, n

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  call probes
  call buffered
  call cancelled
  call collectives
  call particles
  call errors
  call intercommunicator
  call MPI_Finalize(ierr)

contains

  subroutine say(what, values)
    character(*), intent(in) :: what
    integer, intent(in) :: values(:)

    print '(a,i0,a,a,20(1x,i0))', 'rank ', me, ': ', what, values
  end subroutine

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what

    if (condition) return
    print '(a,i0,a,a)', 'rank ', me, ': not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine

  subroutine probes
    integer, allocatable :: v(:)
    integer :: status(MPI_STATUS_SIZE), length, source, i
    logical :: flag

    if (me == 0) then
      do source = n - 1, 1, -1
        call MPI_Probe(source, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
        call MPI_Get_count(status, MPI_INTEGER, length, ierr)
        allocate(v(length))
        call MPI_Recv(v, length, MPI_INTEGER, source, status(MPI_TAG), MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierr)
        call say('probed', v)
        deallocate(v)
      end do
      call MPI_Iprobe(MPI_ANY_SOURCE, 55, MPI_COMM_WORLD, flag, status, ierr)
      call check(.not. flag, 'nothing with this tag')
    else
      call MPI_Send((/ (10 * me + i, i = 1, me + 1) /), me + 1, MPI_INTEGER, 0, me, &
                    MPI_COMM_WORLD, ierr)
    end if
  end subroutine

  subroutine buffered
    character, allocatable :: room(:)
    integer :: bytes, v

    allocate(room(1000 + MPI_BSEND_OVERHEAD))
    call MPI_Buffer_attach(room, size(room), ierr)
    call MPI_Bsend(me, 1, MPI_INTEGER, mod(me + 1, n), 1, MPI_COMM_WORLD, ierr)
    call MPI_Recv(v, 1, MPI_INTEGER, mod(me + n - 1, n), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Buffer_detach(room, bytes, ierr)
    call say('buffered', (/ v /))
    call check(bytes == size(room), 'size of the buffer')
  end subroutine

  subroutine cancelled
    integer :: request, status(MPI_STATUS_SIZE), v
    logical :: flag

    call MPI_Irecv(v, 1, MPI_INTEGER, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, request, ierr)
    call MPI_Cancel(request, ierr)
    call MPI_Wait(request, status, ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    call check(flag, 'cancelled')
  end subroutine

  subroutine collectives
    integer :: counts(3), places(3), all(9), v(3), w(3), total, requests(2)

    counts = (/ 1, 2, 3 /)
    places = (/ 5, 3, 0 /)
    v = 100 * me + (/ 1, 2, 3 /)
    all = -1
    call MPI_Allgatherv(v, me + 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call say('allgatherv', all)
    call MPI_Alltoall(v, 1, MPI_INTEGER, w, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call say('alltoall', w)
    call MPI_Scan(me, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call say('scan', (/ total /))
    call MPI_Scatter(all, 1, MPI_INTEGER, total, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
    call say('scatter', (/ total /))
    if (me == 0) then
      call MPI_Reduce(MPI_IN_PLACE, v, 3, MPI_INTEGER, MPI_MIN, 0, MPI_COMM_WORLD, ierr)
    else
      call MPI_Reduce(v, w, 3, MPI_INTEGER, MPI_MIN, 0, MPI_COMM_WORLD, ierr)
    end if
    call say('reduce', v)
    total = me
    call MPI_Ibcast(total, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call say('ibcast', (/ total /))
  end subroutine

  ! A derived type from addresses, in an array of two.
  subroutine particles
    type(particle) :: p(2), q(2)
    integer :: made, status(MPI_STATUS_SIZE), lengths(2), types(2)
    integer(kind=MPI_ADDRESS_KIND) :: places(2), next

    call MPI_Get_address(p(1)%x, places(1), ierr)
    call MPI_Get_address(p(1)%id, places(2), ierr)
    call MPI_Get_address(p(2)%x, next, ierr)
    next = next - places(1)
    places = places - places(1)
    lengths = (/ 2, 2 /)
    types = (/ MPI_DOUBLE_PRECISION, MPI_INTEGER /)
    call MPI_Type_create_struct(2, lengths, places, types, made, ierr)
    types(1) = made
    call MPI_Type_create_resized(made, 0_MPI_ADDRESS_KIND, next, types(2), ierr)
    call MPI_Type_commit(types(2), ierr)
    p(1) = particle(me + 0.5d0, 1d0, me, 1)
    p(2) = particle(me + 0.25d0, 2d0, -me, 2)
    call MPI_Sendrecv(p, 2, types(2), mod(me + 1, n), 0, q, 2, types(2), mod(me + n - 1, n), 0, &
                      MPI_COMM_WORLD, status, ierr)
    print '(a,i0,a,f5.2,1x,f5.2,2(1x,i0))', 'rank ', me, ': particles', q(1)%x, q(2)%x, q(1)%id, q(2)%id
    call MPI_Type_free(types(1), ierr)
    call MPI_Type_free(types(2), ierr)
  end subroutine

  subroutine errors
    integer :: code, class, length
    character(MPI_MAX_ERROR_STRING) :: text

    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_Send(me, 1, MPI_INTEGER, 77, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class, ierr)
    call check(class == MPI_ERR_RANK, 'class of the error')
    call MPI_Error_string(code, text, length, ierr)
    call check(length > 0, 'error string')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr)
  end subroutine

  subroutine intercommunicator
    integer :: local, inter, v, remote

    call MPI_Comm_split(MPI_COMM_WORLD, min(me, 1), 0, local, ierr)
    call MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, merge(1, 0, me == 0), 4, inter, ierr)
    call MPI_Comm_remote_size(inter, remote, ierr)
    call MPI_Allreduce(me, v, 1, MPI_INTEGER, MPI_SUM, inter, ierr)
    call say('inter', (/ remote, v /))
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_free(local, ierr)
  end subroutine
end program
