/*
 * object -- what the program has made and has to free, and where it made it.
 *
 * Only what the calls of the program itself make: handles that the MPI library has
 * anyway are not here, and objects that a shared library makes for itself are its
 * own affair (many keep some until the process ends).
 */
#ifndef SHIM_OBJECTS_OBJECT_H
#define SHIM_OBJECTS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/core/handle.h"

enum object_kind {
    OBJECT_COMM,
    OBJECT_GROUP,
    OBJECT_TYPE,
    OBJECT_OP,
    OBJECT_ERRHANDLER,
    OBJECT_INFO,
    OBJECT_KEYVAL,
    OBJECT_FILE,
    OBJECT_WINDOW,
    OBJECT_KINDS
};

/* By HANDLE_KEY of their handles; in the current call. */
void object_made(enum object_kind, uint64_t key);
void object_freed(enum object_kind, uint64_t key); /* or not known */

/* A copy of the handle is of no use any more; datatypes and operators. */
bool object_is_freed(enum object_kind, uint64_t key);
void object_shared(enum object_kind, uint64_t key); /* it was handed out once more, and is to be freed once more */

/* Datatypes: one that was made here can be used when it is committed. */
void object_commit(uint64_t key);
bool object_is_committed(uint64_t key); /* true of those that are not known */

/* Complains of all that are left, those of one place together. */
void object_tell_leaks(void);

/*
 * The same for anything else: items with call and place are added one by one and
 * told when all are there.
 */
struct leak {
    int complaint; /* enum complaint */
    int call;      /* enum call */
    const void *place;
    int64_t count;
};
struct leaks {
    struct leak *at; /* owned */
    int n, room;
};
void leaks_add(struct leaks *, int complaint, int call, const void *place);
void leaks_tell(struct leaks *, const char *one, const char *many, const char *state); /* and empties them */

#endif
