#include "shim/objects/type_contents.h"

#include <stdlib.h>

#include "shim/core/library_code.h"

bool type_envelope_get(MPI_Datatype type, struct type_envelope *e)
{
    if (real.Type_get_envelope_c)
        return real.Type_get_envelope_c(type, &e->ints, &e->addresses, &e->counts, &e->types, &e->combiner) == MPI_SUCCESS;
    int ints, addresses, types;
    if (real.Type_get_envelope(type, &ints, &addresses, &types, &e->combiner) != MPI_SUCCESS)
        return false;
    e->ints = ints;
    e->addresses = addresses;
    e->counts = 0;
    e->types = types;
    return true;
}

struct type_envelope type_envelope_of(MPI_Datatype type)
{
    struct type_envelope e = {0};
    library_check("MPI_Type_get_envelope", type_envelope_get(type, &e) ? MPI_SUCCESS : MPI_ERR_TYPE);
    return e;
}

/* As the library has them. */
struct raw_contents {
    int *ints;
    MPI_Aint *addresses;
    MPI_Count *counts;
};

static bool get_raw_contents(struct raw_contents *raw, MPI_Datatype type, const struct type_envelope *e, MPI_Datatype *types)
{
    raw->ints = shim_alloc((size_t)(e->ints + 1) * sizeof *raw->ints);
    raw->addresses = shim_alloc((size_t)(e->addresses + 1) * sizeof *raw->addresses);
    raw->counts = shim_alloc((size_t)(e->counts + 1) * sizeof *raw->counts);
    int rc = e->counts ? real.Type_get_contents_c(type, e->ints, e->addresses, e->counts, e->types, raw->ints,
                                                  raw->addresses, raw->counts, types)
                       : real.Type_get_contents(type, (int)e->ints, (int)e->addresses, (int)e->types, raw->ints,
                                                raw->addresses, types);
    return rc == MPI_SUCCESS;
}

/* How many of the large counts would be integers; those behind them would be addresses. */
static MPI_Count leading_integers(int combiner, const MPI_Count *count, MPI_Count counts)
{
    switch (combiner) {
    case MPI_COMBINER_RESIZED:
        return 0;
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return 2;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_STRUCT:
        return 1 + count[0];
    default:
        return counts;
    }
}

/* Of a subarray, the order comes last; of nothing else that is looked into are there integers beside large counts. */
static void put_in_small_form(struct type_contents *c, const struct raw_contents *raw, const struct type_envelope *e)
{
    MPI_Count leading = e->counts ? leading_integers(e->combiner, raw->counts, e->counts) : 0, n = 0;
    MPI_Count before = e->counts && e->combiner == MPI_COMBINER_SUBARRAY ? 1 : e->ints;
    for (MPI_Count i = 0; i < before; i++)
        c->integer[n++] = raw->ints[i];
    for (MPI_Count i = 0; i < leading; i++)
        c->integer[n++] = raw->counts[i];
    for (MPI_Count i = before; i < e->ints; i++)
        c->integer[n++] = raw->ints[i];
    for (MPI_Count i = 0; i < e->addresses; i++)
        c->address[i] = raw->addresses[i];
    for (MPI_Count i = leading; i < e->counts; i++)
        c->address[e->addresses + i - leading] = raw->counts[i];
}

bool type_contents_get(struct type_contents *c, MPI_Datatype type, const struct type_envelope *e)
{
    struct raw_contents raw;
    *c = (struct type_contents){.combiner = e->combiner, .types = (int)e->types};
    c->integer = shim_alloc((size_t)(e->ints + e->counts + 1) * sizeof *c->integer);
    c->address = shim_alloc((size_t)(e->addresses + e->counts + 1) * sizeof *c->address);
    c->type = shim_alloc((size_t)(e->types + 1) * sizeof *c->type);
    bool known = get_raw_contents(&raw, type, e, c->type);
    if (known)
        put_in_small_form(c, &raw, e);
    else
        c->types = 0;
    free(raw.ints);
    free(raw.addresses);
    free(raw.counts);
    return known;
}

void type_contents_release(struct type_contents *c)
{
    free(c->integer);
    free(c->address);
    free(c->type);
}
