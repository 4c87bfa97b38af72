/*
 * json -- a result as JSON and back.
 *
 * Every part of a result is described once, by a function that goes through its
 * members: when writing it puts them into an object, when reading it takes them
 * out.  So what is written can be read, and a new member is one line.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "result/bytes.h"
#include "result/result.h"

struct codec {
    bool reading;
    bool failed;      /* reading: something is missing or of another kind, */
    const char *name; /* namely the first such */
};

static const char tool[] = "tourney";

static void fail(struct codec *codec, const char *name)
{
    if (!codec->failed)
        codec->name = name;
    codec->failed = true;
}

static json_t *take(struct codec *codec, json_t *object, const char *name, bool (*fits)(const json_t *))
{
    json_t *value = json_object_get(object, name);
    if (value && fits(value))
        return value;
    fail(codec, name);
    return NULL;
}

static bool is_integer(const json_t *value)
{
    return json_is_integer(value);
}

static bool is_number(const json_t *value)
{
    return json_is_number(value);
}

static bool is_boolean(const json_t *value)
{
    return json_is_boolean(value);
}

static bool is_text(const json_t *value)
{
    return json_is_string(value) || json_is_null(value);
}

static bool is_string(const json_t *value)
{
    return json_is_string(value);
}

static bool is_array(const json_t *value)
{
    return json_is_array(value);
}

static bool is_set(const json_t *value)
{
    return json_is_string(value) || json_is_array(value);
}

static json_t *of_bytes(const char *bytes)
{
    if (!bytes)
        return json_null();
    char *text = bytes_to_text(bytes);
    json_t *value = json_string(text);
    free(text);
    return value;
}

static char *to_bytes(const json_t *value)
{
    return json_is_string(value) ? bytes_of_text(json_string_value(value)) : NULL;
}

static void text(struct codec *codec, json_t *object, const char *name, char **member)
{
    if (codec->reading)
        *member = to_bytes(take(codec, object, name, is_text));
    else
        json_object_set_new(object, name, of_bytes(*member));
}

static json_int_t whole(struct codec *codec, json_t *object, const char *name, json_int_t value)
{
    if (codec->reading)
        return json_integer_value(take(codec, object, name, is_integer));
    json_object_set_new(object, name, json_integer(value));
    return value;
}
#define number(codec, object, name, member)                                                                            \
    (*(member) = (__typeof__(*(member)))whole(codec, object, name, (json_int_t) * (member)))

static void truth(struct codec *codec, json_t *object, const char *name, bool *member)
{
    if (codec->reading)
        *member = json_is_true(take(codec, object, name, is_boolean));
    else
        json_object_set_new(object, name, json_boolean(*member));
}

/* To the millisecond: more is noise. */
static void duration(struct codec *codec, json_t *object, const char *name, double *member)
{
    if (codec->reading)
        *member = json_number_value(take(codec, object, name, is_number));
    else
        json_object_set_new(object, name, json_real((double)(int64_t)(*member * 1000 + 0.5) / 1000));
}

/* One of some words; the value is its index. */
static int word(struct codec *codec, json_t *object, const char *name, int value, const char *const *words, int n)
{
    if (!codec->reading) {
        json_object_set_new(object, name, json_string(words[value]));
        return value;
    }
    json_t *string = take(codec, object, name, is_string);
    for (int i = 0; string && i < n; i++)
        if (strcmp(json_string_value(string), words[i]) == 0)
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
static void each_string(struct codec *codec, json_t **value, char **string)
{
    if (!codec->reading)
        *value = of_bytes(*string);
    else if (!(*string = to_bytes(*value)))
        fail(codec, "a string");
}

static json_int_t each_whole(struct codec *codec, json_t **value, json_int_t number)
{
    if (!codec->reading)
        *value = json_integer(number);
    else if (!json_is_integer(*value))
        fail(codec, "a number");
    return json_integer_value(*value);
}

static void each_rank(struct codec *codec, json_t **value, rank_t *rank)
{
    *rank = (rank_t)each_whole(codec, value, *rank);
}

static void each_address(struct codec *codec, json_t **value, uint64_t *address)
{
    *address = (uint64_t)each_whole(codec, value, (json_int_t)*address);
}

static json_t *object_at(const struct codec *codec, json_t **value)
{
    if (!codec->reading)
        *value = json_object();
    return *value;
}

static void site_members(struct codec *codec, json_t *object, struct site *site)
{
    number(codec, object, "rank", &site->rank);
    number(codec, object, "op", &site->op);
    text(codec, object, "call", &site->call);
    text(codec, object, "text", &site->text);
    text(codec, object, "place", &site->place);
    text(codec, object, "function", &site->function);
    text(codec, object, "file", &site->file);
    number(codec, object, "line", &site->line);
}

static void each_site(struct codec *codec, json_t **value, struct site *site)
{
    site_members(codec, object_at(codec, value), site);
}

/* Positions, or "all". */
static void set_member(struct codec *codec, json_t *object, uint64_t *set)
{
    json_t *value = codec->reading ? take(codec, object, "set", is_set) : json_array();
    if (!codec->reading) {
        for (int i = 0; i < 64 && *set != UINT64_MAX; i++)
            if (*set >> i & 1)
                json_array_append_new(value, json_integer(i));
        if (*set == UINT64_MAX) {
            json_decref(value);
            value = json_string("all");
        }
        json_object_set_new(object, "set", value);
        return;
    }
    *set = json_is_string(value) ? UINT64_MAX : 0;
    for (size_t i = 0; i < json_array_size(value); i++)
        *set |= UINT64_C(1) << (json_integer_value(json_array_get(value, i)) & 63);
}

static void each_choice(struct codec *codec, json_t **value, struct choice *choice)
{
    static const char *const kinds[] = {[DECIDED_MATCH] = "match",
                                        [DECIDED_SEEN] = "probe",
                                        [DECIDED_SOME] = "some",
                                        [DECIDED_NO] = "no",
                                        [DECIDED_CANCEL] = "cancel"};
    json_t *object = object_at(codec, value);
    struct decision *decision = &choice->decision;
    decision->kind = word(codec, object, "kind", decision->kind, kinds, sizeof kinds / sizeof *kinds);
    site_members(codec, object, &choice->site);
    number(codec, object, "source", &decision->source);
    number(codec, object, "message", &decision->message);
    set_member(codec, object, &decision->set);
    text(codec, object, "outcome", &choice->text);
    if (codec->reading) {
        decision->rank = choice->site.rank;
        decision->op = (uint32_t)choice->site.op;
    }
}

static void each_lack(struct codec *codec, json_t **value, struct lack *lack)
{
    json_t *object = object_at(codec, value);
    truth(codec, object, "all", &lack->all);
    list(codec, object, "ranks", &lack->ranks, each_rank);
}

static void each_wait(struct codec *codec, json_t **value, struct wait *wait)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &wait->rank);
    truth(codec, object, "all", &wait->all);
    list(codec, object, "lacks", &wait->lacks, each_lack);
}

static void each_circle(struct codec *codec, json_t **value, struct circle *circle)
{
    json_t *object = object_at(codec, value);
    list(codec, object, "ranks", &circle->ranks, each_rank);
}

static void each_near_miss(struct codec *codec, json_t **value, struct near_miss *miss)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &miss->rank);
    number(codec, object, "other", &miss->other);
    text(codec, object, "end", &miss->end);
    text(codec, object, "difference", &miss->difference);
    text(codec, object, "text", &miss->text);
}

/* Members that came later: they are written always, and may be missing when reading. */
static bool lacks(const struct codec *codec, const json_t *object, const char *name)
{
    return codec->reading && !json_object_get(object, name);
}

static void each_finding(struct codec *codec, json_t **value, struct finding *finding)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "id", &finding->id);
    text(codec, object, "kind", &finding->kind);
    text(codec, object, "severity", &finding->severity);
    text(codec, object, "message", &finding->message);
    if (!lacks(codec, object, "args"))
        list(codec, object, "args", &finding->args, each_string);
    list(codec, object, "ranks", &finding->ranks, each_rank);
    list(codec, object, "places", &finding->places, each_site);
    number(codec, object, "run", &finding->run);
    number(codec, object, "runs", &finding->runs);
    list(codec, object, "decisions", &finding->decisions, each_choice);
    list(codec, object, "cancellable", &finding->cancellable, each_address);
    list(codec, object, "buffered", &finding->buffered, each_site);
    list(codec, object, "unbuffered", &finding->unbuffered, each_site);
    number(codec, object, "critical", &finding->critical);
    list(codec, object, "clean", &finding->clean, each_choice);
    list(codec, object, "waits", &finding->waits, each_wait);
    list(codec, object, "cycles", &finding->cycles, each_circle);
    list(codec, object, "near_misses", &finding->near_misses, each_near_miss);
    list(codec, object, "culprits", &finding->culprits, each_rank);
    text(codec, object, "blame", &finding->blame);
    text(codec, object, "text", &finding->text);
}

static void result_members(struct codec *codec, json_t *object, struct result *result)
{
    static const char *const verdicts[] = {
        [VERDICT_CLEAN] = "clean", [VERDICT_DEFECTS] = "defects", [VERDICT_INCOMPLETE] = "incomplete"};
    text(codec, object, "program", &result->program);
    list(codec, object, "args", &result->args, each_string);
    if (!lacks(codec, object, "cwd"))
        text(codec, object, "cwd", &result->cwd);
    number(codec, object, "ranks", &result->ranks);
    if (!lacks(codec, object, "hang_timeout"))
        number(codec, object, "hang_timeout", &result->hang_timeout);
    text(codec, object, "mpi", &result->mpi);
    text(codec, object, "buffering", &result->buffering);
    result->verdict = word(codec, object, "verdict", result->verdict, verdicts, sizeof verdicts / sizeof *verdicts);
    number(codec, object, "runs", &result->runs);
    number(codec, object, "distinct", &result->distinct);
    number(codec, object, "segments", &result->segments);
    number(codec, object, "merged", &result->merged);
    duration(codec, object, "seconds", &result->seconds);
    list(codec, object, "bounds", &result->bounds, each_string);
    list(codec, object, "findings", &result->findings, each_finding);
}

char *result_print(const struct result *result)
{
    struct codec codec = {0};
    json_set_alloc_funcs(xmalloc, free);
    json_t *object = json_object();
    json_object_set_new(object, "version", json_integer(RESULT_VERSION));
    json_object_set_new(object, "tool", json_string(tool));
    result_members(&codec, object, (struct result *)result); /* only looked at */
    char *printed = json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    json_decref(object);
    return printed;
}

/* NULL: none of ours. */
static json_t *load(const char *text, size_t size)
{
    json_set_alloc_funcs(xmalloc, free);
    json_t *object = json_loadb(text, size, 0, NULL);
    const char *name = json_string_value(json_object_get(object, "tool"));
    if (name && strcmp(name, tool) == 0)
        return object;
    json_decref(object);
    return NULL;
}

bool result_is_one(const char *text, size_t size)
{
    json_t *object = load(text, size);
    bool is = object != NULL;
    json_decref(object);
    return is;
}

static char *__attribute__((format(printf, 1, 2))) sentence(const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
    return line;
}

int result_parse(struct result *result, const char *text, size_t size, char **why)
{
    struct codec codec = {.reading = true};
    json_t *object = load(text, size);
    json_int_t version = json_integer_value(json_object_get(object, "version"));
    *result = (struct result){0};
    *why = NULL;
    if (!object)
        *why = sentence("not a result of tourney");
    else if (version != RESULT_VERSION)
        *why = sentence("a result of version %lld; this tourney reads version %d", (long long)version, RESULT_VERSION);
    else
        result_members(&codec, object, result);
    json_decref(object);
    if (codec.failed) {
        *why = sentence("damaged: '%s' is missing or not as it should be", codec.name);
        result_release(result);
        *result = (struct result){0};
    }
    return *why ? -1 : 0;
}
