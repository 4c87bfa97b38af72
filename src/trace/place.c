#include <inttypes.h>
#include <string.h>

#include "trace/trace.h"

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

char *trace_place_format(const struct trace_place *place, char *buf, size_t size)
{
    const char *module = place->module ? last_component(place->module) : NULL;
    if (place->file && place->line > 0)
        snprintf(buf, size, "%s:%d%s%s", last_component(place->file), place->line, place->function ? " in " : "",
                 place->function ? place->function : "");
    else if (place->function)
        snprintf(buf, size, "%s%s%s", place->function, module ? " in " : "", module ? module : "");
    else if (module)
        snprintf(buf, size, "0x%" PRIx64 " in %s", place->offset, module);
    else
        snprintf(buf, size, "0x%" PRIx64, place->address);
    return buf;
}
