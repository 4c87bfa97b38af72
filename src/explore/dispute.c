#include "explore/dispute.h"

static void add_dispute(struct disputes *disputes, uint32_t send, uint32_t recv, enum message_fault fault, bool made)
{
    struct map_key key = map_key2(send, recv);
    uint32_t index;

    if (map_get(&disputes->known, key, &index)) {
        disputes->at.at[index].made |= made;
        return;
    }
    map_put(&disputes->known, key, (uint32_t)disputes->at.n);
    vec_push(&disputes->at, (struct dispute){send, recv, fault, disputes->step, !made, made});
}

void dispute_look(struct disputes *disputes, struct tree *tree, uint32_t send, uint32_t recv, bool made)
{
    const struct op *from = tree->op.at[send].op, *to = tree->op.at[recv].op;
    const struct type_finder types = {tree_find_type, tree};
    enum message_fault fault;

    if (disputes->deaf || (to->kind != OP_RECV && to->kind != OP_TAKEN) || !(made || disputes->planning) ||
        (from->signature == to->signature && from->bytes <= to->bytes))
        return;
    fault = agree_message(&types, from, to);
    if (fault && (to->kind == OP_RECV || fault != MESSAGE_LENGTH)) /* the probe has told the length */
        add_dispute(disputes, send, recv, fault, made);
}

void disputes_release(struct disputes *disputes)
{
    vec_release(&disputes->at);
    map_release(&disputes->known);
    *disputes = (struct disputes){0};
}
