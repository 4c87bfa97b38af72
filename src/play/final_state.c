#include "play/final_state.h"

#include <sys/wait.h>

#include "play/chronicle.h"

static enum rank_stand played_stand(void *data, rank_t r, int *exit_code)
{
    const struct played *played = data;
    const struct rank *rank = world_rank(played->world, r);
    *exit_code = rank->life == LIFE_GONE ? WEXITSTATUS(rank->status) : 0;
    if (rank->life == LIFE_UNBORN)
        return RANK_UNBORN;
    if (rank->life == LIFE_ASLEEP)
        return RANK_IN_CALL;
    if (rank->finalized)
        return RANK_FINALIZED;
    return rank->life == LIFE_GONE ? RANK_EXITED : RANK_COMPUTING;
}

static const struct op *played_call(void *data, rank_t r)
{
    return play_call(((const struct played *)data)->play, r);
}

static const struct op *op(void *data, op_id id)
{
    return play_op(((const struct played *)data)->play, id);
}

static const char *played_context_name(void *data, context_t context)
{
    const struct play *play = ((const struct played *)data)->play;
    const char *name = play_context_name(play, context);
    return name ? name : chronicle_name(play, context);
}

static const char *played_type_name(void *data, rank_t r, uint32_t type)
{
    return play_type_name(((const struct played *)data)->play, r, type);
}

static pid_t played_process(void *data, rank_t r)
{
    return world_process(((const struct played *)data)->world, r);
}

static const struct op *played_init(void *data, rank_t r)
{
    return play_init(((const struct played *)data)->play, r);
}

struct final_state play_final_state(struct played *played)
{
    return (struct final_state){.data = played,
                                .ranks = world_all_ranks(played->world),
                                .sem = play_sem(played->play),
                                .stand = played_stand,
                                .call = played_call,
                                .op = op,
                                .context_name = played_context_name,
                                .type_name = played_type_name,
                                .process = played_process,
                                .init = played_init};
}
