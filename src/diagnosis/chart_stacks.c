#include "diagnosis/chart_stacks.h"

#include <string.h>

#include "base/hash.h"
#include "drive/drive.h"
#include "symbols/site.h"
#include "symbols/stack.h"

struct stack_maker {
    struct run_view *view;
    struct symbols *symbols;
    struct run_chart *run;
    pid_t process;      /* of the rank that is gone along */
    struct map places;  /* sum of a place's text -> its index */
    struct map known;   /* address -> the same */
    struct map frames;  /* place and caller -> index */
    struct map stacks;  /* where its addresses lie -> its innermost frame */
    VEC(int32_t) stack; /* being made: places, from the innermost */
};

/* ---- places ---- */

static struct map_key text_key(const char *text)
{
    return map_key(hash_bytes(0, text, strlen(text)));
}

static int32_t add_stack_place(struct stack_maker *maker, const struct trace_place *place)
{
    struct named_place named = named_place_of(place);
    uint32_t at = map_find(&maker->places, text_key(named.place), (uint32_t)maker->run->places.n);
    if (at < maker->run->places.n) {
        named_place_release(&named);
        return (int32_t)at;
    }
    map_put(&maker->places, text_key(named.place), at);
    vec_push(&maker->run->places, named);
    return (int32_t)at;
}

/* Several addresses may be of one line, and each has its own index in the run: all go by that of the last. */
static int32_t line_of(const struct stack_maker *maker, int32_t place)
{
    return place < 0 ? -1 : (int32_t)map_find(&maker->places, text_key(maker->run->places.at[place].place), 0);
}

/* The same of the place of an operation; -1: none that is known. */
static int32_t line_of_address(struct stack_maker *maker, uint64_t address)
{
    struct map_key key = map_key(address);
    uint32_t at;
    if (!address || map_get(&maker->known, key, &at))
        return address ? (int32_t)at : -1;
    struct trace_place place = {.address = address};
    symbols_place(maker->symbols, maker->process, address, &place);
    struct named_place named = named_place_of(&place);
    int32_t found = (int32_t)map_find(&maker->places, text_key(named.place), UINT32_MAX);
    named_place_release(&named);
    map_put(&maker->known, key, (uint32_t)found);
    return found;
}

/* ---- frames ---- */

static void add_caller(void *data, const struct trace_place *place, const char *call)
{
    struct stack_maker *maker = data;
    if (!call)
        vec_push(&maker->stack, add_stack_place(maker, place));
}

static int32_t add_stack_frame(struct stack_maker *maker, struct stack_frame frame)
{
    struct map_key key = map_key2((uint64_t)frame.place, (uint64_t)frame.caller);
    uint32_t at;
    if (map_get(&maker->frames, key, &at))
        return (int32_t)at;
    at = (uint32_t)maker->run->frames.n;
    map_put(&maker->frames, key, at);
    vec_push(&maker->run->frames, frame);
    return (int32_t)at;
}

/* From the outermost to the innermost, which is returned; -1: none. */
static int32_t add_frames_of_stack(struct stack_maker *maker, const struct stack *stack)
{
    int32_t frame = -1;
    vec_clear(&maker->stack);
    stack_tell(maker->symbols, maker->process, stack->depth, stack->address, add_caller, maker);
    if (stack->depth >= WIRE_STACK_DEPTH)
        vec_push(&maker->stack, -1);
    for (size_t i = maker->stack.n; i-- > 0;)
        frame = add_stack_frame(maker, (struct stack_frame){maker->stack.at[i], frame});
    return frame;
}

static int32_t frame_of(struct stack_maker *maker, const struct op *op, const struct stack *stack)
{
    struct map_key key = map_key((uintptr_t)stack->address);
    uint32_t at;
    if (!stack->depth || stack->address[0] != op->place) /* not of this call, as far as can be told */
        return -1;
    if (map_get(&maker->stacks, key, &at))
        return (int32_t)at;
    int32_t frame = add_frames_of_stack(maker, stack);
    map_put(&maker->stacks, key, (uint32_t)frame);
    return frame;
}

/* ---- operations ---- */

/* Goes along what a rank did, beside the acts of its lane; false: `each` did not like one, or not all were met. */
static bool walk_lane(struct stack_maker *maker, rank_t r,
                      bool (*each)(struct stack_maker *, struct act *, const struct op *, struct stack))
{
    const struct trail *trail = &maker->view->account->trail[r];
    struct lane *lane = &maker->run->lanes.at[r];
    uint32_t number = 0;
    size_t met = 0;
    for (size_t n = 0; n < trail->n; n++) {
        struct history history = run_view_history(maker->view, trail->node[n]);
        const struct op *op = history.ops;
        uint32_t posted = n + 1 == trail->n ? trail->posted : history.count;
        for (uint32_t i = 0; i < posted && met < lane->acts.n; i++, number++, op = op_next(op))
            if (lane->acts.at[met].op == number &&
                !each(maker, &lane->acts.at[met++], op, drive_stack(maker->view->drive, trail->node[n], i)))
                return false;
    }
    return met == lane->acts.n;
}

static bool is_act_of_op(struct stack_maker *maker, struct act *act, const struct op *op, struct stack stack)
{
    (void)stack;
    return act->kind == op->kind && act->blocking == ((op->flags & OPF_BLOCKING) != 0) &&
           (act->kind == OP_CRASH || act->kind == OP_COMPLAINT ||
            line_of(maker, act->place) == line_of_address(maker, op->place));
}

static bool set_frame_of_act(struct stack_maker *maker, struct act *act, const struct op *op, struct stack stack)
{
    if (act->kind != OP_CRASH)
        act->frame = frame_of(maker, op, &stack);
    return true;
}

static struct map_key name_key(struct op_name name)
{
    return map_key2((uint64_t)name.rank, name.op);
}

static bool matches_are_same(const struct stack_maker *maker)
{
    const struct account *account = maker->view->account;
    struct map taken = {0}; /* send -> its pairing */
    bool same = true;
    for (size_t i = 0; i < account->pairings; i++)
        if (account->pairing[i].made)
            map_put(&taken, name_key(account->pairing[i].send), (uint32_t)i);
    for (size_t i = 0; i < maker->run->matches.n && same; i++) {
        const struct op_pair *pair = &maker->run->matches.at[i];
        uint32_t at;
        same = map_get(&taken, name_key(pair->send), &at) && account->pairing[at].recv.rank == pair->receive.rank &&
               account->pairing[at].recv.op == pair->receive.op;
    }
    map_release(&taken);
    return same;
}

static bool go_all(struct stack_maker *maker,
                   bool (*each)(struct stack_maker *, struct act *, const struct op *, struct stack))
{
    struct final_state final = run_view_final_state(maker->view);
    bool good = true;
    for (rank_t r = 0; r < maker->view->ranks && good; r++) {
        maker->process = final.process(final.data, r);
        good = walk_lane(maker, r, each);
    }
    return good;
}

bool chart_stacks_add(struct run_chart *run, struct run_view *replayed, struct symbols *symbols)
{
    struct stack_maker maker = {.view = replayed, .symbols = symbols, .run = run};
    for (size_t i = 0; i < run->places.n; i++)
        map_put(&maker.places, text_key(run->places.at[i].place), (uint32_t)i);
    bool same = run->lanes.n == (size_t)replayed->ranks && matches_are_same(&maker) && go_all(&maker, is_act_of_op) &&
                go_all(&maker, set_frame_of_act);
    map_release(&maker.places);
    map_release(&maker.known);
    map_release(&maker.frames);
    map_release(&maker.stacks);
    vec_release(&maker.stack);
    return same;
}
