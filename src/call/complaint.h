/*
 * complaint -- what a rank can find wrong alone, without knowing the others.
 *
 * The shim notices and posts OP_COMPLAINT, whose tag is one of these; a fatal
 * MPI error, OP_ERROR, has it as its count.  Everybody takes names and severities
 * from here.  Several can have one name: users know them by it, and it is stable.
 */
#ifndef CALL_COMPLAINT_H
#define CALL_COMPLAINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "call/op.h"

#define COMPLAINTS(X)                                                                                         \
    X(NONE, "error", "error")                           /* of OP_ERROR: a failure, no mistake in the call */  \
    X(REQUEST_STATE, "request-state", "error")          /* started while active, freed while a collective */  \
    X(REQUEST_NEVER_STARTED, "request-state", "warning") /* MPI allows to wait for one that is inactive */    \
    X(RECEIVE_FREED, "request-state", "warning")        /* MPI allows it and advises against it */            \
    X(SEND_FREED, "request-state", "note")              /* MPI allows it: something else tells when it is over */ \
    X(REQUEST_LEAK, "request-leak", "error")            /* still active */                                    \
    X(REQUEST_KEPT, "request-leak", "warning")          /* persistent and inactive, or cancelled */            \
    X(REQUEST_LEAK_INSIDE, "request-leak", "note")      /* made by a shared library */                        \
    X(MESSAGE_KEPT, "lost-message", "warning")          /* a matched probe took it, and that was all */       \
    X(COMM_LEAK, "comm-leak", "warning")                                                                      \
    X(GROUP_LEAK, "group-leak", "warning")                                                                    \
    X(TYPE_LEAK, "type-leak", "warning")                                                                      \
    X(OP_LEAK, "op-leak", "warning")                                                                          \
    X(ERRHANDLER_LEAK, "errhandler-leak", "warning")                                                          \
    X(INFO_LEAK, "info-leak", "warning")                                                                      \
    X(KEYVAL_LEAK, "keyval-leak", "warning")                                                                  \
    X(FILE_LEAK, "file-leak", "warning")                                                                      \
    X(BUFFER_NOT_DETACHED, "buffer-not-detached", "warning")                                                  \
    X(INVALID_ARGUMENT, "invalid-argument", "error")                                                          \
    X(ARGUMENT_RETURNED, "invalid-argument", "warning") /* the program has asked to be told, and was */       \
    X(OPERATOR_TYPE, "operator-type", "error")          /* MPI does not allow the two together */             \
    X(OPERATOR_TYPE_RETURNED, "operator-type", "warning")                                                     \
    X(RECEIVE_OVERLAP, "receive-overlap", "error")      /* of entries of one receive buffer */                \
    X(BUFFER_OVERFLOW, "buffer-overflow", "error")      /* it is larger than the memory it is in */           \
    X(BUFFER_TYPE, "buffer-type", "warning")            /* it is declared as something else */                \
    X(BUFFER_RACE, "buffer-race", "error")                                                                    \
    X(BUFFER_RACE_INSIDE, "buffer-race", "note")        /* a shared library does that */                      \
    X(TRUNCATION, "truncation", "error")                                                                      \
    X(BEFORE_INIT, "before-init", "error")                                                                    \
    X(AFTER_FINALIZE, "after-finalize", "error")                                                              \
    X(DOUBLE_INIT, "double-init", "error")                                                                    \
    X(THREAD_LEVEL, "thread-level", "error")                                                                  \
    X(THREADS_UNDER_SINGLE, "thread-level", "note")     /* they call nothing, as far as that is known */      \
    X(PORTABILITY, "portability", "note")                                                                     \
    X(TRUNCATION_RETURNED, "truncation", "warning")     /* the program has asked to be told, and was */

enum complaint {
#define X(id, name, severity) COMPLAINT_##id,
    COMPLAINTS(X)
#undef X
        COMPLAINT_KINDS
};

static inline const char *complaint_name(int64_t complaint)
{
    static const char *const names[] = {
#define X(id, name, severity) name,
        COMPLAINTS(X)
#undef X
    };
    return names[complaint > 0 && complaint < COMPLAINT_KINDS ? complaint : COMPLAINT_NONE];
}

/* "error", "warning" or "note". */
static inline const char *complaint_severity(int64_t complaint)
{
    static const char *const severities[] = {
#define X(id, name, severity) severity,
        COMPLAINTS(X)
#undef X
    };
    return severities[complaint > 0 && complaint < COMPLAINT_KINDS ? complaint : COMPLAINT_NONE];
}

/*
 * The tail of OP_COMPLAINT: a sentence, and the file whose code is at the place, at
 * the offset `bytes`; for the process may be gone when somebody wants to know.  If there
 * are two `items`, a second place follows: its file, and as `signature` the offset.
 */
static inline const char *complaint_text(const struct op *op)
{
    return op_tail(op);
}

static inline const char *complaint_file(const struct op *op)
{
    const char *text = op_tail(op);
    return text + strlen(text) + 1;
}

/* NULL: there is none. */
static inline const char *complaint_other_file(const struct op *op)
{
    const char *file = complaint_file(op);
    return op->items == 2 ? file + strlen(file) + 1 : NULL;
}

#endif
