#include "result/sarif.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"
#include "result/codec.h"
#include "result/kinds.h"

static const char schema[] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
static const char root[] = "WORKDIR"; /* how the working directory of the search is called */

static json_t *message_json(const char *bytes)
{
    return json_pack("{s:o}", "text", codec_text(bytes));
}

/* ---- places ---- */

static json_t *uri_json(const char *scheme, const char *path, const char *end)
{
    VEC(char) uri = {0};
    char escaped[4];
    for (const char *c = scheme; *c; c++)
        vec_push(&uri, *c);
    for (const char *c = path; *c; c++) {
        bool plain = isalnum((unsigned char)*c) || strchr("-._~/", *c);
        snprintf(escaped, sizeof escaped, plain ? "%c" : "%%%02X", (unsigned char)*c);
        for (const char *e = escaped; *e; e++)
            vec_push(&uri, *e);
    }
    for (const char *c = end; *c; c++)
        vec_push(&uri, *c);
    vec_push(&uri, '\0');
    json_t *json = json_string(uri.at);
    vec_release(&uri);
    return json;
}

static json_t *artifact_json(const struct result *result, const char *file)
{
    const char *below = result_below_cwd(result, file);
    if (!below)
        return json_pack("{s:o}", "uri", uri_json(file[0] == '/' ? "file://" : "", file, ""));
    return json_pack("{s:o,s:s}", "uri", uri_json("", below, ""), "uriBaseId", root);
}

static char *site_text(const struct site *site, const char *outcome)
{
    char *text = xformat("rank %d%s%s%s%s", site->rank, site->text ? ": " : "", site->text ? site->text : "",
                 outcome ? " " : "", outcome ? outcome : "");
    return text;
}

static void fill_location(json_t *location, const struct result *result, const char *function, const char *file,
                          int line)
{
    if (file) {
        json_t *physical = json_pack("{s:o}", "artifactLocation", artifact_json(result, file));
        if (line > 0)
            json_object_set_new(physical, "region", json_pack("{s:i}", "startLine", line));
        json_object_set_new(location, "physicalLocation", physical);
    }
    if (function)
        json_object_set_new(location, "logicalLocations",
                            json_pack("[{s:o,s:s}]", "name", codec_text(function), "kind", "function"));
}

static json_t *location_json(const struct result *result, const struct site *site, const char *outcome)
{
    char *text = site_text(site, outcome);
    json_t *location = json_pack("{s:o}", "message", message_json(text));
    fill_location(location, result, site->function, site->file, site->line);
    free(text);
    return location;
}

/* ---- from where that was called ---- */

static json_t *stack_json(const struct result *result, const struct site *site)
{
    json_t *frames = json_array();
    json_array_append_new(frames, json_pack("{s:o}", "location", location_json(result, site, NULL)));
    for (size_t i = 0; i < site->callers.n; i++) {
        const struct named_place *caller = &site->callers.at[i];
        json_t *location = json_pack("{s:o}", "message", message_json(caller->place));
        fill_location(location, result, caller->function, caller->file, caller->line);
        json_array_append_new(frames, json_pack("{s:o}", "location", location));
    }
    char *text = site_text(site, NULL);
    json_t *stack = json_pack("{s:o,s:o}", "message", message_json(text), "frames", frames);
    free(text);
    return stack;
}

static json_t *stacks_json(const struct result *result, const struct finding *finding)
{
    json_t *stacks = json_array();
    for (size_t i = 0; i < finding->places.n; i++)
        if (finding->places.at[i].callers.n)
            json_array_append_new(stacks, stack_json(result, &finding->places.at[i]));
    return stacks;
}

/* ---- what led there ---- */

static void add_step(json_t *locations, const struct result *result, const struct site *site, const char *outcome,
                     size_t order)
{
    json_array_append_new(locations, json_pack("{s:o,s:I,s:s}", "location", location_json(result, site, outcome),
                                               "executionOrder", (json_int_t)order, "importance", "essential"));
}

static json_t *thread_json(const struct result *result, const struct finding *finding, rank_t r)
{
    json_t *locations = json_array();
    size_t n = finding->decisions.n;
    char name[32];
    for (size_t i = 0; i < n; i++)
        if (finding->decisions.at[i].site.rank == r)
            add_step(locations, result, &finding->decisions.at[i].site, finding->decisions.at[i].text, i + 1);
    for (size_t i = 0; i < finding->places.n; i++)
        if (finding->places.at[i].rank == r)
            add_step(locations, result, &finding->places.at[i], NULL, n + 1);
    snprintf(name, sizeof name, "rank %d", r);
    return json_pack("{s:s,s:o}", "id", name, "locations", locations);
}

static json_t *flow_json(const struct result *result, const struct finding *finding)
{
    json_t *threads = json_array();
    for (rank_t r = 0; r < result_all_ranks(result); r++) {
        json_t *thread = thread_json(result, finding, r);
        if (json_array_size(json_object_get(thread, "locations")))
            json_array_append(threads, thread);
        json_decref(thread);
    }
    return threads;
}

/* ---- the whole ---- */

/* The kinds that there are, each once: its index among them; their number: it is not there. */
static size_t find_rule(const json_t *rules, const char *kind)
{
    size_t i = 0;
    while (i < json_array_size(rules) &&
           strcmp(json_string_value(json_object_get(json_array_get(rules, i), "id")), kind) != 0)
        i++;
    return i;
}

/* A kind that this version does not know, of a result from elsewhere, has just its name. */
static json_t *rule_json(const char *name)
{
    const struct finding_kind *kind = kind_find(name);
    json_t *rule = json_pack("{s:s,s:{s:s}}", "id", name, "shortDescription", "text", kind ? kind->title : name);
    if (kind) {
        json_object_set_new(rule, "fullDescription", json_pack("{s:s}", "text", kind->meaning));
        json_object_set_new(rule, "defaultConfiguration", json_pack("{s:s}", "level", kind->severity));
    }
    return rule;
}

static json_t *rules_json(const struct result *result)
{
    json_t *rules = json_array();
    for (size_t i = 0; i < result->findings.n; i++) {
        const char *kind = result->findings.at[i].kind;
        if (find_rule(rules, kind) == json_array_size(rules))
            json_array_append_new(rules, rule_json(kind));
    }
    return rules;
}

static json_t *finding_json(const struct result *result, const struct finding *finding, const json_t *rules)
{
    json_t *locations = json_array(), *others = json_array(), *threads = flow_json(result, finding);
    json_t *json = json_pack("{s:s,s:I,s:s,s:o}", "ruleId", finding->kind, "ruleIndex",
                             (json_int_t)find_rule(rules, finding->kind), "level", finding->severity, "message",
                             message_json(finding->message));
    for (size_t i = 0; i < finding->places.n; i++)
        json_array_append_new(i ? others : locations, location_json(result, &finding->places.at[i], NULL));
    json_object_set_new(json, "locations", locations);
    json_object_set_new(json, "relatedLocations", others);
    json_object_set_new(json, "stacks", stacks_json(result, finding));
    if (json_array_size(threads))
        json_object_set_new(json, "codeFlows", json_pack("[{s:O}]", "threadFlows", threads));
    json_decref(threads);
    return json;
}

/* One that was cut short says so: that nothing was found means less then. */
static json_t *invocation_json(const struct result *result)
{
    json_t *notes = json_array();
    for (size_t i = 0; i < result->bounds.n; i++)
        json_array_append_new(notes, json_pack("{s:s,s:o}", "level", "warning", "message",
                                               message_json(result->bounds.at[i])));
    return json_pack("{s:b,s:o}", "executionSuccessful", result->verdict != VERDICT_INCOMPLETE,
                     "toolExecutionNotifications", notes);
}

char *sarif_print(const struct result *result)
{
    json_set_alloc_funcs(xmalloc, free);
    json_t *findings = json_array(), *rules = rules_json(result);
    for (size_t i = 0; i < result->findings.n; i++)
        json_array_append_new(findings, finding_json(result, &result->findings.at[i], rules));
    json_t *run = json_pack("{s:{s:{s:s,s:o}},s:[o],s:o,s:s}", "tool", "driver", "name", "tourney", "rules",
                            rules, "invocations", invocation_json(result), "results", findings, "columnKind",
                            "unicodeCodePoints");
    if (result->cwd)
        json_object_set_new(run, "originalUriBaseIds",
                            json_pack("{s:{s:o}}", root, "uri", uri_json("file://", result->cwd, "/")));
    json_t *log = json_pack("{s:s,s:s,s:[o]}", "$schema", schema, "version", "2.1.0", "runs", run);
    char *printed = json_dumps(log, JSON_INDENT(1));
    json_decref(log);
    return printed;
}
