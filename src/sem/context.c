/*
 * context -- communicators and their members.
 *
 * Programs make many communicators of few groups (every dup has its parent's),
 * so groups are kept once and a context is two numbers.
 */
#include "sem/invariants.h"
#include "sem/state.h"

static uint64_t hash_members(int first_group, int members, const rank_t *member)
{
    uint64_t h = (uint64_t)first_group << 32 | (uint32_t)members;

    for (int i = 0; i < members; i++)
        h = ((h ^ (uint32_t)member[i]) * 0x9e3779b97f4a7c15) ^ h >> 29;
    return h;
}

static bool is_group(const struct sem *sem, uint32_t g, int first_group, int members, const rank_t *member)
{
    const struct member_list *group = &sem->group.at[g];

    return group->first_group == (uint32_t)first_group && group->members == (uint32_t)members &&
           !memcmp(&sem->members.at[group->member], member, (size_t)members * sizeof *member);
}

static int by_member_rank(const void *a, const void *b, void *member)
{
    const rank_t *of = member;

    return of[*(const rank_t *)a] - of[*(const rank_t *)b];
}

static bool is_sound_group(const struct sem *sem, int first_group, int members, const rank_t *member)
{
    bool sound = members > 0 && members <= sem->ranks && first_group > 0 && first_group <= members;

    memset(sem->scratch, 0, (size_t)sem->ranks * sizeof *sem->scratch);
    for (int i = 0; sound && i < members; i++)
        sound = member[i] >= 0 && member[i] < sem->ranks && !sem->scratch[member[i]]++;
    return sound;
}

static uint32_t add_member_list(struct sem *sem, int first_group, int members, const rank_t *member)
{
    size_t at = sem->members.n, n = (size_t)members;
    struct member_list group = {0, (uint32_t)members, (uint32_t)first_group, at, at + n};

    vec_reserve(&sem->members, 2 * n);
    memcpy(&sem->members.at[at], member, n * sizeof *member);
    for (int i = 0; i < members; i++)
        sem->members.at[group.sorted + (size_t)i] = i;
    qsort_r(&sem->members.at[group.sorted], n, sizeof *member, by_member_rank, &sem->members.at[at]);
    sem->members.n += 2 * n;
    vec_push(&sem->group, group);
    return (uint32_t)sem->group.n - 1;
}

static uint32_t intern(struct sem *sem, int first_group, int members, const rank_t *member)
{
    struct map_key key = map_key(hash_members(first_group, members, member));
    uint32_t first, found;

    if (!sem->group.n)
        vec_push(&sem->group, (struct member_list){0});
    first = found = map_find(&sem->groups, key, 0);
    while (found && !is_group(sem, found, first_group, members, member))
        found = sem->group.at[found].next;
    if (!found) {
        found = add_member_list(sem, first_group, members, member);
        sem->group.at[found].next = first;
        map_put(&sem->groups, key, found);
    }
    return found;
}

int sem_context(struct sem *sem, context_t id, int first_group, int members, const rank_t *member)
{
    uint32_t known;

    CHECKED(sem_check_step(sem));
    if (map_get(&sem->contexts, map_key(id), &known))
        return is_group(sem, sem->context.at[known].group, first_group, members, member) ? 0 : -1;
    if (!is_sound_group(sem, first_group, members, member))
        return -1;
    known = pool_take(&sem->context);
    sem->context.at[known].id = id;
    sem->context.at[known].group = intern(sem, first_group, members, member);
    map_put(&sem->contexts, map_key(id), known);
    return 0;
}

void context_settle(struct sem *sem, uint32_t context)
{
    const struct context *c = &sem->context.at[context];

    if (c->users > 0 || c->left < context_group(sem, context)->members)
        return;
    map_remove(&sem->contexts, map_key(c->id));
    pool_give(&sem->context, context);
}

void sem_leave(struct sem *sem, context_t id)
{
    uint32_t context = context_index(sem, id);

    CHECKED(sem_check_step(sem));
    sem->context.at[context].left++;
    context_settle(sem, context);
}

bool sem_has_context(const struct sem *sem, context_t id)
{
    uint32_t index;

    return map_get(&sem->contexts, map_key(id), &index);
}

uint32_t context_index(const struct sem *sem, context_t id)
{
    uint32_t index;

    if (!map_get(&sem->contexts, map_key(id), &index))
        BUG("no context %#llx", (unsigned long long)id);
    return index;
}

const struct member_list *context_group(const struct sem *sem, uint32_t context)
{
    return &sem->group.at[sem->context.at[context].group];
}

int group_position(const struct sem *sem, const struct member_list *group, rank_t rank)
{
    const rank_t *member = &sem->members.at[group->member], *sorted = &sem->members.at[group->sorted];
    uint32_t low = 0, high = group->members;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (member[sorted[middle]] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < group->members && member[sorted[low]] == rank ? sorted[low] : -1;
}

int sem_members(const struct sem *sem, context_t id, const rank_t **member)
{
    const struct member_list *group = context_group(sem, context_index(sem, id));

    *member = &sem->members.at[group->member];
    return (int)group->members;
}

int sem_position(const struct sem *sem, context_t id, rank_t rank)
{
    return group_position(sem, context_group(sem, context_index(sem, id)), rank);
}

void sem_context_of_first(struct sem *sem, context_t context, int ranks)
{
    rank_t *member = xcalloc((size_t)ranks, sizeof *member);

    for (rank_t r = 0; r < ranks; r++)
        member[r] = r;
    if (sem_context(sem, context, ranks, ranks, member) < 0)
        BUG("a context of %d ranks cannot be", ranks);
    free(member);
}
