#include "shim/objects/type.h"

#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/objects/flatten.h"
#include "shim/objects/object.h"
#include "shim/objects/type_contents.h"

/*
 * Known datatypes by handle.  A datatype that the user frees while operations
 * are pending on it is really freed when the last of them is done.
 */
struct known {
    struct type type;
    int holds;
    int freed; /* how often: a handle that MPI_Type_get_contents gave out may be one that the user had */
    bool laid_out;           /* the rest is known: */
    struct layout layout;
    MPI_Count overlaps_from; /* elements, 0: never */
};
static struct handle_map known; /* of struct known */
static struct known *last;      /* most calls use the datatype of the call before */
static uint32_t numbers;        /* ever given out; those of freed types are given out again: */
static struct {
    uint32_t *number;
    int count, room;
} spare;

enum { PACK_PIECE = 1 << 30 }; /* MPI_Pack counts its bytes in int */

static bool is_contiguous(MPI_Datatype handle);

/* True if element after element of the old type is laid out without gaps, in order. */
static bool contents_are_contiguous(MPI_Datatype handle, const struct type_envelope *envelope)
{
    struct type_contents c;
    MPI_Aint lb, extent;
    bool contiguous = type_contents_get(&c, handle, envelope) && is_contiguous(c.type[0]);
    if (c.types) {
        real_must(Type_get_extent, c.type[0], &lb, &extent);
        if (c.combiner == MPI_COMBINER_VECTOR)
            contiguous = contiguous && (c.integer[0] <= 1 || c.integer[1] == c.integer[2]);
        if (c.combiner == MPI_COMBINER_RESIZED)
            contiguous = contiguous && c.address[0] == 0 && c.address[1] == extent;
        flatten_give_back(c.type[0]);
    }
    type_contents_release(&c);
    return contiguous;
}

static bool is_contiguous(MPI_Datatype handle)
{
    struct type_envelope envelope = type_envelope_of(handle);
    MPI_Aint lb, extent;
    int size;
    switch (envelope.combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_INTEGER:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
        real_must(Type_get_extent, handle, &lb, &extent);
        real_must(Type_size, handle, &size);
        return lb == 0 && extent == size;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_RESIZED:
        return contents_are_contiguous(handle, &envelope);
    default:
        return false;
    }
}

/* Its name and its signature. */
static void announce_type(struct type *type)
{
    struct signature signature = {0};
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    real_must(Type_get_name, type->handle, name, &length);
    flatten(type->handle, &signature);
    type->signature = signature_id(&signature);
    struct op op = {.kind = OP_TYPE,
                    .type = type->number,
                    .signature = type->signature,
                    .count = (int64_t)signature.elements,
                    .bytes = signature.bytes,
                    .items = signature.runs == SIGNATURE_LONG ? 0 : signature.runs};
    size_t front = op_round((size_t)length + 1);
    char *tail = channel_begin(&op, front + signature_size(&signature));
    memset(tail, 0, front);
    memcpy(tail, name, (size_t)length);
    signature_write(&signature, tail + front);
    channel_commit();
}

static uint32_t take_type_number(void)
{
    return spare.count ? spare.number[--spare.count] : ++numbers;
}

static void give_number(uint32_t number)
{
    if (spare.count == spare.room) {
        spare.room = spare.room ? 2 * spare.room : 16;
        spare.number = shim_realloc(spare.number, spare.room * sizeof *spare.number);
    }
    spare.number[spare.count++] = number;
}

/* The library says whether it is a datatype at all. */
static struct known *learn_type(MPI_Datatype handle)
{
    MPI_Count size;
    if (real.Type_size_x(handle, &size) != MPI_SUCCESS)
        return NULL;
    struct known *k = shim_alloc(sizeof *k);
    MPI_Aint lb;
    *k = (struct known){.type = {.handle = handle, .size = size}};
    k->type.number = take_type_number();
    k->type.contiguous = is_contiguous(handle);
    real_must(Type_get_extent, handle, &lb, &k->type.extent);
    real_must(Type_get_true_extent, handle, &k->type.true_lb, &k->type.true_extent);
    k->type.builtin = type_envelope_of(handle).combiner == MPI_COMBINER_NAMED;
    k->type.group = reduction_group_of(handle);
    handle_map_put(&known, HANDLE_KEY(handle), k);
    announce_type(&k->type);
    return k;
}

static struct known *find_known_type(MPI_Datatype handle)
{
    if (last && last->type.handle == handle)
        return last;
    struct known *k = handle_map_get(&known, HANDLE_KEY(handle));
    return last = k ? k : learn_type(handle);
}

const struct type *type_find(MPI_Datatype handle)
{
    struct known *k = handle == MPI_DATATYPE_NULL ? NULL : find_known_type(handle);
    return k ? &k->type : NULL;
}

/* The library gets it back as often as the user has freed it: callbacks for its attributes may fail. */
static int forget_type(struct known *k)
{
    int rc = MPI_SUCCESS;
    handle_map_remove(&known, HANDLE_KEY(k->type.handle));
    for (int i = 0; i < k->freed && rc == MPI_SUCCESS; i++) {
        MPI_Datatype handle = k->type.handle;
        rc = real.Type_free(&handle);
    }
    give_number(k->type.number);
    if (last == k)
        last = NULL;
    layout_release(&k->layout);
    free(k);
    return rc;
}

MPI_Datatype type_hold(MPI_Datatype handle)
{
    find_known_type(handle)->holds++;
    return handle;
}

void type_drop(MPI_Datatype handle)
{
    struct known *k = find_known_type(handle);
    if (--k->holds == 0 && k->freed)
        library_check("MPI_Type_free", forget_type(k));
}

int body_Type_free(MPI_Datatype *datatype)
{
    uint64_t key = HANDLE_KEY(*datatype);
    if (object_is_freed(OBJECT_TYPE, key))
        return error_argument(NULL, MPI_ERR_TYPE, "the datatype was freed before");
    struct known *k = handle_map_get(&known, key);
    if (!k || k->type.builtin) {
        int rc = real.Type_free(datatype);
        if (rc == MPI_SUCCESS)
            object_freed(OBJECT_TYPE, key);
        return rc;
    }
    object_freed(OBJECT_TYPE, key);
    k->freed++;
    *datatype = MPI_DATATYPE_NULL;
    return k->holds ? MPI_SUCCESS : forget_type(k);
}

int body_Type_commit(MPI_Datatype *datatype)
{
    int rc = real.Type_commit(datatype);
    if (rc == MPI_SUCCESS)
        object_commit(HANDLE_KEY(*datatype));
    return rc;
}

/* A duplicate is committed if its original is. */
int body_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    int rc = real.Type_dup(oldtype, newtype);
    if (rc != MPI_SUCCESS)
        return rc;
    object_made(OBJECT_TYPE, HANDLE_KEY(*newtype));
    if (object_is_committed(HANDLE_KEY(oldtype)))
        object_commit(HANDLE_KEY(*newtype));
    return rc;
}

void type_given(int n, const MPI_Datatype types[])
{
    for (int i = 0; i < n; i++)
        if (flatten_is_derived(types[i]))
            object_shared(OBJECT_TYPE, HANDLE_KEY(types[i]));
}

void type_shared(MPI_Datatype outer, const MPI_Datatype inner[])
{
    type_given((int)type_envelope_of(outer).types, inner);
}

bool type_is_committed(const struct type *type)
{
    return type->builtin || object_is_committed(HANDLE_KEY(type->handle));
}

bool type_overlap(const void *a, MPI_Count a_count, const struct type *a_type, const void *b, MPI_Count b_count,
                  const struct type *b_type)
{
    uint64_t a_bytes = type_bytes(a_type, a_count), b_bytes = type_bytes(b_type, b_count);
    if (a_bytes == 0 || b_bytes == 0)
        return false;
    if (a_type->contiguous && b_type->contiguous)
        return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
    return a == b && a_type == b_type;
}

static struct known *lay_out_type(const struct type *type)
{
    struct known *k = find_known_type(type->handle);
    if (!k->laid_out) {
        k->layout = layout_of(type->handle);
        k->overlaps_from = layout_overlaps_from(&k->layout, type->extent);
        k->laid_out = true;
    }
    return k;
}

const struct layout *type_layout(const struct type *type)
{
    return &lay_out_type(type)->layout;
}

bool type_overlaps_itself(const struct type *type, MPI_Count count)
{
    if (type->contiguous || count <= 0 || type->size == 0)
        return false;
    MPI_Count from = lay_out_type(type)->overlaps_from;
    return from > 0 && count >= from;
}

/* How many whole elements one call of MPI_Pack or MPI_Unpack can take. */
static MPI_Count pack_step(const struct type *type, MPI_Count left)
{
    MPI_Count most = type->size ? PACK_PIECE / type->size : PACK_PIECE;
    return left < most ? left : most > 0 ? most : 1;
}

/* What MPI_Pack and MPI_Unpack are told. */
struct elements {
    void *buf;
    int count;
    MPI_Datatype type;
};

/*
 * MPI_BOTTOM is a null pointer in C, and MPICH refuses to pack from there and to unpack to there.  So the same
 * elements are named as one element of another datatype, as far away from an address that is not null.
 */
static struct elements elements_at(void *buf, int count, const struct type *type)
{
    static char origin;
    if (buf)
        return (struct elements){buf, count, type->handle};
    struct elements whole = {&origin, 1, MPI_DATATYPE_NULL};
    MPI_Aint back = -(MPI_Aint)(uintptr_t)&origin;
    real_must(Type_create_hindexed, 1, &count, &back, type->handle, &whole.type);
    real_must(Type_commit, &whole.type);
    return whole;
}

static void elements_done(struct elements *elements, const struct type *type)
{
    if (elements->type != type->handle)
        real_must(Type_free, &elements->type);
}

bool type_is_nowhere(const struct type *type, const void *buf, MPI_Count count)
{
    return !buf && count > 0 && type->size > 0 && (type->builtin || type->true_lb == 0);
}

void type_pack(const void *buf, MPI_Count count, const struct type *type, void *to)
{
    if (type->contiguous) {
        memcpy(to, buf, type_bytes(type, count));
        return;
    }
    if (type->size == 0)
        return;
    for (MPI_Count done = 0, step; done < count; done += step) {
        int position = 0;
        step = pack_step(type, count - done);
        struct elements from = elements_at(type_at(buf, done, type), step, type);
        real_must(Pack, from.buf, from.count, from.type, (char *)to + type_bytes(type, done), step * type->size,
                  &position, shim.self);
        elements_done(&from, type);
    }
}

/*
 * The first `bytes` of one element: MPI_Unpack takes whole elements only, a
 * receive may end anywhere, so let the library receive it from itself.
 */
static void unpack_part(const void *from, uint64_t bytes, void *buf, const struct type *type)
{
    real_must(Sendrecv, from, bytes, MPI_BYTE, 0, 0, buf, 1, type->handle, 0, 0, shim.self, MPI_STATUS_IGNORE);
}

void type_unpack(const void *from, uint64_t bytes, void *buf, MPI_Count count, const struct type *type)
{
    if (bytes == 0)
        return;
    if (type->contiguous) {
        memcpy(buf, from, bytes);
        return;
    }
    MPI_Count whole = bytes / type->size;
    if (whole > count)
        whole = count;
    for (MPI_Count done = 0, step; done < whole; done += step) {
        int position = 0;
        step = pack_step(type, whole - done);
        struct elements to = elements_at(type_at(buf, done, type), step, type);
        real_must(Unpack, (const char *)from + type_bytes(type, done), step * type->size, &position, to.buf, to.count,
                  to.type, shim.self);
        elements_done(&to, type);
    }
    uint64_t rest = bytes - type_bytes(type, whole);
    if (whole < count && rest)
        unpack_part((const char *)from + type_bytes(type, whole), rest, type_at(buf, whole, type), type);
}
