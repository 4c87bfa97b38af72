/*
 * json -- a result as JSON and back (codec.h).
 */
#include "call/fault.h"
#include "call/window.h"
#include "call/wire.h"
#include "result/codec.h"
#include "result/parts.h"
#include "result/policy.h"

static const char tool[] = "tourney";

static bool is_json_set(const json_t *value)
{
    return json_is_string(value) || json_is_array(value);
}

static void each_rank(struct codec *codec, json_t **value, rank_t *rank)
{
    *rank = (rank_t)each_whole(codec, value, *rank, INT32_MIN, INT32_MAX);
}

static void each_address(struct codec *codec, json_t **value, uint64_t *address)
{
    *address = (uint64_t)each_whole(codec, value, (json_int_t)*address, INT64_MIN, INT64_MAX);
}

/* Most sites are calls. */
static void touch_member(struct codec *codec, json_t *object, struct site_touch *touch)
{
    static const char *const kinds[] = {"load", "store"};
    if (codec->reading ? lacks(codec, object, "touch") : !touch->known)
        return;
    json_t *value = codec->reading ? json_object_get(object, "touch") : NULL, *member = object_at(codec, &value);
    touch->known = true;
    touch->stores = word(codec, member, "kind", touch->stores, kinds, sizeof kinds / sizeof *kinds);
    number(codec, member, "before", &touch->before);
    number(codec, member, "owner", &touch->owner);
    number(codec, member, "slot", &touch->slot);
    number(codec, member, "at", &touch->at);
    number(codec, member, "bytes", &touch->bytes);
    if (!codec->reading)
        json_object_set_new(object, "touch", value);
}

static void site_members(struct codec *codec, json_t *object, struct site *site)
{
    number(codec, object, "rank", &site->rank);
    if (codec->reading ? !lacks(codec, object, "thread") : site->thread)
        number(codec, object, "thread", &site->thread);
    number(codec, object, "op", &site->op);
    text(codec, object, "call", &site->call);
    text(codec, object, "text", &site->text);
    string(codec, object, "place", &site->place);
    text(codec, object, "function", &site->function);
    text(codec, object, "file", &site->file);
    number(codec, object, "line", &site->line);
    if (!lacks(codec, object, "callers"))
        list(codec, object, "callers", &site->callers, each_named_place);
    touch_member(codec, object, &site->touch);
}

static void each_site(struct codec *codec, json_t **value, struct site *site)
{
    site_members(codec, object_at(codec, value), site);
}

/* Positions, or "all". */
static void set_member(struct codec *codec, json_t *object, uint64_t *set)
{
    json_t *value = codec->reading ? take(codec, object, "set", is_json_set) : json_array();
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
    for (size_t i = 0; i < json_array_size(value); i++) {
        json_t *position = json_array_get(value, i);
        *set |= UINT64_C(1) << (each_whole(codec, &position, 0, 0, 63) & 63);
    }
}

static void each_decision(struct codec *codec, json_t **value, struct kept_decision *choice)
{
    static const char *const kinds[] = {[DECIDED_MATCH] = "match",
                                        [DECIDED_SEEN] = "probe",
                                        [DECIDED_SOME] = "some",
                                        [DECIDED_NO] = "no",
                                        [DECIDED_CANCEL] = "cancel",
                                        [DECIDED_CHOICE] = "choice"};
    json_t *object = object_at(codec, value);
    struct decision *decision = &choice->decision;
    decision->kind = word(codec, object, "kind", decision->kind, kinds, sizeof kinds / sizeof *kinds);
    site_members(codec, object, &choice->site);
    number(codec, object, "source", &decision->source);
    number(codec, object, "message", &decision->message);
    set_member(codec, object, &decision->set);
    if (codec->reading ? !lacks(codec, object, "noes") : decision->noes)
        number(codec, object, "noes", &decision->noes);
    string(codec, object, "outcome", &choice->text);
    if (codec->reading) {
        decision->rank = choice->site.rank;
        decision->op = (uint32_t)choice->site.op;
    }
    if (codec->reading ? !lacks(codec, object, "window") : decision->rank != choice->site.rank) { /* it is told by what was taken there */
        number(codec, object, "window", &decision->rank);
        number(codec, object, "window_op", &decision->op);
    }
}

static void each_lack(struct codec *codec, json_t **value, struct lack *lack)
{
    json_t *object = object_at(codec, value);
    truth(codec, object, "all", &lack->all);
    list(codec, object, "ranks", &lack->ranks, each_rank);
}

static void each_waiting_thread(struct codec *codec, json_t **value, struct waiting_thread *thread)
{
    static const char *const waits[] = {[THREAD_IN_CALL] = "call", [THREAD_ON_MUTEX] = "lock", [THREAD_ON_END] = "end", [THREAD_ON_ANOTHER] = "thread"};
    json_t *object = object_at(codec, value);
    number(codec, object, "thread", &thread->thread);
    thread->wait = word(codec, object, "waits_for", thread->wait, waits, sizeof waits / sizeof *waits);
    text(codec, object, "call", &thread->call);
    text(codec, object, "lock", &thread->lock);
    number(codec, object, "other", &thread->other);
    named_place_members(codec, object, &thread->place);
}

static void each_rank_thread(struct codec *codec, json_t **value, struct rank_thread *member)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &member->rank);
    number(codec, object, "thread", &member->thread);
}

static void each_wait(struct codec *codec, json_t **value, struct wait *wait)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &wait->rank);
    truth(codec, object, "all", &wait->all);
    list(codec, object, "lacks", &wait->lacks, each_lack);
    if (codec->reading ? !lacks(codec, object, "threads") : wait->threads.n)
        list(codec, object, "threads", &wait->threads, each_waiting_thread);
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
    string(codec, object, "end", &miss->end);
    string(codec, object, "difference", &miss->difference);
    string(codec, object, "text", &miss->text);
}

static void each_last_words(struct codec *codec, json_t **value, struct last_words *words)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &words->rank);
    list(codec, object, "lines", &words->lines, each_string);
}

static void each_finding(struct codec *codec, json_t **value, struct finding *finding)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "id", &finding->id);
    string(codec, object, "kind", &finding->kind);
    string(codec, object, "severity", &finding->severity);
    string(codec, object, "message", &finding->message);
    if (!lacks(codec, object, "args"))
        list(codec, object, "args", &finding->args, each_string);
    if (codec->reading ? !lacks(codec, object, "input") : finding->input != NULL)
        text(codec, object, "input", &finding->input);
    if (codec->reading ? !lacks(codec, object, "thread_lessons") : finding->lessons != NULL)
        text(codec, object, "thread_lessons", &finding->lessons);
    if (codec->reading ? !lacks(codec, object, "node_ranks") : finding->node_ranks)
        number(codec, object, "node_ranks", &finding->node_ranks);
    if (codec->reading ? !lacks(codec, object, "slow") : finding->slow)
        number(codec, object, "slow", &finding->slow);
    list(codec, object, "ranks", &finding->ranks, each_rank);
    list(codec, object, "places", &finding->places, each_site);
    number(codec, object, "run", &finding->run);
    number(codec, object, "runs", &finding->runs);
    list(codec, object, "decisions", &finding->decisions, each_decision);
    list(codec, object, "cancellable", &finding->cancellable, each_address);
    list(codec, object, "buffered", &finding->buffered, each_site);
    list(codec, object, "unbuffered", &finding->unbuffered, each_site);
    number(codec, object, "critical", &finding->critical);
    list(codec, object, "clean", &finding->clean, each_decision);
    list(codec, object, "waits", &finding->waits, each_wait);
    list(codec, object, "cycles", &finding->cycles, each_circle);
    if (codec->reading ? !lacks(codec, object, "thread_cycle") : finding->thread_cycle.n)
        list(codec, object, "thread_cycle", &finding->thread_cycle, each_rank_thread);
    list(codec, object, "near_misses", &finding->near_misses, each_near_miss);
    list(codec, object, "culprits", &finding->culprits, each_rank);
    text(codec, object, "blame", &finding->blame);
    if (!lacks(codec, object, "stderr"))
        list(codec, object, "stderr", &finding->last_words, each_last_words);
    string(codec, object, "text", &finding->text);
}

/* ---- what is read makes sense ---- */

static void check_rank_numbers(struct codec *codec, const char *name, const struct result *result, const rank_t *rank,
                               size_t n)
{
    for (size_t i = 0; i < n; i++)
        within(codec, name, rank[i], 0, result_all_ranks(result) - 1);
}

static void check_site(struct codec *codec, const struct result *result, const struct site *site)
{
    check_rank_numbers(codec, "rank", result, &site->rank, 1);
    within(codec, "op", site->op, -1, UINT32_MAX);
    check_rank_numbers(codec, "owner", result, &site->touch.owner, 1);
}

static void check_sites(struct codec *codec, const struct result *result, const struct site *site, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_site(codec, result, &site[i]);
}

static void check_decisions(struct codec *codec, const struct result *result, const struct kept_decision *choice,
                            size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_site(codec, result, &choice[i].site);
        within(codec, "op", choice[i].site.op, 0, UINT32_MAX);
        within(codec, "source", choice[i].decision.source, RANK_NONE, result_all_ranks(result) - 1);
        within(codec, "window", choice[i].decision.rank, 0,
               window_players(result_all_ranks(result), result->windows.slots) - 1);
        }
}

static void check_finding_waits(struct codec *codec, const struct result *result, const struct finding *finding)
{
    for (size_t i = 0; i < finding->waits.n; i++) {
        const struct wait *wait = &finding->waits.at[i];
        check_rank_numbers(codec, "rank", result, &wait->rank, 1);
        for (size_t k = 0; k < wait->lacks.n; k++)
            check_rank_numbers(codec, "lacks", result, wait->lacks.at[k].ranks.at, wait->lacks.at[k].ranks.n);
    }
    for (size_t i = 0; i < finding->thread_cycle.n; i++) {
        check_rank_numbers(codec, "thread_cycle", result, &finding->thread_cycle.at[i].rank, 1);
        within(codec, "thread_cycle", finding->thread_cycle.at[i].thread, -1, UINT8_MAX);
    }
    for (size_t i = 0; i < finding->cycles.n; i++)
        check_rank_numbers(codec, "cycles", result, finding->cycles.at[i].ranks.at, finding->cycles.at[i].ranks.n);
}

static void check_finding(struct codec *codec, const struct result *result, const struct finding *finding)
{
    within(codec, "id", finding->id, 1, UINT32_MAX);
    within(codec, "node_ranks", finding->node_ranks, 0, result->ranks);
    within(codec, "slow", finding->slow, 0, result_all_ranks(result));
    if (codec->reading && finding->severity && severity_of(finding->severity) < 0)
        fail(codec, "severity");
    check_rank_numbers(codec, "ranks", result, finding->ranks.at, finding->ranks.n);
    check_rank_numbers(codec, "culprits", result, finding->culprits.at, finding->culprits.n);
    for (size_t i = 0; i < finding->last_words.n; i++)
        check_rank_numbers(codec, "stderr", result, &finding->last_words.at[i].rank, 1);
    check_sites(codec, result, finding->places.at, finding->places.n);
    check_sites(codec, result, finding->buffered.at, finding->buffered.n);
    check_sites(codec, result, finding->unbuffered.at, finding->unbuffered.n);
    check_decisions(codec, result, finding->decisions.at, finding->decisions.n);
    check_decisions(codec, result, finding->clean.at, finding->clean.n);
    within(codec, "critical", finding->critical, -1, (json_int_t)finding->decisions.n - 1);
    check_finding_waits(codec, result, finding);
}

static void check_result(struct codec *codec, const struct result *result)
{
    within(codec, "ranks", result->ranks, 1, WIRE_MAX_RANKS);
    within(codec, "spawnable", result->spawnable, 0, WIRE_MAX_RANKS);
    within(codec, "hang_timeout", result->hang_timeout, 0, INT32_MAX);
    if (codec->reading && result->faults && !fault_set(result->faults))
        fail(codec, "faults");
    for (size_t i = 0; i < result->findings.n; i++)
        check_finding(codec, result, &result->findings.at[i]);
}

static void each_assumption(struct codec *codec, json_t **value, struct result_assumption *assumption)
{
    json_t *object = object_at(codec, value);
    string(codec, object, "kind", &assumption->kind);
    text(codec, object, "brief", &assumption->brief);
    string(codec, object, "text", &assumption->text);
    text(codec, object, "place", &assumption->place);
}

static void each_spawn_place(struct codec *codec, json_t **value, struct spawn_place *place)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "root", &place->root);
    number(codec, object, "spawn", &place->spawn);
    number(codec, object, "count", &place->count);
    number(codec, object, "first", &place->first);
}

static void each_made_file(struct codec *codec, json_t **value, struct made_file *file)
{
    json_t *object = object_at(codec, value);
    string(codec, object, "path", &file->path);
    number(codec, object, "rank", &file->rank);
}

static void result_members(struct codec *codec, json_t *object, struct result *result)
{
    static const char *const verdicts[] = {
        [VERDICT_CLEAN] = "clean", [VERDICT_DEFECTS] = "defects", [VERDICT_INCOMPLETE] = "incomplete"};
    static const char *const reductions[] = {
        [REDUCTIONS_PLAIN] = "plain", [REDUCTIONS_NOTED] = "noted", [REDUCTIONS_ORDERS] = "orders"};
    static const char *const clocks[] = {"plain", "skewed"};
    static const char *const heaps[] = {[HEAP_SYSTEM] = "system", [HEAP_CANONICAL] = "canonical"};
    string(codec, object, "program", &result->program);
    if (!lacks(codec, object, "binary"))
        text(codec, object, "binary", &result->binary);
    list(codec, object, "args", &result->args, each_string);
    if (!lacks(codec, object, "cwd"))
        text(codec, object, "cwd", &result->cwd);
    number(codec, object, "ranks", &result->ranks);
    if (!lacks(codec, object, "spawnable")) {
        number(codec, object, "spawnable", &result->spawnable);
        list(codec, object, "spawned", &result->spawned, each_spawn_place);
    }
    if (codec->reading ? !lacks(codec, object, "made_files") : result->made_files.n > 0)
        list(codec, object, "made_files", &result->made_files, each_made_file);
    if (!lacks(codec, object, "hang_timeout"))
        number(codec, object, "hang_timeout", &result->hang_timeout);
    text(codec, object, "mpi", &result->mpi);
    string(codec, object, "buffering", &result->buffering);
    if (!lacks(codec, object, "heap"))
        result->heap = word(codec, object, "heap", result->heap, heaps, sizeof heaps / sizeof *heaps);
    if (!lacks(codec, object, "layout")) {
        number(codec, object, "layout", &result->layout);
        number(codec, object, "node_ranks", &result->node_ranks);
        text(codec, object, "choices", &result->choices);
        result->skewed = word(codec, object, "clocks", result->skewed, clocks, sizeof clocks / sizeof *clocks);
    }
    if (!lacks(codec, object, "faults")) {
        result->reductions = word(codec, object, "reductions", result->reductions, reductions, sizeof reductions / sizeof *reductions);
        text(codec, object, "faults", &result->faults);
        number(codec, object, "fault_places", &result->fault_places);
    }
    if (codec->reading ? !lacks(codec, object, "inputs") : result->inputs != NULL)
        text(codec, object, "inputs", &result->inputs);
    if (codec->reading ? !lacks(codec, object, "thread_lessons") : result->lessons != NULL)
        text(codec, object, "thread_lessons", &result->lessons);
    result->verdict = word(codec, object, "verdict", result->verdict, verdicts, sizeof verdicts / sizeof *verdicts);
    number(codec, object, "runs", &result->runs);
    number(codec, object, "distinct", &result->distinct);
    number(codec, object, "segments", &result->segments);
    number(codec, object, "merged", &result->merged);
    if (!lacks(codec, object, "window_slots")) {
        number(codec, object, "window_slots", &result->windows.slots);
        number(codec, object, "window_exclusive", &result->windows.exclusive);
        number(codec, object, "window_ordered", &result->windows.ordered);
    }
    duration(codec, object, "seconds", &result->seconds);
    list(codec, object, "bounds", &result->bounds, each_string);
    if (!lacks(codec, object, "complete"))
        text(codec, object, "complete", &result->complete);
    if (!lacks(codec, object, "next"))
        list(codec, object, "next", &result->next, each_string);
    if (!lacks(codec, object, "assumptions"))
        list(codec, object, "assumptions", &result->assumptions, each_assumption);
    list(codec, object, "findings", &result->findings, each_finding);
    check_result(codec, result);
}

char *result_print(const struct result *result)
{
    struct codec codec = {0};
    json_t *object = codec_begin(tool, RESULT_VERSION);
    result_members(&codec, object, (struct result *)result); /* only looked at */
    return codec_print(object, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

bool result_is_one(const char *text, size_t size)
{
    return codec_knows(tool, text, size);
}

int result_parse(struct result *result, const char *text, size_t size, char **why)
{
    struct codec codec = {.reading = true};
    json_t *object = codec_open(tool, RESULT_VERSION, text, size, why);
    *result = (struct result){0};
    if (!object)
        return -1;
    result_members(&codec, object, result);
    if (codec_close(&codec, object, why) == 0)
        return 0;
    result_release(result);
    *result = (struct result){0};
    return -1;
}
