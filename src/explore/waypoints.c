#include "explore/waypoints.h"

#include <string.h>

enum { MOST_WAYPOINTS = 64 };

static void drop_last_waypoint(struct waypoints *points, const struct game *game)
{
    state_free_with_tight(game, vec_pop(&points->at).state);
}

void waypoints_release(struct waypoints *points, const struct game *game)
{
    while (points->at.n)
        drop_last_waypoint(points, game);
    vec_release(&points->at);
    vec_release(&points->way);
    *points = (struct waypoints){0};
}

/* How many steps two ways have in common.  A step is reached in one way only, so where they are the same, they were so before. */
static size_t common_length(const struct waypoints *points, const uint32_t *way, size_t n)
{
    size_t same = 0, differ = (n < points->way.n ? n : points->way.n) + 1;

    while (same + 1 < differ) {
        size_t middle = same + (differ - same) / 2;

        if (points->way.at[middle - 1] == way[middle - 1])
            same = middle;
        else
            differ = middle;
    }
    return same;
}

static void take_way(struct waypoints *points, const uint32_t *way, size_t n)
{
    vec_clear(&points->way);
    vec_reserve(&points->way, n);
    memcpy(points->way.at, way, n * sizeof *way);
    points->way.n = n;
}

/* Half of what is left of the way is a good place: then the next is half of the rest. */
static void plan_next(struct waypoints *points, size_t depth)
{
    size_t last = points->way.n - 1;

    points->next = depth + (last - depth) / 2;
}

struct state *waypoints_begin(struct waypoints *points, const struct game *game, const uint32_t *way, size_t n,
                              size_t *depth)
{
    size_t common = common_length(points, way, n);

    while (points->at.n && vec_last(&points->at).depth >= common)
        drop_last_waypoint(points, game);
    take_way(points, way, n);
    *depth = points->at.n ? vec_last(&points->at).depth : 0;
    plan_next(points, *depth);
    return points->at.n ? state_clone_with_tight(game, vec_last(&points->at).state) : NULL;
}

/* Every other one goes, but not the last. */
static void thin_out(struct waypoints *points, const struct game *game)
{
    size_t kept = 0;

    for (size_t i = 0; i < points->at.n; i++) {
        if ((points->at.n - 1 - i) % 2)
            state_free_with_tight(game, points->at.at[i].state);
        else
            points->at.at[kept++] = points->at.at[i];
    }
    points->at.n = kept;
}

void waypoints_pass(struct waypoints *points, const struct game *game, const struct state *state, size_t depth)
{
    if (depth != points->next || depth + 1 >= points->way.n)
        return;
    if (!points->at.n || vec_last(&points->at).depth < depth) {
        if (points->at.n == MOST_WAYPOINTS)
            thin_out(points, game);
        vec_push(&points->at, (struct waypoint){depth, state_clone_with_tight(game, state)});
    }
    plan_next(points, depth);
    points->next += points->next == depth;
}
