#include "shim/file/file.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/file/file_remarks.h"
#include "shim/file/own_contents.h"
#include "shim/objects/status.h"
#include "shim/virtual/coll.h"

/*
 * The data always move by an independent call.  A collective one on a single
 * process would do, but ROMIO's may then write back what it has read between the
 * pieces of a strided access, trusting that it is alone; the independent one locks.
 *
 * Blocking collectives meet before and after, so nobody's data move while another
 * member is still in the call before or already in the one behind.  MPI promises
 * less; a run that can be repeated needs it.
 *
 * Nonblocking access moves the data at once.  The libraries would start threads
 * for it, and a process with threads cannot be forked.
 */

#define READ(...) &(struct file_access){.buf = buf, .count = count, .datatype = datatype, __VA_ARGS__}
#define WRITE(...) \
    &(struct file_access){.write = true, .buf = (void *)buf, .count = count, .datatype = datatype, __VA_ARGS__}
#define AT .at = true, .offset = offset

/* By the calls with large counts, if the library has them; else no larger count can come here. */
static int write_data(MPI_File fh, const struct file_access *a, MPI_Status *status)
{
    if (a->at)
        return real.File_write_at_c ? real.File_write_at_c(fh, a->offset, a->buf, a->count, a->datatype, status)
                                    : real.File_write_at(fh, a->offset, a->buf, (int)a->count, a->datatype, status);
    return real.File_write_c ? real.File_write_c(fh, a->buf, a->count, a->datatype, status)
                             : real.File_write(fh, a->buf, (int)a->count, a->datatype, status);
}

static int read_data(MPI_File fh, const struct file_access *a, MPI_Status *status)
{
    if (a->at)
        return real.File_read_at_c ? real.File_read_at_c(fh, a->offset, a->buf, a->count, a->datatype, status)
                                   : real.File_read_at(fh, a->offset, a->buf, (int)a->count, a->datatype, status);
    return real.File_read_c ? real.File_read_c(fh, a->buf, a->count, a->datatype, status)
                            : real.File_read(fh, a->buf, (int)a->count, a->datatype, status);
}

/* With the number of its first etype, for which the library knows its own pointer. */
static int move_told_data(MPI_File fh, struct file *file, const struct file_access *a, MPI_Status *status)
{
    MPI_Offset etype = a->offset;
    if (!a->at && real.File_get_position(fh, &etype) != MPI_SUCCESS)
        etype = -1;
    int error = MPI_SUCCESS;
    if (a->write)
        error = write_data(fh, a, status);
    else if (etype < 0 || !own_contents_read(fh, file, a, etype, status))
        error = read_data(fh, a, status);
    if (error != MPI_SUCCESS || etype < 0)
        return error;
    if (file_remarks_are_wanted(file))
        file_remark_access(file, a, etype);
    if (a->write)
        own_contents_written(file, a, etype);
    return error;
}

static int move_data(MPI_File fh, const struct file_access *a, MPI_Status *status)
{
    struct file *file = file_find(fh);
    if (file && (file->path || file_remarks_are_wanted(file)))
        return move_told_data(fh, file, a, status);
    return a->write ? write_data(fh, a, status) : read_data(fh, a, status);
}

int body_File_read(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_data(fh, READ(), status);
}

int body_File_write(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_data(fh, WRITE(), status);
}

int body_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Status *status)
{
    return move_data(fh, READ(AT), status);
}

int body_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Status *status)
{
    return move_data(fh, WRITE(AT), status);
}

static int move_together(MPI_File fh, const struct file_access *a, MPI_Status *status)
{
    struct file *file = file_find(fh);
    if (!file)
        return move_data(fh, a, status);
    file_agree(file);
    int error = move_data(fh, a, status);
    file_agree(file);
    return error;
}

int body_File_read_all(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_together(fh, READ(), status);
}

int body_File_write_all(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_together(fh, WRITE(), status);
}

int body_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                          MPI_Status *status)
{
    return move_together(fh, READ(AT), status);
}

int body_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                           MPI_Status *status)
{
    return move_together(fh, WRITE(AT), status);
}

/* Nonblocking, independent: a request that is complete when it is made. */
static int start_access(MPI_File fh, const struct file_access *a, MPI_Request *request)
{
    struct file *file = file_find(fh);
    MPI_Status status;
    int error = move_data(fh, a, &status);
    if (error != MPI_SUCCESS || !file)
        return error;
    struct request *r = request_new(file->comm);
    request_activate(r, false, true);
    r->status = status;
    *request = request_handle(r);
    return MPI_SUCCESS;
}

int body_File_iread(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_access(fh, READ(), request);
}

int body_File_iwrite(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_access(fh, WRITE(), request);
}

int body_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Request *request)
{
    return start_access(fh, READ(AT), request);
}

int body_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Request *request)
{
    return start_access(fh, WRITE(AT), request);
}

/* How far an access moves a pointer. */
static int64_t etypes(const struct file *file, const struct file_access *a)
{
    const struct type *type = type_find(a->datatype);
    return type && a->count > 0 && file->view.etype > 0 ? (int64_t)type_bytes(type, a->count) / file->view.etype : 0;
}

/* What each member tells the others in a collective access. */
struct file_turn {
    int64_t etypes; /* that it accesses */
    int64_t moved;  /* it has moved the shared pointer alone */
};

static struct file_turn own_turn(const struct file *file, const struct file_access *a)
{
    return (struct file_turn){etypes(file, a), file->shared.moved};
}

/* Joins without waiting. */
static struct request *join_access(struct file *file, const struct file_access *a)
{
    struct request *r = request_new(file->comm);
    const struct op_slice slice = {.to = SLICE_FOR_ALL, .bytes = sizeof(struct file_turn)};
    struct file_turn mine = own_turn(file, a);
    struct file_turn *room = coll_begin(r, &(struct collective_part){.root = -1,
                                                 .until = (uint32_t)comm_members(file->comm),
                                                 .slice = &slice,
                                                 .slices = 1,
                                                 .count = a->count,
                                                 .type = type_find(a->datatype)},
                               false);
    *room = mine;
    coll_commit();
    return r;
}

/* Nonblocking, collective.  With an error there is no request, but the others wait for this member. */
static int start_together(MPI_File fh, const struct file_access *a, MPI_Request *request)
{
    struct file *file = file_find(fh);
    MPI_Status status = {0};
    int error = move_data(fh, a, &status);
    if (!file)
        return error;
    struct request *r = join_access(file, a);
    r->status = status;
    *request = request_handle(r);
    if (error != MPI_SUCCESS)
        body_Request_free(request);
    return error;
}

int body_File_iread_all(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_together(fh, READ(), request);
}

int body_File_iwrite_all(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_together(fh, WRITE(), request);
}

int body_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                           MPI_Request *request)
{
    return start_together(fh, READ(AT), request);
}

int body_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                            MPI_Request *request)
{
    return start_together(fh, WRITE(AT), request);
}

static void take_turn(const struct file *file, int position, struct file_turn turn, struct ordered_place *place)
{
    if (position < file->comm->rank)
        place->before += turn.etypes;
    place->all += turn.etypes;
    place->moved |= turn.moved != 0;
}

static void go_to_place(struct file *file, const struct ordered_place *place, struct file_access *a)
{
    shared_pointer_settle(&file->shared, file->comm, place->moved);
    a->at = true;
    a->offset = file->shared.start + place->before;
    shared_pointer_set(&file->shared, file->shared.start + place->all);
}

/*
 * Split collectives.  Only the end may wait.
 */

static int begin_split_access(MPI_File fh, const struct file_access *a)
{
    struct file *file = file_find(fh);
    MPI_Status status = {0};
    if (file && file->split.request)
        return file_raise(fh, MPI_ERR_IO);
    int error = move_data(fh, a, &status);
    if (!file)
        return error;
    file->split.ordered = false;
    file->split.status = status;
    file->split.request = join_access(file, a);
    return error;
}

void file_end_split(struct file *file)
{
    if (!file->split.request)
        return;
    complete_all(&file->split.request, 1);
    request_delete(file->split.request);
    file->split.request = NULL;
}

static int end_split_access(MPI_File fh, const void *buf, MPI_Status *status)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_write_all_end(fh, buf, status);
    if (!file->split.request)
        return file_raise(fh, MPI_ERR_IO);
    file_end_split(file);
    if (file->split.ordered) {
        go_to_place(file, &file->split.place, &file->split.access);
        return move_data(fh, &file->split.access, status);
    }
    status_copy(status, &file->split.status);
    return MPI_SUCCESS;
}

int body_File_read_all_begin(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return begin_split_access(fh, READ());
}

int body_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

int body_File_write_all_begin(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return begin_split_access(fh, WRITE());
}

int body_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

int body_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return begin_split_access(fh, READ(AT));
}

int body_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

int body_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                 MPI_Datatype datatype)
{
    return begin_split_access(fh, WRITE(AT));
}

int body_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

/*
 * The shared pointer, moved by all together: an ordered access is at the pointer plus what the members before
 * take, and moves it by what all take.
 */

static int move_in_order(MPI_File fh, struct file_access *a, MPI_Status *status)
{
    struct file *file = file_find(fh);
    if (!file)
        return move_data(fh, a, status);
    int members = comm_members(file->comm);
    struct ordered_place place = {0};
    struct file_turn mine = own_turn(file, a), *all = shim_alloc((size_t)members * sizeof *all);
    memset(all, 0, (size_t)members * sizeof *all); /* a member that is in another call brings nothing */
    coll_exchange(file->comm, &mine, sizeof mine, all);
    for (int i = 0; i < members; i++)
        take_turn(file, i, all[i], &place);
    free(all);
    go_to_place(file, &place, a);
    int error = move_data(fh, a, status);
    file_agree(file);
    return error;
}

static void order_is_known(struct request *r, const struct completion *c)
{
    struct file *file = r->state;
    const struct piece *piece = completion_pieces(c);
    file->split.place = (struct ordered_place){0};
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct file_turn turn = {0};
        if (piece[i].bytes == sizeof turn)
            memcpy(&turn, arena_at(piece[i].payload), sizeof turn);
        take_turn(file, (int)piece[i].from, turn, &file->split.place);
    }
}

static int begin_in_order(MPI_File fh, const struct file_access *a)
{
    struct file *file = file_find(fh);
    MPI_Status status;
    if (!file)
        return move_data(fh, a, &status);
    if (file->split.request)
        return file_raise(fh, MPI_ERR_IO);
    file->split.ordered = true;
    file->split.access = *a;
    file->split.request = join_access(file, a);
    file->split.request->state = file;
    file->split.request->finish = order_is_known;
    return MPI_SUCCESS;
}

int body_File_read_ordered(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_in_order(fh, READ(), status);
}

int body_File_write_ordered(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_in_order(fh, WRITE(), status);
}

int body_File_read_ordered_begin(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return begin_in_order(fh, READ());
}

int body_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

int body_File_write_ordered_begin(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return begin_in_order(fh, WRITE());
}

int body_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return end_split_access(fh, buf, status);
}

/*
 * The shared pointer, moved by one rank.  It is moved when the access is called, also if that does not block (MPI-4.0, 14.4.4): the
 * access is then one at an explicit offset.
 */

static void take_shared_place(MPI_File fh, struct file_access *a)
{
    struct file *file = file_find(fh);
    if (!file)
        return;
    a->at = true;
    a->offset = shared_pointer_move(&file->shared, file->comm, etypes(file, a));
}

static int move_shared(MPI_File fh, struct file_access *a, MPI_Status *status)
{
    take_shared_place(fh, a);
    return move_data(fh, a, status);
}

static int start_shared(MPI_File fh, struct file_access *a, MPI_Request *request)
{
    take_shared_place(fh, a);
    return start_access(fh, a, request);
}

int body_File_read_shared(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_shared(fh, READ(), status);
}

int body_File_write_shared(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return move_shared(fh, WRITE(), status);
}

int body_File_iread_shared(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_shared(fh, READ(), request);
}

int body_File_iwrite_shared(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return start_shared(fh, WRITE(), request);
}

/* The library knows where the view ends: its own pointer goes there and back. */
static int position_from_end(MPI_File fh, MPI_Offset offset, MPI_Offset *position)
{
    MPI_Offset here;
    struct file *file = file_find(fh);
    int error = real.File_get_position(fh, &here);
    if (file)
        own_contents_settle_size(file);
    if (error == MPI_SUCCESS)
        error = real.File_seek(fh, offset, MPI_SEEK_END);
    if (error != MPI_SUCCESS)
        return error;
    error = real.File_get_position(fh, position);
    int back = real.File_seek(fh, here, MPI_SEEK_SET);
    return error != MPI_SUCCESS ? error : back;
}

int body_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_seek_shared(fh, offset, whence);
    file_settle_pointer(file);
    MPI_Offset position = whence == MPI_SEEK_CUR ? file->shared.start + offset : offset;
    int error = MPI_SUCCESS;
    if (whence == MPI_SEEK_END)
        error = position_from_end(fh, offset, &position);
    else if ((whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR) || position < 0)
        error = file_raise(fh, MPI_ERR_ARG);
    if (error == MPI_SUCCESS)
        shared_pointer_set(&file->shared, position);
    file_agree(file);
    return error;
}

int body_File_get_position_shared(MPI_File fh, MPI_Offset *offset)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_get_position_shared(fh, offset);
    *offset = shared_pointer_move(&file->shared, file->comm, 0);
    return MPI_SUCCESS;
}
