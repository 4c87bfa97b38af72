#include "diagnosis/stuck_ranks.h"

#include "words/describe.h"

static int by_rank_in_circle(const void *a, const void *b)
{
    return *(const rank_t *)a - *(const rank_t *)b;
}

static void put_circle(FILE *out, const struct circle *circle)
{
    int n = (int)circle->ranks.n;
    rank_t *sorted = xmemdup(circle->ranks.at, (size_t)n, sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_rank_in_circle);
    describe_ranks(out, sorted, n, " and ");
    free(sorted);
    fputs(n == 1   ? " waits for itself"
          : n == 2 ? " wait for each other"
                   : " wait for each other in a circle",
          out);
}

static int by_rank_and_thread(const void *a, const void *b)
{
    const struct rank_thread *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : x->thread - y->thread;
}

/* "threads 1 and 2 of rank 0": those from `at` on that are of one rank; returns how many these are. */
static int put_threads_of_rank(FILE *out, const struct rank_thread *at, int n)
{
    int same = 1;
    while (same < n && at[same].rank == at[0].rank)
        same++;
    if (at[0].thread >= 0) {
        fputs(same == 1 ? "thread" : "threads", out);
        for (int i = 0; i < same; i++)
            fprintf(out, "%s %d", i == 0 ? "" : i == same - 1 ? " and" : ",", at[i].thread);
        fputs(" of ", out);
    }
    fprintf(out, "rank %d", at[0].rank);
    return same;
}

/* "threads 1 and 2 of rank 0 wait for each other"; returns how many ranks that are. */
static size_t put_thread_cycle(FILE *out, const struct finding *finding)
{
    int n = (int)finding->thread_cycle.n;
    struct rank_thread *sorted = xmemdup(finding->thread_cycle.at, (size_t)n, sizeof *sorted);
    size_t ranks = 0;
    qsort(sorted, (size_t)n, sizeof *sorted, by_rank_and_thread);
    for (int i = 0; i < n; ranks++) {
        fputs(i == 0 ? "" : sorted[i].rank == sorted[n - 1].rank ? " and " : ", ", out);
        i += put_threads_of_rank(out, &sorted[i], n - i);
    }
    free(sorted);
    fputs(n > 2 ? " wait for each other in a circle" : " wait for each other", out);
    return ranks;
}

static bool is_waiting_rank(const struct finding *finding, rank_t r)
{
    for (size_t i = 0; i < finding->waits.n; i++)
        if (finding->waits.at[i].rank == r)
            return true;
    return false;
}

typedef VEC(rank_t) ranks_t;

static void add_awaited_rank(ranks_t *ranks, rank_t r)
{
    for (size_t i = 0; i < ranks->n; i++)
        if (ranks->at[i] == r)
            return;
    vec_push(ranks, r);
}

/* For whom it waits, all in all; false: one of them waits as well. */
static bool needs_of(const struct finding *finding, const struct wait *wait, ranks_t *ranks)
{
    bool ended = true;
    for (size_t i = 0; i < wait->lacks.n; i++)
        for (size_t k = 0; k < wait->lacks.at[i].ranks.n; k++) {
            rank_t r = wait->lacks.at[i].ranks.at[k];
            add_awaited_rank(ranks, r);
            ended = ended && !is_waiting_rank(finding, r);
        }
    return ended && ranks->n;
}

static bool takes_all(const struct wait *wait)
{
    bool all = wait->all || wait->lacks.n == 1;
    for (size_t i = 0; i < wait->lacks.n; i++)
        all = all && (wait->lacks.at[i].all || wait->lacks.at[i].ranks.n == 1);
    return all;
}

/* The first that waits only for ranks that have ended; false: there is none. */
static bool put_left_alone(FILE *out, const struct finding *finding)
{
    bool found = false;
    for (size_t i = 0; i < finding->waits.n && !found; i++) {
        const struct wait *wait = &finding->waits.at[i];
        ranks_t ranks = {0};
        found = needs_of(finding, wait, &ranks);
        if (found) {
            fprintf(out, "rank %d waits for ", wait->rank);
            describe_ranks(out, ranks.at, (int)ranks.n, takes_all(wait) ? " and " : " or ");
            fputs(ranks.n == 1 ? ", which has ended" : ", which have ended", out);
        }
        vec_release(&ranks);
    }
    return found;
}

void stuck_ranks_tell(FILE *out, const struct finding *finding)
{
    size_t told = 1, n = finding->waits.n;
    if (finding->thread_cycle.n) {
        told = put_thread_cycle(out, finding);
    } else if (finding->cycles.n == 1) {
        put_circle(out, &finding->cycles.at[0]);
        told = finding->cycles.at[0].ranks.n;
    } else if (finding->cycles.n) {
        fprintf(out, "ranks wait for each other in %zu circles", finding->cycles.n);
        told = n;
    } else if (!put_left_alone(out, finding)) {
        fprintf(out, "%zu rank%s for what can never come", n, n == 1 ? " waits" : "s wait");
        told = n;
    }
    if (n > told)
        fprintf(out, ", and %zu more cannot go on either", n - told);
}
