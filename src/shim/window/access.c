/*
 * access -- put, get and the accumulate family.
 *
 * What is wrong with the arguments is found here, at the origin, who knows the size of every target's window.  What is
 * right becomes one struct window_access, with the data copied: from the program's point of view they are on their way.
 */
#include <string.h>

#include "call/operators.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/guard/bounds.h"
#include "shim/objects/element.h"
#include "shim/objects/flatten.h"
#include "shim/objects/object.h"
#include "shim/objects/reduction_op.h"
#include "shim/objects/reduction_pair.h"
#include "shim/objects/target_place.h"
#include "shim/window/origin.h"
#include "shim/window/outbox.h"
#include "shim/window/remarks.h"

struct access_buffer {
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
};

/* What the program said. */
struct access_call {
    enum window_access_kind kind;
    struct access_buffer origin; /* of a WINDOW_GET, where the result goes */
    struct access_buffer result; /* of WINDOW_FETCH and WINDOW_SWAP */
    const void *compared;        /* of WINDOW_SWAP */
    int target;
    MPI_Aint disp;
    MPI_Count count;
    MPI_Datatype datatype;
    MPI_Op op; /* of WINDOW_ACCUMULATE and WINDOW_FETCH */
    MPI_Win win;
    MPI_Request *request; /* of the calls that have one, or NULL */
};

#define access_argument(w, error_class, ...) \
    error_raise_on_window((w)->handle, error_class, COMPLAINT_INVALID_ARGUMENT, __VA_ARGS__)

static int check_datatype(const struct window *w, MPI_Count count, MPI_Datatype datatype, const char *whose)
{
    if (count < 0)
        return access_argument(w, MPI_ERR_COUNT, "the count of the %s is %lld", whose, (long long)count);
    if (datatype == MPI_DATATYPE_NULL)
        return access_argument(w, MPI_ERR_TYPE, "the datatype of the %s is MPI_DATATYPE_NULL", whose);
    if (object_is_freed(OBJECT_TYPE, HANDLE_KEY(datatype)))
        return access_argument(w, MPI_ERR_TYPE, "the datatype of the %s was freed", whose);
    const struct type *type = type_find(datatype);
    if (!type)
        return access_argument(w, MPI_ERR_TYPE, "the datatype of the %s is none", whose);
    if (!type_is_committed(type))
        return access_argument(w, MPI_ERR_TYPE, "the datatype of the %s is not committed", whose);
    return MPI_SUCCESS;
}

static int check_access_buffer(const struct window *w, const struct access_buffer *b, const char *whose, bool filled)
{
    int rc = check_datatype(w, b->count, b->datatype, whose);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct type *type = type_find(b->datatype);
    if (type_is_nowhere(type, b->buf, b->count))
        return access_argument(w, MPI_ERR_BUFFER, "the buffer of the %s is null and its count %lld", whose,
                               (long long)b->count);
    bounds_check(b->buf, b->count, type, bounds_span(b->buf, b->count, type), filled);
    return MPI_SUCCESS;
}

static uint64_t bytes_of_buffer(const struct access_buffer *b)
{
    return type_bytes(type_find(b->datatype), b->count);
}

/* Whether data go to the target at all. */
static bool brings_data(const struct access_call *a)
{
    return a->kind != WINDOW_GET && !(a->kind == WINDOW_FETCH && a->op == MPI_NO_OP);
}

static bool wants_result(const struct access_call *a)
{
    return a->kind == WINDOW_FETCH || a->kind == WINDOW_SWAP;
}

static int check_buffers(const struct window *w, const struct access_call *a)
{
    int rc = check_datatype(w, a->count, a->datatype, "target");
    if (rc == MPI_SUCCESS && (a->kind == WINDOW_GET || brings_data(a)))
        rc = check_access_buffer(w, &a->origin, "origin", a->kind == WINDOW_GET);
    if (rc == MPI_SUCCESS && wants_result(a))
        rc = check_access_buffer(w, &a->result, "result", true);
    return rc;
}

/* ---- does it fit? ---- */

#define access_type_error(w, error_class, ...) \
    error_raise_on_window((w)->handle, error_class, COMPLAINT_RMA_TYPE, __VA_ARGS__)

/* Puts of a program are mostly alike: the last that fitted is kept, by signatures and counts. */
static bool has_same_signature(const struct access_buffer *b, const struct access_call *a)
{
    static uint64_t known[4];
    const struct type *origin = type_find(b->datatype), *target = type_find(a->datatype);
    const uint64_t now[4] = {origin->signature, (uint64_t)b->count, target->signature, (uint64_t)a->count};
    if (memcmp(now, known, sizeof now) == 0 || (now[0] == now[2] && now[1] == now[3]))
        return true;
    struct signature one = {0}, other = {0}, mine = {0}, theirs = {0};
    flatten(b->datatype, &one);
    flatten(a->datatype, &other);
    signature_add(&mine, &one, (uint64_t)b->count);
    signature_add(&theirs, &other, (uint64_t)a->count);
    bool same = mine.fits_any || theirs.fits_any || signature_id(&mine) == signature_id(&theirs);
    if (same)
        memcpy(known, now, sizeof now);
    return same;
}

/* MPI forbids what would be written twice, also where the same would be written. */
static int check_overlap(const struct window *w, const struct access_call *a)
{
    if (a->kind != WINDOW_GET && type_overlaps_itself(type_find(a->datatype), a->count))
        return access_type_error(w, MPI_ERR_TYPE, "entries of the target overlap");
    if (a->kind == WINDOW_GET && type_overlaps_itself(type_find(a->origin.datatype), a->origin.count))
        complain(COMPLAINT_RECEIVE_OVERLAP, "%s: entries of the origin's buffer overlap", call_name(shim.call));
    return MPI_SUCCESS;
}

static int check_signature(const struct window *w, const struct access_call *a)
{
    const struct access_buffer *b = a->kind == WINDOW_GET || brings_data(a) ? &a->origin : &a->result;
    if (!has_same_signature(b, a))
        return access_type_error(w, MPI_ERR_TYPE, "origin and target are of different types");
    return MPI_SUCCESS;
}

static int check_sizes(const struct window *w, const struct access_call *a, uint64_t bytes)
{
    if ((a->kind == WINDOW_GET || brings_data(a)) && bytes_of_buffer(&a->origin) != bytes)
        return access_type_error(w, MPI_ERR_TYPE, "the origin has %llu bytes, and the target %llu",
                                 (unsigned long long)bytes_of_buffer(&a->origin), (unsigned long long)bytes);
    if (wants_result(a) && bytes_of_buffer(&a->result) != bytes)
        return access_type_error(w, MPI_ERR_TYPE, "the result has %llu bytes, and the target %llu",
                                 (unsigned long long)bytes_of_buffer(&a->result), (unsigned long long)bytes);
    return MPI_SUCCESS;
}

static int check_place(const struct window *w, const struct access_call *a, const struct target_place *place)
{
    const struct target *target = &w->target[a->target];
    if (w->flavour == MPI_WIN_FLAVOR_DYNAMIC || place->bytes == 0)
        return MPI_SUCCESS;
    if (place->low < 0 || (uint64_t)place->high > target->bytes)
        return error_raise_on_window(
            w->handle, MPI_ERR_RMA_RANGE, COMPLAINT_RMA_BOUNDS,
            "it accesses the bytes %lld to %lld of the window of rank %d, which has %llu bytes", (long long)place->low,
            (long long)place->high - 1, (int)target->rank, (unsigned long long)target->bytes);
    return MPI_SUCCESS;
}

static bool is_swappable(enum reduction_group group)
{
    return group == GROUP_C_INTEGER || group == GROUP_FORTRAN_INTEGER || group == GROUP_LOGICAL ||
           group == GROUP_BYTE || group == GROUP_MULTI_LANGUAGE || group == GROUP_UNKNOWN;
}

static int check_window_operator(const struct window *w, const struct access_call *a, uint32_t number, MPI_Datatype basic)
{
    if (a->op == MPI_OP_NULL)
        return access_argument(w, MPI_ERR_OP, "the operator is MPI_OP_NULL");
    if (number == OPERATOR_USER || number == OPERATOR_USER_IN_ORDER)
        return access_type_error(w, MPI_ERR_OP,
                                 "the operator is one of the program, and only predefined ones are allowed");
    if (number == OPERATOR_NO_OP && a->kind == WINDOW_ACCUMULATE)
        return access_type_error(w, MPI_ERR_OP, "MPI_NO_OP is only for calls that have a result");
    if (number != OPERATOR_REPLACE && number != OPERATOR_NO_OP &&
        !reduction_pair_is_allowed(number, reduction_group_of(basic)))
        return access_type_error(w, MPI_ERR_OP, "%s is not for this datatype", operator_name(number));
    return MPI_SUCCESS;
}

/* Of the accumulate family: what it computes with, and how. */
static int describe_operation(const struct window *w, const struct access_call *a, struct window_access *access)
{
    MPI_Datatype basic = element_basic(a->datatype);
    if (basic == MPI_DATATYPE_NULL)
        return access_type_error(w, MPI_ERR_TYPE, "the datatype of the target is made of several basic types");
    if (basic != a->datatype && (shim.call == CALL_Fetch_and_op || shim.call == CALL_Compare_and_swap))
        return access_type_error(w, MPI_ERR_TYPE, "the datatype is none of the predefined ones");
    if (brings_data(a) && !element_is_same(basic, element_basic(a->origin.datatype)))
        return access_type_error(w, MPI_ERR_TYPE,
                                 "the datatypes of origin and target are not made of the same basic type");
    if (a->kind == WINDOW_SWAP && !is_swappable(reduction_group_of(basic)))
        return access_type_error(w, MPI_ERR_TYPE, "the datatype is none of integers, truth values or bytes");
    uint32_t number = a->kind == WINDOW_SWAP ? OPERATOR_NONE
                      : a->op == MPI_OP_NULL ? OPERATOR_NONE
                                             : reduction_op_number(a->op);
    int rc = a->kind == WINDOW_SWAP ? MPI_SUCCESS : check_window_operator(w, a, number, basic);
    if (rc != MPI_SUCCESS)
        return rc;
    access->operator=(uint16_t) number;
    if (!element_describe(basic, number, &access->element))
        return access_type_error(w, MPI_ERR_TYPE, "tourney cannot compute with this datatype");
    return MPI_SUCCESS;
}

/* ---- sending it ---- */

static struct access_note note_of_access(const struct access_call *a, uint64_t bytes)
{
    struct access_note note = {.call = shim.call, .place = shim.place};
    const struct access_buffer *to = a->kind == WINDOW_GET ? &a->origin : wants_result(a) ? &a->result : NULL;
    if (to)
        note.result = (struct access_result){to->buf, to->count, type_hold(to->datatype), bytes};
    return note;
}

static void write_access(const struct access_call *a, const struct window_access *access,
                         const struct target_place *place, struct message_text *text)
{
    struct access_note note = note_of_access(a, place->bytes);
    char *to = message_text_add(text, access, place->piece, note);
    if (!brings_data(a))
        return;
    if (a->kind == WINDOW_SWAP) {
        memcpy(to, a->compared, place->bytes);
        to += place->bytes;
    }
    type_pack(a->origin.buf, a->origin.count, type_find(a->origin.datatype), to);
}

/* The program's, for a result that is to come; NULL: it wants none. */
static struct request *make_request_for_result(const struct access_call *a, struct window *w)
{
    if (!a->request)
        return NULL;
    struct request *r = request_new(w->comm);
    request_activate(r, false, false);
    return r;
}

static struct request *hand_out_request(const struct access_call *a, struct request *r)
{
    if (r)
        *a->request = request_handle(r);
    return r;
}

/* One that is complete: there is nothing to do, or no result, and the data are copied.  NULL: the program wants none. */
static struct request *hand_out_complete(const struct access_call *a, struct window *w)
{
    if (!a->request)
        return NULL;
    struct request *r = request_new(w->comm);
    request_activate(r, false, true);
    return hand_out_request(a, r);
}

/* W20: in a search, a test may say no of one whose data are copied.  A single run says yes, which is one of the two. */
static struct request *hand_out_deniably(const struct access_call *a, struct window *w)
{
    struct request *r = hand_out_complete(a, w);
    if (r && channel_head()->copied)
        request_settle_deniably(r);
    return r;
}

static struct lent_buffer lend_buffer(const struct access_buffer *b, bool filled)
{
    return (struct lent_buffer){b->buf, b->count, b->datatype, filled};
}

static void lend_buffers(struct window *w, const struct access_call *a, struct request *users)
{
    static const struct lent_buffer none = {.datatype = MPI_DATATYPE_NULL};
    const struct access_buffer compared = {(void *)a->compared, 1, a->datatype};
    const struct lent_buffer lent[ORIGIN_BUFFERS] = {
        a->kind == WINDOW_GET || brings_data(a) ? lend_buffer(&a->origin, a->kind == WINDOW_GET) : none,
        wants_result(a) ? lend_buffer(&a->result, true) : none,
        a->kind == WINDOW_SWAP ? lend_buffer(&compared, false) : none};
    origin_lend(w, a->target, lent, users);
}

static void send_access(struct window *w, const struct access_call *a, enum access_epoch epoch,
                        const struct window_access *access, const struct target_place *place)
{
    bool atomic = a->kind != WINDOW_PUT && a->kind != WINDOW_GET, results = a->kind == WINDOW_GET || wants_result(a);
    remark_access(w, a->target, epoch, access, place->piece);
    if (!atomic && !(a->request && results)) {
        write_access(a, access, place, &w->target[a->target].queue);
        lend_buffers(w, a, hand_out_deniably(a, w));
        return;
    }
    static struct message_text spare; /* nobody has taken it: its room is of use again */
    struct message_text text = spare;
    spare = (struct message_text){0};
    write_access(a, access, place, &text);
    struct request *request = text.request = results ? make_request_for_result(a, w) : NULL;
    outbox_take(w, a->target, epoch, atomic ? WINDOW_ATOMIC : WINDOW_CALM, &text);
    message_text_release(&spare); /* of another thread */
    spare = text;
    spare.request = NULL;
    lend_buffers(w, a, results ? hand_out_request(a, request) : hand_out_deniably(a, w));
}

static int check_target(struct window *w, const struct access_call *a, enum access_epoch *epoch)
{
    if (a->target < 0 || a->target >= window_members(w))
        return access_argument(w, MPI_ERR_RANK, "the target is %d, of %d ranks", a->target, window_members(w));
    if (a->disp < 0 && w->flavour != MPI_WIN_FLAVOR_DYNAMIC)
        return error_raise_on_window(w->handle, MPI_ERR_DISP, COMPLAINT_RMA_BOUNDS, "the displacement is %lld",
                                     (long long)a->disp);
    int rc = epoch_of_access(w, a->target, epoch);
    if (rc == MPI_SUCCESS && a->request && *epoch != ACCESS_LOCKED)
        rc = epoch_error(w, "calls that return a request are only allowed while the target is locked");
    return rc;
}

/* Where it begins in the window, in bytes. */
static int find_access_start(const struct window *w, const struct access_call *a, int64_t *start)
{
    if (__builtin_mul_overflow((int64_t)a->disp, (int64_t)w->target[a->target].unit, start))
        return error_raise_on_window(w->handle, MPI_ERR_RMA_RANGE, COMPLAINT_RMA_BOUNDS, "the displacement is %lld",
                                     (long long)a->disp);
    return MPI_SUCCESS;
}

static int make_access(const struct access_call *a)
{
    struct window *w = window_find(a->win);
    enum access_epoch epoch;
    int64_t start;
    if (!w)
        return window_not_found();
    if (a->target == MPI_PROC_NULL) {
        hand_out_complete(a, w);
        return MPI_SUCCESS;
    }
    int rc = check_buffers(w, a);
    if (rc == MPI_SUCCESS)
        rc = check_target(w, a, &epoch);
    if (rc == MPI_SUCCESS)
        rc = find_access_start(w, a, &start);
    if (rc != MPI_SUCCESS)
        return rc;
    struct target_place place = target_place_of(start, a->count, type_find(a->datatype));
    struct window_access access = {
        .kind = (uint16_t)a->kind,
        .pieces = place.pieces,
        .bytes = brings_data(a) ? place.bytes * (a->kind == WINDOW_SWAP ? 2 : 1) : 0,
        .extent = place.bytes,
    };
    rc = check_sizes(w, a, place.bytes);
    if (rc == MPI_SUCCESS)
        rc = check_signature(w, a);
    if (rc == MPI_SUCCESS)
        rc = check_overlap(w, a);
    if (rc == MPI_SUCCESS)
        rc = check_place(w, a, &place);
    if (rc == MPI_SUCCESS && a->kind != WINDOW_PUT && a->kind != WINDOW_GET)
        rc = describe_operation(w, a, &access);
    if (rc == MPI_SUCCESS && place.bytes)
        send_access(w, a, epoch, &access, &place);
    else if (rc == MPI_SUCCESS)
        hand_out_complete(a, w);
    target_place_release(&place);
    return rc;
}

/* ---- the calls ---- */

#define ORIGIN ((struct access_buffer){(void *)origin_addr, origin_count, origin_datatype})
#define RESULT ((struct access_buffer){result_addr, result_count, result_datatype})
#define TARGET \
    .target = target_rank, .disp = target_disp, .count = target_count, .datatype = target_datatype, .win = win

int body_Put(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_PUT, .origin = ORIGIN, TARGET});
}

int body_Get(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_GET, .origin = ORIGIN, TARGET});
}

int body_Accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_ACCUMULATE, .origin = ORIGIN, .op = op, TARGET});
}

int body_Get_accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                        void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                        MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_FETCH, .origin = ORIGIN, .result = RESULT, .op = op, TARGET});
}

int body_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                      MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_FETCH,
                                           .origin = {(void *)origin_addr, 1, datatype},
                                           .result = {result_addr, 1, datatype},
                                           .target = target_rank,
                                           .disp = target_disp,
                                           .count = 1,
                                           .datatype = datatype,
                                           .op = op,
                                           .win = win});
}

int body_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                          int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    return make_access(&(struct access_call){.kind = WINDOW_SWAP,
                                           .origin = {(void *)origin_addr, 1, datatype},
                                           .result = {result_addr, 1, datatype},
                                           .compared = compare_addr,
                                           .target = target_rank,
                                           .disp = target_disp,
                                           .count = 1,
                                           .datatype = datatype,
                                           .op = MPI_OP_NULL,
                                           .win = win});
}

int body_Rput(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request)
{
    return make_access(&(struct access_call){.kind = WINDOW_PUT, .origin = ORIGIN, TARGET, .request = request});
}

int body_Rget(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request)
{
    return make_access(&(struct access_call){.kind = WINDOW_GET, .origin = ORIGIN, TARGET, .request = request});
}

int body_Raccumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                     MPI_Request *request)
{
    return make_access(
        &(struct access_call){.kind = WINDOW_ACCUMULATE, .origin = ORIGIN, .op = op, TARGET, .request = request});
}

int body_Rget_accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                         void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                         MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                         MPI_Win win, MPI_Request *request)
{
    return make_access(&(struct access_call){
        .kind = WINDOW_FETCH, .origin = ORIGIN, .result = RESULT, .op = op, TARGET, .request = request});
}
