/*
 * agree -- whether two ends that meet fit together as MPI demands: the types of a
 * message and of its receive, the parts of a collective.
 *
 * Apart from matching (M1-M4), which does not look at data: what meets and does not
 * agree is an error of the program.
 */
#ifndef SEM_AGREE_H
#define SEM_AGREE_H

#include "call/signature.h"

/* The OP_TYPE that told of a signature; NULL: none. */
typedef const struct op *find_type_fn(void *data, uint64_t signature);
struct type_finder {
    find_type_fn *find;
    void *data;
};

/*
 * Whether `a` and `b`, each repeated, begin with the same `bytes` bytes of basic types.
 * MPI_BYTE and MPI_PACKED fit anything; so does what is not known.
 */
bool agree_types(const struct signature *a, const struct signature *b, uint64_t bytes);

/* A message and a receive. */
enum message_fault { MESSAGE_AGREES, MESSAGE_TYPE, MESSAGE_LENGTH };
enum message_fault agree_message(const struct type_finder *, const struct op *send, const struct op *recv);

/* What two members of a collective do otherwise. */
enum coll_fault { COLL_AGREES, COLL_ORDER, COLL_ROOT, COLL_OPERATOR, COLL_COUNT, COLL_TYPE };

/* Whether these two may be parts of one collective: the same call, or two that meet where a communicator is made between worlds. */
bool agree_calls(uint16_t, uint16_t); /* enum call, as in struct op */

/* One member's part, and its position. */
struct coll_part {
    const struct op *op;
    uint32_t position;
};

/* What each of the two has, where they differ. */
struct coll_unlike {
    enum coll_fault fault;
    struct coll_side {
        bool brings, takes; /* both: all bring the same */
        uint64_t bytes;     /* COLL_COUNT, COLL_TYPE: how much */
        uint64_t signature; /* COLL_COUNT, COLL_TYPE: of what type */
        uint32_t reduction; /* enum operator */
    } side[2];
};
struct coll_unlike agree_parts(const struct type_finder *, const struct coll_part *, const struct coll_part *);

#endif
