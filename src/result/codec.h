/*
 * codec -- data as JSON and back, described once.
 *
 * Every part is described by a function that goes through its members: when
 * writing it puts them into an object, when reading it takes them out.  So what is
 * written can be read, and a new member is one line.
 */
#ifndef RESULT_CODEC_H
#define RESULT_CODEC_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "result/bytes.h"

/* Any bytes as a JSON string. */
static inline json_t *codec_text(const char *bytes)
{
    char *text = bytes_to_text(bytes);
    json_t *json = json_string(text);
    free(text);
    return json;
}

struct codec {
    bool reading;
    bool failed;      /* reading: something is missing or of another kind */
    const char *name; /* the first member that is */
};

static inline void fail(struct codec *codec, const char *name)
{
    if (!codec->failed)
        codec->name = name;
    codec->failed = true;
}

static inline json_t *take(struct codec *codec, json_t *object, const char *name, bool (*fits)(const json_t *))
{
    json_t *value = json_object_get(object, name);
    if (value && fits(value))
        return value;
    fail(codec, name);
    return NULL;
}

/* A member that came later: it is written always, and may be missing when reading. */
static inline bool lacks(const struct codec *codec, const json_t *object, const char *name)
{
    return codec->reading && !json_object_get(object, name);
}

static inline bool is_integer(const json_t *value)
{
    return json_is_integer(value);
}

static inline bool is_number(const json_t *value)
{
    return json_is_number(value);
}

static inline bool is_boolean(const json_t *value)
{
    return json_is_boolean(value);
}

static inline bool is_text(const json_t *value)
{
    return json_is_string(value) || json_is_null(value);
}

static inline bool is_string(const json_t *value)
{
    return json_is_string(value);
}

static inline bool is_array(const json_t *value)
{
    return json_is_array(value);
}

static inline json_t *of_bytes(const char *bytes)
{
    return bytes ? codec_text(bytes) : json_null();
}

static inline char *to_bytes(const json_t *value)
{
    return json_is_string(value) ? bytes_of_text(json_string_value(value)) : NULL;
}

static inline void text(struct codec *codec, json_t *object, const char *name, char **member)
{
    if (codec->reading)
        *member = to_bytes(take(codec, object, name, is_text));
    else
        json_object_set_new(object, name, of_bytes(*member));
}

/* One that is never missing. */
static inline void string(struct codec *codec, json_t *object, const char *name, char **member)
{
    if (codec->reading)
        *member = to_bytes(take(codec, object, name, is_string));
    else
        json_object_set_new(object, name, codec_text(*member));
}

static inline json_int_t whole(struct codec *codec, json_t *object, const char *name, json_int_t value)
{
    if (codec->reading)
        return json_integer_value(take(codec, object, name, is_integer));
    json_object_set_new(object, name, json_integer(value));
    return value;
}
/* A number that its member cannot hold is as bad as none. */
#define number(codec, object, name, member)                                                                            \
    do {                                                                                                               \
        json_int_t whole_ = whole(codec, object, name, (json_int_t) * (member));                                       \
        if ((codec)->reading && !holds(member, whole_))                                                                \
            fail(codec, name);                                                                                         \
        *(member) = (__typeof__(*(member)))whole_;                                                                     \
    } while (0)
#define holds(member, value)                                                                                           \
    ({                                                                                                                 \
        __typeof__(*(member)) held_;                                                                                   \
        !__builtin_add_overflow(value, (json_int_t)0, &held_);                                                         \
    })

/* What is read has to make sense, so that whoever uses it need not ask. */
static inline void within(struct codec *codec, const char *name, json_int_t value, json_int_t least, json_int_t most)
{
    if (codec->reading && (value < least || value > most))
        fail(codec, name);
}

static inline void truth(struct codec *codec, json_t *object, const char *name, bool *member)
{
    if (codec->reading)
        *member = json_is_true(take(codec, object, name, is_boolean));
    else
        json_object_set_new(object, name, json_boolean(*member));
}

/* To the millisecond: more is noise. */
static inline void duration(struct codec *codec, json_t *object, const char *name, double *member)
{
    if (codec->reading)
        *member = json_number_value(take(codec, object, name, is_number));
    else
        json_object_set_new(object, name, json_real(floor(*member * 1000 + 0.5) / 1000));
}

/* One of some words; the value is its index.  Some may be NULL. */
static inline int word(struct codec *codec, json_t *object, const char *name, int value, const char *const *words, int n)
{
    if (!codec->reading) {
        json_object_set_new(object, name, json_string(words[value]));
        return value;
    }
    json_t *string = take(codec, object, name, is_string);
    for (int i = 0; string && i < n; i++)
        if (words[i] && strcmp(json_string_value(string), words[i]) == 0)
            return i;
    fail(codec, name);
    return 0;
}

/* A list whose elements are described by `each(codec, json_t **, element)`. */
#define list(codec, object, name, vec, each)                                                                           \
    do {                                                                                                               \
        json_t *array_ = (codec)->reading ? take(codec, object, name, is_array) : json_array();                        \
        for (size_t i_ = 0; (codec)->reading && i_ < json_array_size(array_); i_++) {                                  \
            json_t *value_ = json_array_get(array_, i_);                                                               \
            vec_reserve(vec, 1);                                                                                       \
            memset(&(vec)->at[(vec)->n], 0, sizeof *(vec)->at);                                                        \
            each(codec, &value_, &(vec)->at[(vec)->n++]);                                                              \
        }                                                                                                              \
        for (size_t i_ = 0; !(codec)->reading && i_ < (vec)->n; i_++) {                                                \
            json_t *value_ = NULL;                                                                                     \
            each(codec, &value_, &(vec)->at[i_]);                                                                      \
            json_array_append_new(array_, value_);                                                                     \
        }                                                                                                              \
        if (!(codec)->reading)                                                                                         \
            json_object_set_new(object, name, array_);                                                                 \
    } while (0)

/* Elements of lists that are not objects. */
static inline void each_string(struct codec *codec, json_t **value, char **string)
{
    if (!codec->reading)
        *value = of_bytes(*string);
    else if (!(*string = to_bytes(*value)))
        fail(codec, "a string");
}

/* A number from `low` to `high`. */
static inline json_int_t each_whole(struct codec *codec, json_t **value, json_int_t number, json_int_t low,
                                    json_int_t high)
{
    if (!codec->reading) {
        *value = json_integer(number);
        return number;
    }
    json_int_t read = json_integer_value(*value);
    if (!json_is_integer(*value) || read < low || read > high)
        fail(codec, "a number");
    return read;
}

static inline json_t *object_at(const struct codec *codec, json_t **value)
{
    if (!codec->reading)
        *value = json_object();
    return *value;
}

/* A new object that says what wrote it; and its text, owned by the caller, for which the object is given up. */
json_t *codec_begin(const char *tool, int version);
char *codec_print(json_t *, size_t flags);

/*
 * The object in a text, if it says the same; or NULL, and why in one sentence, owned
 * by the caller.  When its members were taken, codec_close gives it up: -1, and
 * why, if some were missing.
 */
json_t *codec_open(const char *tool, int version, const char *text, size_t size, char **why);
int codec_close(const struct codec *, json_t *, char **why) __attribute__((warn_unused_result));

/* Whether it was written by this, whatever the version. */
bool codec_knows(const char *tool, const char *text, size_t size);

#endif
