#include "dist/dist.h"

#include <string.h>

#include "base/hash.h"
#include "dist/decide.h"
#include "dist/job_remarks.h"
#include "dist/store.h"

/* A job that was begun before it was asked for. */
struct job_ahead {
    uint64_t job;
    char *decisions; /* owns */
};

struct dist {
    struct job_source jobs;
    int ranks;
    uint32_t parallel;
    struct store store;
    struct modules modules;
    struct run_prefix prefix;
    VEC(struct job_ahead) early;
    struct map led; /* decision files that a job was given; none is given twice */
    VEC(uint32_t) unsupported;
    const char *mpi; /* NULL: not known */
    struct dist_cost cost;
    struct job_remarks remarks;
    bool has_remarks; /* some job */
};

struct dist *dist_new(const struct job_source *jobs, int ranks, uint32_t parallel)
{
    struct dist *dist = xcalloc(1, sizeof *dist);
    dist->jobs = *jobs;
    dist->ranks = ranks;
    dist->parallel = parallel;
    store_init(&dist->store, ranks);
    return dist;
}

void dist_free(struct dist *dist)
{
    store_release(&dist->store);
    modules_release(&dist->modules);
    prefix_release(&dist->prefix);
    for (size_t i = 0; i < dist->early.n; i++)
        free(dist->early.at[i].decisions);
    vec_release(&dist->early);
    vec_release(&dist->unsupported);
    map_release(&dist->led);
    free(dist);
}

struct modules *dist_modules(struct dist *dist)
{
    return &dist->modules;
}

const char *dist_mpi(const struct dist *dist)
{
    return dist->mpi;
}

struct dist_cost dist_cost(const struct dist *dist)
{
    struct dist_cost cost = dist->cost;
    cost.unsupported = dist->unsupported.n;
    cost.call = dist->unsupported.at;
    return cost;
}

/* ---- windows ---- */

static bool choose_job(void *data, const struct account *account)
{
    return job_remarks_choose(&((struct dist *)data)->remarks, account);
}

static struct node_remarks tell_remarks(void *data, node_id id)
{
    return job_remarks_tell(&((struct dist *)data)->remarks, id);
}

struct window_remarks dist_remarks(struct dist *dist)
{
    dist->remarks.store = &dist->store;
    return (struct window_remarks){.choose = choose_job, .tell = tell_remarks, .data = dist};
}

bool dist_has_remarks(const struct dist *dist)
{
    return dist->has_remarks;
}

/* ---- jobs ---- */

static void note_unsupported(struct dist *dist, uint32_t call)
{
    for (size_t i = 0; i < dist->unsupported.n; i++)
        if (dist->unsupported.at[i] == call)
            return;
    vec_push(&dist->unsupported, call);
}

static void count_job(struct dist *dist, const struct tale *tales)
{
    dist->cost.jobs++;
    for (rank_t r = 0; r < dist->ranks; r++) {
        dist->mpi = tales[r].mpi ? tales[r].mpi : dist->mpi;
        dist->cost.wildcards += tales[r].choices;
        dist->cost.late += tales[r].late;
        dist->has_remarks |= tales[r].remark.n > 0;
        for (size_t i = 0; i < tales[r].unsupported.n; i++)
            note_unsupported(dist, tales[r].unsupported.at[i]);
    }
}

/* -1: it was not waited for. */
static int take_job(struct dist *dist, uint64_t job)
{
    struct tale *tales = dist->jobs.wait(dist->jobs.data, job, &dist->modules);
    if (!tales)
        return -1;
    count_job(dist, tales);
    store_add_job(&dist->store, tales);
    return 0;
}

static size_t find_early_job(const struct dist *dist, const char *decisions)
{
    size_t i = 0;
    while (i < dist->early.n && strcmp(dist->early.at[i].decisions, decisions) != 0)
        i++;
    return i;
}

static uint64_t begin_job(struct dist *dist, const char *decisions)
{
    size_t i = find_early_job(dist, decisions);
    if (i == dist->early.n)
        return dist->jobs.start(dist->jobs.data, decisions);
    struct job_ahead early = dist->early.at[i];
    dist->early.at[i] = vec_pop(&dist->early);
    free(early.decisions);
    return early.job;
}

static struct map_key decisions_key(const char *decisions)
{
    size_t n = strlen(decisions);
    return map_key2(hash_bytes(0, decisions, n), hash_bytes(1, decisions, n));
}

/*
 * A job that leads the rank from the node to what this return leads to; -1: it was not waited for.  None, if one was
 * led so before: it was ended before it came there.
 */
static int lead_there(struct dist *dist, rank_t r, node_id from, const struct ret *ret)
{
    char *decisions = decide_write(&dist->store, &dist->prefix, r, from, ret);
    struct map_key key = decisions_key(decisions);
    int status = 0;
    if (!map_find(&dist->led, key, 0))
        status = take_job(dist, begin_job(dist, decisions));
    map_put(&dist->led, key, 1);
    free(decisions);
    return status;
}

/* ---- the runner ---- */

static bool find_segment(struct dist *dist, rank_t r, node_id from, const struct ret *ret, node_id to,
                         struct segment *segment)
{
    if (dist->store.diverged == RANK_NONE && store_find(&dist->store, r, from, ret, to, segment))
        return true;
    if (dist->store.diverged == RANK_NONE)
        return false;
    *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = dist->store.diverged};
    return true;
}

static int run_in_jobs(void *data, rank_t r, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct dist *dist = data;
    if (find_segment(dist, r, from, ret, to, segment))
        return 0;
    if (lead_there(dist, r, from, ret) < 0)
        return -1;
    if (find_segment(dist, r, from, ret, to, segment))
        return 0;
    dist->cost.unknown++;
    *segment = (struct segment){.end = SEGMENT_UNKNOWN};
    store_put(&dist->store, r, from, ret, to, segment);
    return 0;
}

static int adopt_into_store(void *data, rank_t r, node_id from, const struct ret *ret, node_id to,
                            const struct segment *segment)
{
    store_put(&((struct dist *)data)->store, r, from, ret, to, segment);
    return 0;
}

static bool jobs_ahead_pay(void *data)
{
    return ((struct dist *)data)->parallel > 1;
}

static bool begin_job_ahead(void *data, rank_t r, node_id from, const struct ret *ret)
{
    struct dist *dist = data;
    if (dist->early.n + 1 >= dist->parallel || dist->jobs.running(dist->jobs.data) + 1 >= dist->parallel)
        return false;
    char *decisions = decide_write(&dist->store, &dist->prefix, r, from, ret);
    if (map_find(&dist->led, decisions_key(decisions), 0) || find_early_job(dist, decisions) < dist->early.n)
        free(decisions);
    else
        vec_push(&dist->early, (struct job_ahead){dist->jobs.start(dist->jobs.data, decisions), decisions});
    return true;
}

static void set_prefix(void *data, const struct account *account)
{
    struct dist *dist = data;
    prefix_set(&dist->prefix, account, dist->ranks);
}

struct runner dist_runner(struct dist *dist)
{
    return (struct runner){.run = run_in_jobs,
                           .adopt = adopt_into_store,
                           .pays = jobs_ahead_pay,
                           .ahead = begin_job_ahead,
                           .announce = set_prefix,
                           .data = dist};
}
