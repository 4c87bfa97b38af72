/*
 * alternative_text -- how an operation says what a rank chooses (OP_CHOOSE), in a line of text.
 *
 *   NAME            nothing is known of the alternatives but their numbers
 *   NAME#LOW        they are numbers, from LOW on
 *   NAME|A|B|C      these are sentences without a subject, which is the rank
 *   NAME!A          a call of this name, which does what it should or, by the second alternative, A
 */
#ifndef CALL_ALTERNATIVE_TEXT_H
#define CALL_ALTERNATIVE_TEXT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "call/calls.h"
#include "call/op.h"

/* The name, up to what says what the alternatives are. */
static inline int alternatives_name_length(const struct op *op)
{
    const char *text = op_tail(op);
    int n = 0;
    while ((size_t)n < op_tail_size(op) && text[n] && !strchr("|#!", text[n]))
        n++;
    return n;
}

/* What stands behind the name; 0: nothing. */
static inline char alternatives_form(const struct op *op)
{
    size_t length = (size_t)alternatives_name_length(op);
    return length < op_tail_size(op) ? ((const char *)op_tail(op))[length] : 0;
}

/* Whether it says what the alternatives are. */
static inline bool alternatives_are_named(const struct op *op)
{
    return alternatives_form(op) != 0;
}

/* Whether a call, which it names, may fail. */
static inline bool alternatives_are_failure(const struct op *op)
{
    return alternatives_form(op) == '!';
}

/* What the user wrote, to be freed: the call, or what is chosen. */
static inline char *op_title_of_call(const struct op *op)
{
    if (op_chooses(op) && alternatives_are_failure(op))
        return xformat("%.*s", alternatives_name_length(op), (const char *)op_tail(op));
    if (op_chooses(op) && alternatives_are_named(op))
        return xformat("choice of %.*s", alternatives_name_length(op), (const char *)op_tail(op));
    return xstrdup(call_name(op->call));
}

static inline void alternative_put(FILE *out, const struct op *op, unsigned number)
{
    const char *text = op_tail(op), *end = text + strnlen(text, op_tail_size(op)), *at = text + alternatives_name_length(op);
    if (at < end && *at == '#') {
        fprintf(out, "chooses %ld for %.*s", strtol(at + 1, NULL, 10) + (long)number, alternatives_name_length(op), text);
        return;
    }
    if (at < end && *at == '!') {
        fprintf(out, "%.*s", number ? (int)(end - at - 1) : (int)strlen("succeeds"), number ? at + 1 : "succeeds");
        return;
    }
    for (unsigned i = 0; at < end && i <= number; i++)
        if ((text = at + 1) && !(at = memchr(text, '|', (size_t)(end - text))))
            at = end;
    fprintf(out, "%.*s", (int)(at - text), text);
}

#endif
