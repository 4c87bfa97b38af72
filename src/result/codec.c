#include "result/codec.h"

#include <stdio.h>

#include "base/die.h"
#include "base/mem.h"

json_t *codec_begin(const char *tool, int version)
{
    json_set_alloc_funcs(xmalloc, free);
    json_t *object = json_object();
    json_object_set_new(object, "version", json_integer(version));
    json_object_set_new(object, "tool", json_string(tool));
    return object;
}

char *codec_print(json_t *object, size_t flags)
{
    char *printed = json_dumps(object, flags);
    json_decref(object);
    return printed;
}

/* NULL: none of ours; if it is no JSON at all, `error` says where that ends. */
static json_t *load_json_of_tool(const char *tool, const char *text, size_t size, json_error_t *error)
{
    json_set_alloc_funcs(xmalloc, free);
    error->line = 0;
    json_t *object = json_loadb(text, size, 0, error);
    const char *name = json_string_value(json_object_get(object, "tool"));
    if (name && strcmp(name, tool) == 0)
        return object;
    if (object)
        error->line = 0;
    json_decref(object);
    return NULL;
}

bool codec_knows(const char *tool, const char *text, size_t size)
{
    json_error_t error;
    json_t *object = load_json_of_tool(tool, text, size, &error);
    bool knows = object != NULL;
    json_decref(object);
    return knows;
}

json_t *codec_open(const char *tool, int version, const char *text, size_t size, char **why)
{
    json_error_t error;
    json_t *object = load_json_of_tool(tool, text, size, &error);
    json_int_t found = json_integer_value(json_object_get(object, "version"));
    *why = NULL;
    if (!object && error.line)
        *why = xformat("damaged, or not a result of tourney: line %d is no JSON", error.line);
    else if (!object)
        *why = xformat("not a result of tourney");
    else if (found != version)
        *why = xformat("a result of version %lld; this tourney reads version %d: search again, or use the %s tourney that "
                       "made it", (long long)found, version, found < version ? "older" : "newer");
    if (!*why)
        return object;
    json_decref(object);
    return NULL;
}

int codec_close(const struct codec *codec, json_t *object, char **why)
{
    json_decref(object);
    if (codec->failed)
        *why = xformat("damaged: '%s' is missing or not as it should be", codec->name);
    return codec->failed ? -1 : 0;
}
