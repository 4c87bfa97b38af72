#include "shim/core/complaint.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/handle.h"
#include "shim/core/module.h"

static struct handle_map told; /* kinds and places */

/* `beside` is NULL if it is of one place only. */
static bool is_new_complaint(enum complaint kind, const void *place, const void *beside)
{
    uint64_t key = (uint64_t)(uintptr_t)place * COMPLAINT_KINDS + kind;
    key ^= (uint64_t)(uintptr_t)beside * UINT64_C(0x9e3779b97f4a7c15);
    if (handle_map_get(&told, key))
        return false;
    handle_map_put(&told, key, &told);
    return true;
}

/* Of the call: the next instruction may be another line's. */
static uint64_t offset_of_call(const void *place, const char **path)
{
    return module_offset((const char *)place - 1, path);
}

/* `beside` may be NULL. */
static void send_complaint(struct op op, const void *beside, const char *format, va_list args)
{
    enum { SENTENCE = 256 };
    char tail[SENTENCE + 2 * PATH_MAX];
    const char *path[2];
    op.offset = offset_of_call((const void *)(uintptr_t)op.place, &path[0]);
    op.items = beside ? 2 : 1;
    if (beside)
        op.signature = offset_of_call(beside, &path[1]);
    vsnprintf(tail, SENTENCE, format, args);
    size_t length = strlen(tail) + 1;
    for (uint32_t i = 0; i < op.items; i++)
        length += (size_t)snprintf(tail + length, PATH_MAX, "%s", path[i]) + 1;
    channel_post(&op, tail, length);
}

static struct op complaint_op(enum complaint kind, enum call call, const void *place, int64_t count)
{
    return (struct op){.kind = OP_COMPLAINT,
                       .flags = OPF_WENT_ON,
                       .call = call,
                       .complaint = kind,
                       .times = count,
                       .place = (uintptr_t)place};
}

void complain(enum complaint kind, const char *format, ...)
{
    va_list args;
    if (!is_new_complaint(kind, shim.place, NULL))
        return;
    va_start(args, format);
    send_complaint(complaint_op(kind, shim.call, shim.place, 1), NULL, format, args);
    va_end(args);
}

void complain_at(enum complaint kind, enum call call, const void *place, int64_t count, const char *format, ...)
{
    va_list args;
    if (!is_new_complaint(kind, place, NULL))
        return;
    va_start(args, format);
    send_complaint(complaint_op(kind, call, place, count), NULL, format, args);
    va_end(args);
}

void complain_beside(enum complaint kind, enum call call, const void *place, const void *beside, const char *format,
                     ...)
{
    va_list args;
    if (!is_new_complaint(kind, place, beside))
        return;
    va_start(args, format);
    send_complaint(complaint_op(kind, call, place, 1), beside, format, args);
    va_end(args);
}
