#include "shim/objects/reduction_op.h"

#include <limits.h>
#include <stdlib.h>

#include "call/operators.h"
#include "shim/core/library_code.h"
#include "shim/objects/object.h"

/* The user's own operators; those of the library are not kept here. */
struct user_op {
    MPI_Op handle;
    int holds;
    bool freed; /* by the user; really, when the last hold is dropped */
};
static struct handle_map user_ops;

static struct user_op *find_user_op(MPI_Op op)
{
    return handle_map_get(&user_ops, HANDLE_KEY(op));
}

static int learn_user_op(int rc, MPI_Op *op)
{
    if (rc == MPI_SUCCESS) {
        struct user_op *u = shim_alloc(sizeof *u);
        *u = (struct user_op){.handle = *op};
        handle_map_put(&user_ops, HANDLE_KEY(*op), u);
        object_made(OBJECT_OP, HANDLE_KEY(*op));
    }
    return rc;
}

static int forget_user_op(struct user_op *u)
{
    MPI_Op op = u->handle;
    handle_map_remove(&user_ops, HANDLE_KEY(op));
    free(u);
    return real.Op_free(&op);
}

int body_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    return learn_user_op(real.Op_create(function, commute, op), op);
}

int body_Op_create_c(MPI_User_function_c *function, int commute, MPI_Op *op)
{
    return learn_user_op(real.Op_create_c(function, commute, op), op);
}

int body_MPIX_Op_create_x(MPIX_User_function_x *function, MPIX_Destructor_function *destructor, int commute,
                          void *extra_state, MPI_Op *op)
{
    return learn_user_op(real.MPIX_Op_create_x(function, destructor, commute, extra_state, op), op);
}

int body_Op_free(MPI_Op *op)
{
    struct user_op *u = find_user_op(*op);
    if (!u)
        return real.Op_free(op);
    object_freed(OBJECT_OP, HANDLE_KEY(*op));
    *op = MPI_OP_NULL;
    u->freed = true;
    return u->holds ? MPI_SUCCESS : forget_user_op(u);
}

void reduction_op_hold(MPI_Op op)
{
    struct user_op *u = find_user_op(op);
    if (u)
        u->holds++;
}

void reduction_op_drop(MPI_Op op)
{
    struct user_op *u = find_user_op(op);
    if (u && --u->holds == 0 && u->freed)
        forget_user_op(u);
}

uint32_t reduction_op_number(MPI_Op op)
{
#define X(name)                                                                                                        \
    if (op == MPI_##name)                                                                                              \
        return OPERATOR_##name;
    OPERATORS(X)
#undef X
    int commutes = 1;
    real_must(Op_commutative, op, &commutes);
    return commutes ? OPERATOR_USER : OPERATOR_USER_IN_ORDER;
}

/* The library knows which pairs it can do; it is asked where its errors come back. */
int reduction_op_check(MPI_Op op, const struct type *type)
{
    if (object_is_freed(OBJECT_OP, HANDLE_KEY(op)))
        return MPI_ERR_OP;
    if (find_user_op(op))
        return MPI_SUCCESS;
    int class = MPI_SUCCESS;
    int rc = real.Reduce(MPI_IN_PLACE, NULL, 0, type->handle, op, 0, shim.self);
    if (rc != MPI_SUCCESS)
        real_must(Error_class, rc, &class);
    return class;
}

bool reduction_op_is_for(MPI_Op op, const struct type *type)
{
    return op == MPI_OP_NULL || find_user_op(op) || reduction_pair_is_allowed(reduction_op_number(op), type->group);
}

/*
 * Whether an operator may read packed elements where they lie.  Those of the
 * user may not: they lie in memory shared with other ranks, and nothing keeps a
 * user's function from writing.
 */
static bool reads_in_place(MPI_Op op, const void *in, const struct type *type)
{
    uintptr_t alignment = type->size & -type->size; /* the extent is the size: no more can be asked */
    if (alignment > _Alignof(max_align_t))
        alignment = _Alignof(max_align_t);
    return type->contiguous && !find_user_op(op) && (uintptr_t)in % alignment == 0;
}

/* Memory for `count` elements: *origin is where a buffer argument has to point. */
static void *scratch(MPI_Count count, const struct type *type, void **origin)
{
    MPI_Count lb, extent;
    real_must(Type_get_true_extent_x, type->handle, &lb, &extent);
    MPI_Count last = (count - 1) * type->extent;
    MPI_Count low = lb + (last < 0 ? last : 0);
    char *memory = shim_alloc(extent + (last < 0 ? -last : last));
    *origin = memory - low;
    return memory;
}

static void apply(MPI_Op op, const void *in, void *inout, MPI_Count count, const struct type *type)
{
    for (MPI_Count done = 0; done < count; done += INT_MAX) {
        int step = count - done < INT_MAX ? count - done : INT_MAX;
        real_must(Reduce_local, type_at(in, done, type), type_at(inout, done, type), step, type->handle, op);
    }
}

/* The operand that is also the result lies at MPI_BOTTOM, which not every library takes for a buffer. */
static void apply_at_bottom(MPI_Op op, const void *in, MPI_Count count, const struct type *type)
{
    void *result, *memory = scratch(count, type, &result), *packed = shim_alloc(type_bytes(type, count));
    type_pack(MPI_BOTTOM, count, type, packed);
    type_unpack(packed, type_bytes(type, count), result, count, type);
    apply(op, in, result, count, type);
    type_pack(result, count, type, packed);
    type_unpack(packed, type_bytes(type, count), MPI_BOTTOM, count, type);
    free(packed);
    free(memory);
}

void reduction_op_apply(MPI_Op op, const void *in, uint64_t bytes, void *inout, const struct type *type)
{
    MPI_Count count = type->size ? bytes / type->size : 0;
    if (count == 0)
        return;
    if (reads_in_place(op, in, type)) {
        apply(op, in, inout, count, type);
        return;
    }
    void *unpacked, *memory = scratch(count, type, &unpacked);
    type_unpack(in, type_bytes(type, count), unpacked, count, type);
    if (inout)
        apply(op, unpacked, inout, count, type);
    else
        apply_at_bottom(op, unpacked, count, type);
    free(memory);
}
