#include "shim/clock/parcel.h"

#include <limits.h>
#include <unistd.h>

#include "shim/core/library_code.h"
#include "shim/library/maker.h"

/*
 * Through shared memory a message goes piece by piece, and both ends have to be at it.  Ranks that take turns on
 * a processor give it away after each few pieces, which only pays if memory for a copy costs more.
 */
static bool takes_turns;

void parcel_open(void)
{
    MPI_Comm machine;
    int ranks;
    real_must(Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    real_must(Comm_size, machine, &ranks);
    real_must(Comm_free, &machine);
    takes_turns = ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

/*
 * Of few bytes, copying is cheaper.  The libraries change their protocol at about the same size, and what follows is
 * slower than a message in two parts, which goes through shared memory.
 */
bool parcel_is_worth_lending(const struct op *op)
{
    const struct library_maker *t = library_maker;
    uint64_t all = sizeof(struct header) + op->bytes, least = op->kind == OP_SEND ? t->sent_from : t->received_from;
    return all >= (takes_turns && least < t->in_turns_from ? t->in_turns_from : least);
}

/* Made types are kept: programs send from the same place again, and headers come from a few blocks. */
enum { KEPT = 64 };
static struct layout {
    const void *header, *bytes;
    uint64_t length;
    MPI_Datatype type;
} kept[KEPT];

struct parts {
    int n, length[3];
    MPI_Aint at[3];
    MPI_Datatype type[3];
};

static void add_part(struct parts *parts, MPI_Aint at, uint64_t length, MPI_Datatype type)
{
    if (!length)
        return;
    parts->length[parts->n] = (int)length;
    parts->at[parts->n] = at;
    parts->type[parts->n++] = type;
}

/* In pieces, for lengths are int. */
static MPI_Datatype make_parcel_type(const void *header, const void *bytes, uint64_t length)
{
    enum { PIECE = 1 << 30 };
    struct parts parts = {0};
    uint64_t whole = length / PIECE * PIECE;
    MPI_Aint from, at;
    MPI_Datatype piece = MPI_BYTE, type;
    real_must(Get_address, header, &from);
    real_must(Get_address, bytes, &at);
    if (whole)
        real_must(Type_contiguous, PIECE, MPI_BYTE, &piece);
    add_part(&parts, from, sizeof(struct header), MPI_BYTE);
    add_part(&parts, at, whole / PIECE, piece);
    add_part(&parts, at + (MPI_Aint)whole, length - whole, MPI_BYTE);
    real_must(Type_create_struct, parts.n, parts.length, parts.at, parts.type, &type);
    real_must(Type_commit, &type);
    if (whole)
        real_must(Type_free, &piece);
    return type;
}

static MPI_Datatype type_of_parcel(const void *header, const void *bytes, uint64_t length)
{
    uint64_t key = causal_mix(causal_mix((uintptr_t)header, (uintptr_t)bytes), length);
    struct layout *l = &kept[key % KEPT];
    if (l->header == header && l->bytes == bytes && l->length == length)
        return l->type;
    if (l->header)
        real_must(Type_free, &l->type);
    *l = (struct layout){header, bytes, length, make_parcel_type(header, bytes, length)};
    return l->type;
}

struct parcel parcel_of(struct header *header, void *lent, uint64_t bytes)
{
    uint64_t all = sizeof *header + bytes;
    if (!lent && all <= INT_MAX)
        return (struct parcel){header, (int)all, MPI_BYTE};
    return (struct parcel){MPI_BOTTOM, 1, type_of_parcel(header, lent ? lent : block_payload(header), bytes)};
}

void parcel_close(void)
{
    for (struct layout *l = kept; l < kept + KEPT; l++)
        if (l->header)
            real_must(Type_free, &l->type);
}
