/*
 * parts -- what several of the files of a result have in common.
 */
#ifndef RESULT_PARTS_H
#define RESULT_PARTS_H

#include "result/codec.h"
#include "result/place.h"

static inline void string_release(char **string)
{
    free(*string);
}

static inline void named_place_members(struct codec *codec, json_t *object, struct named_place *place)
{
    string(codec, object, "place", &place->place);
    text(codec, object, "function", &place->function);
    text(codec, object, "file", &place->file);
    number(codec, object, "line", &place->line);
}

static inline void each_named_place(struct codec *codec, json_t **value, struct named_place *place)
{
    named_place_members(codec, object_at(codec, value), place);
}

#endif
