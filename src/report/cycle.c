#include "report/cycle.h"

#include "base/mem.h"

struct look {
    const struct scene *scene;
    rank_t found;
};

/* Some rank that the given one waits for and that waits itself; the lowest. */
static void first_waiting(void *arg, const struct sem_need *need)
{
    struct look *look = arg;
    for (int i = 0; i < need->n; i++)
        if (scene_waits(look->scene, need->ranks[i]) && (look->found < 0 || need->ranks[i] < look->found))
            look->found = need->ranks[i];
}

static rank_t waits_for(const struct scene *scene, rank_t r)
{
    struct look look = {scene, RANK_NONE};
    sem_needs(scene->sem, r, first_waiting, &look);
    return look.found;
}

/* From any waiting rank, following who waits for whom ends in a circle, or at one that waits for nobody left. */
void cycle_tell(const struct scene *scene, void (*tell)(void *, const rank_t *, int n), void *data)
{
    int *visit = xcalloc(scene->ranks, sizeof *visit);
    VEC(rank_t) circle = {0};
    int walk = 0;
    for (rank_t start = 0; start < scene->ranks; start++) {
        if (!scene_waits(scene, start) || visit[start])
            continue;
        rank_t r = start;
        walk++;
        while (r >= 0 && !visit[r]) {
            visit[r] = walk;
            r = waits_for(scene, r);
        }
        if (r < 0 || visit[r] != walk)
            continue;
        vec_clear(&circle);
        rank_t first = r;
        do {
            vec_push(&circle, r);
            r = waits_for(scene, r);
        } while (r != first);
        tell(data, circle.at, (int)circle.n);
    }
    vec_release(&circle);
    free(visit);
}
