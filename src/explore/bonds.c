#include "explore/bonds.h"

#include "base/hash.h"

void bonds_copy(struct bonds *copy, const struct bonds *bonds)
{
    *copy = (struct bonds){.spent = bonds->spent};
    if (bonds->common.n)
        vec_copy(&copy->common, &bonds->common);
}

void bonds_release(struct bonds *bonds)
{
    vec_release(&bonds->common);
}

/* Its number; how many there are: none. */
static size_t find_bond(const struct bonds *bonds, const struct op *op)
{
    size_t i = 0;

    while (i < bonds->common.n && (bonds->common.at[i].context != op->context || bonds->common.at[i].turn != op->turn))
        i++;
    return i;
}

bool bonds_allow(const struct bonds *bonds, const struct op *op, uint64_t choice)
{
    size_t at;

    if (op->flags & OPF_ONCE)
        return choice == 1 || !bonds->spent;
    if (!(op->flags & OPF_COMMON))
        return true;
    at = find_bond(bonds, op);
    return at == bonds->common.n || bonds->common.at[at].choice == choice;
}

/* A bond is forgotten with the last who is bound by it. */
static void note_common(struct bonds *bonds, const struct op *op, uint64_t choice)
{
    size_t at = find_bond(bonds, op);

    if (at == bonds->common.n) {
        if (op->count > 1)
            vec_push(&bonds->common, (struct bond){op->context, op->turn, (uint32_t)op->count - 1, choice});
        return;
    }
    if (--bonds->common.at[at].left == 0)
        bonds->common.at[at] = bonds->common.at[--bonds->common.n];
}

void bonds_note(struct bonds *bonds, const struct op *op, uint64_t choice)
{
    if (op->flags & OPF_ONCE)
        bonds->spent = bonds->spent || choice != 1;
    if (op->flags & OPF_COMMON)
        note_common(bonds, op, choice);
}

/* In whichever order they were made. */
void bonds_stir(const struct bonds *bonds, struct map_key *key)
{
    struct map_key sum;

    if (bonds->spent)
        hash_stir(key, UINT64_C(0x6f6e6365));
    for (size_t i = 0; i < bonds->common.n; i++) {
        const struct bond *bond = &bonds->common.at[i];

        sum = HASH_START;
        hash_stir(&sum, bond->context);
        hash_stir(&sum, (uint64_t)(uint32_t)bond->turn << 32 | bond->left);
        hash_stir(&sum, bond->choice);
        hash_add(key, sum);
    }
}
