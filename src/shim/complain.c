#include "shim/complain.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/handle.h"
#include "shim/module.h"

static struct handle_map told; /* kinds and places */

static bool is_news(enum complaint kind, const void *place)
{
    uint64_t key = (uint64_t)(uintptr_t)place * COMPLAINT_KINDS + kind;
    if (handle_map_get(&told, key))
        return false;
    handle_map_put(&told, key, &told);
    return true;
}

static void post(struct op op, const char *format, va_list args)
{
    enum { SENTENCE = 256 };
    char tail[SENTENCE + PATH_MAX];
    const char *path;
    /* Of the call: the next instruction may be another line's. */
    op.bytes = module_offset((const char *)(uintptr_t)op.place - 1, &path);
    vsnprintf(tail, SENTENCE, format, args);
    size_t length = strlen(tail) + 1;
    snprintf(tail + length, sizeof tail - length, "%s", path);
    channel_post(&op, tail, length + strlen(tail + length) + 1);
}

void complain(enum complaint kind, const char *format, ...)
{
    va_list args;
    if (!is_news(kind, shim.place))
        return;
    va_start(args, format);
    post((struct op){.kind = OP_COMPLAINT,
                     .flags = OPF_WENT_ON,
                     .call = shim.call,
                     .tag = kind,
                     .count = 1,
                     .place = (uintptr_t)shim.place},
         format, args);
    va_end(args);
}

void complain_at(enum complaint kind, enum call call, const void *place, int64_t count, const char *format, ...)
{
    va_list args;
    if (!is_news(kind, place))
        return;
    va_start(args, format);
    post((struct op){.kind = OP_COMPLAINT,
                     .flags = OPF_WENT_ON,
                     .call = call,
                     .tag = kind,
                     .count = count,
                     .place = (uintptr_t)place},
         format, args);
    va_end(args);
}
