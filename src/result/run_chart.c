/*
 * run_chart -- one run as JSON and back (codec.h).
 */
#include "result/run_chart.h"

#include "call/complaint.h"
#include "call/dynamic.h"
#include "call/window.h"
#include "result/codec.h"
#include "result/parts.h"

static const char tool[] = "tourney run";

static const char *const ends[] = {[RANK_IN_CALL] = "in-call",
                                   [RANK_COMPUTING] = "computing",
                                   [RANK_FINALIZED] = "finalized",
                                   [RANK_EXITED] = "exited",
                                   [RANK_UNBORN] = "unborn"};

/* Of atomic accesses the message is, which is sent by the call as a rule; and a difference is no step of the program. */
static bool is_told_access(const struct window_use *use)
{
    return use->part == 0 && use->epoch != WINDOW_BY_ITSELF && (use->kind == WINDOW_PUT || use->kind == WINDOW_GET);
}

bool run_chart_tells(const struct op *op)
{
    if (op->kind == OP_COMPLAINT)
        return (op->complaint == COMPLAINT_BUFFER_RACE || op->complaint == COMPLAINT_BUFFER_RACE_INSIDE) && complaint_other_file(op);
    if (op->kind == OP_ACCESS)
        return is_told_access(op_tail(op));
    if (op_completes(op) && op->flags & OPF_EITHER)
        return false; /* the rank asks for its threads, none of which has called that */
    if (op->context == KEEPER_CONTEXT && (op->kind == OP_RECV || op->flags & OPF_CALM))
        return false; /* how windows are played, and no step of the program */
    if (op_is_dynamic(op) && op->tag < DYNAMIC_PORT)
        return false; /* how ranks are started, and names are kept */
    return op_act_name[op->kind] != NULL;
}

static void act_release(struct act *act)
{
    vec_release(&act->ranges);
    vec_release(&act->requests);
    vec_release(&act->stack);
}

static void lane_release(struct lane *lane)
{
    vec_release_each(&lane->acts, act_release);
}

static void gathering_release(struct gathering *gathering)
{
    vec_release(&gathering->members);
}

void run_chart_release(struct run_chart *execution)
{
    vec_release_each(&execution->texts, string_release);
    vec_release_each(&execution->places, named_place_release);
    vec_release(&execution->frames);
    vec_release_each(&execution->lanes, lane_release);
    vec_release(&execution->matches);
    vec_release(&execution->possible);
    vec_release_each(&execution->collectives, gathering_release);
    vec_release(&execution->windows);
    vec_release_each(&execution->turns, gathering_release);
}

static void each_number(struct codec *codec, json_t **value, uint32_t *number)
{
    *number = (uint32_t)each_whole(codec, value, *number, 0, UINT32_MAX);
}

static void each_index(struct codec *codec, json_t **value, int32_t *index)
{
    *index = (int32_t)each_whole(codec, value, *index, INT32_MIN, INT32_MAX);
}

static void each_range(struct codec *codec, json_t **value, struct byte_range *range)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "at", &range->at);
    number(codec, object, "bytes", &range->bytes);
}

/* Most acts have nothing to do with windows. */
static void window_members(struct codec *codec, json_t *object, struct act *act)
{
    if (codec->reading ? lacks(codec, object, "window") : act->window < 0) {
        act->window = -1;
        return;
    }
    number(codec, object, "window", &act->window);
    truth(codec, object, "reads", &act->reads);
    list(codec, object, "ranges", &act->ranges, each_range);
}

static void each_act(struct codec *codec, json_t **value, struct act *act)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "op", &act->op);
    act->kind = word(codec, object, "kind", act->kind, op_act_name, OP_KINDS);
    if (codec->reading ? !lacks(codec, object, "thread") : act->thread)
        number(codec, object, "thread", &act->thread);
    number(codec, object, "text", &act->text);
    number(codec, object, "place", &act->place);
    truth(codec, object, "blocking", &act->blocking);
    window_members(codec, object, act);
    list(codec, object, "requests", &act->requests, each_number);
    list(codec, object, "stack", &act->stack, each_index);
    if (lacks(codec, object, "frame"))
        act->frame = -1;
    else
        number(codec, object, "frame", &act->frame);
}

static void each_frame(struct codec *codec, json_t **value, struct stack_frame *frame)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "place", &frame->place);
    number(codec, object, "caller", &frame->caller);
}

static void each_lane(struct codec *codec, json_t **value, struct lane *lane)
{
    json_t *object = object_at(codec, value);
    lane->end = word(codec, object, "end", lane->end, ends, sizeof ends / sizeof *ends);
    number(codec, object, "left_out", &lane->left_out);
    list(codec, object, "acts", &lane->acts, each_act);
}

static void each_name(struct codec *codec, json_t **value, struct op_name *name)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "rank", &name->rank);
    number(codec, object, "op", &name->op);
}

static void name_member(struct codec *codec, json_t *object, const char *member, struct op_name *name)
{
    json_t *value = codec->reading ? json_object_get(object, member) : NULL;
    each_name(codec, &value, name);
    if (!codec->reading)
        json_object_set_new(object, member, value);
}

static void each_pair(struct codec *codec, json_t **value, struct op_pair *pair)
{
    json_t *object = object_at(codec, value);
    name_member(codec, object, "send", &pair->send);
    name_member(codec, object, "receive", &pair->receive);
}

static void each_window(struct codec *codec, json_t **value, struct chart_window *window)
{
    json_t *object = object_at(codec, value);
    number(codec, object, "owner", &window->owner);
    number(codec, object, "slot", &window->slot);
}

static void each_gathering(struct codec *codec, json_t **value, struct gathering *gathering)
{
    json_t *object = object_at(codec, value);
    list(codec, object, "members", &gathering->members, each_name);
}

/* ---- what is read makes sense ---- */

static void check_act(struct codec *codec, const struct run_chart *execution, const struct act *act)
{
    json_int_t places = (json_int_t)execution->places.n;
    within(codec, "text", act->text, 0, (json_int_t)execution->texts.n - 1);
    within(codec, "place", act->place, -1, places - 1);
    for (size_t i = 0; i < act->stack.n; i++)
        within(codec, "stack", act->stack.at[i], 0, places - 1);
    within(codec, "frame", act->frame, -1, (json_int_t)execution->frames.n - 1);
    within(codec, "window", act->window, -1, (json_int_t)execution->windows.n - 1);
}

/* Callers stand before whom they call: whoever goes from one to the next comes to an end. */
static void check_frame_order(struct codec *codec, const struct run_chart *execution)
{
    for (size_t i = 0; i < execution->frames.n; i++) {
        within(codec, "place", execution->frames.at[i].place, -1, (json_int_t)execution->places.n - 1);
        within(codec, "caller", execution->frames.at[i].caller, -1, (json_int_t)i - 1);
    }
}

/* A rank's operations are in order: matches look for them. */
static void check_lane(struct codec *codec, const struct run_chart *execution, const struct lane *lane)
{
    for (size_t i = 0; i < lane->acts.n; i++) {
        check_act(codec, execution, &lane->acts.at[i]);
        within(codec, "op", lane->acts.at[i].op, i ? (json_int_t)lane->acts.at[i - 1].op + 1 : 0, UINT32_MAX);
    }
}

static void check_name(struct codec *codec, const struct run_chart *execution, struct op_name name)
{
    within(codec, "rank", name.rank, 0, (json_int_t)execution->lanes.n - 1);
}

static void check_pairs(struct codec *codec, const struct run_chart *execution, const struct op_pair *pair, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_name(codec, execution, pair[i].send);
        check_name(codec, execution, pair[i].receive);
    }
}

static void check_members(struct codec *codec, const struct run_chart *execution, const struct gathering *gathering, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < gathering[i].members.n; k++)
            check_name(codec, execution, gathering[i].members.at[k]);
}

static void check_execution(struct codec *codec, const struct run_chart *execution)
{
    check_frame_order(codec, execution);
    for (size_t i = 0; i < execution->lanes.n; i++)
        check_lane(codec, execution, &execution->lanes.at[i]);
    check_pairs(codec, execution, execution->matches.at, execution->matches.n);
    check_pairs(codec, execution, execution->possible.at, execution->possible.n);
    check_members(codec, execution, execution->collectives.at, execution->collectives.n);
    check_members(codec, execution, execution->turns.at, execution->turns.n);
    for (size_t i = 0; i < execution->windows.n; i++)
        within(codec, "owner", execution->windows.at[i].owner, 0, (json_int_t)execution->lanes.n - 1);
}

static void execution_members(struct codec *codec, json_t *object, struct run_chart *execution)
{
    list(codec, object, "texts", &execution->texts, each_string);
    list(codec, object, "places", &execution->places, each_named_place);
    if (!lacks(codec, object, "frames"))
        list(codec, object, "frames", &execution->frames, each_frame);
    list(codec, object, "lanes", &execution->lanes, each_lane);
    list(codec, object, "matches", &execution->matches, each_pair);
    list(codec, object, "possible", &execution->possible, each_pair);
    list(codec, object, "collectives", &execution->collectives, each_gathering);
    if (!lacks(codec, object, "windows")) {
        list(codec, object, "windows", &execution->windows, each_window);
        list(codec, object, "turns", &execution->turns, each_gathering);
    }
    check_execution(codec, execution);
}

char *run_chart_print(const struct run_chart *execution)
{
    struct codec codec = {0};
    json_t *object = codec_begin(tool, EXECUTION_VERSION);
    execution_members(&codec, object, (struct run_chart *)execution); /* only looked at */
    return codec_print(object, JSON_COMPACT);
}

int run_chart_parse(struct run_chart *execution, const char *text, size_t size, char **why)
{
    struct codec codec = {.reading = true};
    json_t *object = codec_open(tool, EXECUTION_VERSION, text, size, why);
    *execution = (struct run_chart){0};
    if (!object)
        return -1;
    execution_members(&codec, object, execution);
    if (codec_close(&codec, object, why) == 0)
        return 0;
    run_chart_release(execution);
    *execution = (struct run_chart){0};
    return -1;
}
