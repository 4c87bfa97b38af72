#include "explore/reduction.h"

bool doubt_is_refuted(const struct tree *tree, const struct no_send_assumption *doubt)
{
    return tree_sends_below(tree, doubt->node, doubt->mailbox, doubt->tags);
}

void reducer_release(struct reducer *reducer)
{
    vec_release(&reducer->doubt);
    vec_release(&reducer->draft);
    free(reducer->movable);
}

static int choose_all(struct reducer *reducer, struct game *game, const struct state *state, const struct menu *menu)
{
    (void)game, (void)state, (void)menu;
    vec_clear(&reducer->doubt);
    return -1;
}

const struct reduction reduction_none = {"none", choose_all};
