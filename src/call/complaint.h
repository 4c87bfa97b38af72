/*
 * complaint -- what a rank can find wrong alone, without knowing the others.
 *
 * The shim notices and posts OP_COMPLAINT, whose tag is one of these; a fatal
 * MPI error, OP_ERROR, has it as its count.  Their names and severities are in
 * findings.table.  Several can be of one kind: users know them by its name.
 */
#ifndef CALL_COMPLAINT_H
#define CALL_COMPLAINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "call/findings.h"
#include "call/op.h"

static inline const struct complaint_kind *complaint_kind(int64_t complaint)
{
    return &complaint_kinds[complaint > 0 && complaint < COMPLAINT_KINDS ? complaint : COMPLAINT_NONE];
}

static inline const char *complaint_name(int64_t complaint)
{
    return complaint_kind(complaint)->name;
}

/* "error", "warning" or "note". */
static inline const char *complaint_severity(int64_t complaint)
{
    return complaint_kind(complaint)->severity;
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
