#include "diagnosis/waiting_threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "call/calls.h"
#include "symbols/variable.h"

enum { MOST_LINKS = 256 }; /* of more, no circle is looked for */

struct waiting_graph {
    const struct final_state *final;
    int pass; /* which waits count: 0: for calls and locks, 1: for the ends of threads, too, 2: for unknown threads, which may be any of the rank */
    int n;
    struct waiting_thread_link at[MOST_LINKS];
    bool edge[MOST_LINKS][MOST_LINKS];
};

static const struct op_thread *threads_of_waiting(const struct final_state *final, rank_t r, uint32_t *n)
{
    *n = 0;
    return final_waits(final, r) ? op_threads(final_call(final, r), n) : NULL;
}

bool waiting_threads_are_told(const struct final_state *final)
{
    uint32_t n;
    for (rank_t r = 0; r < final->ranks; r++)
        if (threads_of_waiting(final, r, &n) && n)
            return true;
    return false;
}

/* ---- the graph ---- */

static bool add_links_of_rank(struct waiting_graph *graph, rank_t r)
{
    uint32_t n;
    const struct op_thread *thread = threads_of_waiting(graph->final, r, &n);
    if ((size_t)graph->n + n + 1 > MOST_LINKS)
        return false;
    if (!n)
        graph->at[graph->n++] = (struct waiting_thread_link){r, NULL};
    for (uint32_t i = 0; i < n; i++)
        graph->at[graph->n++] = (struct waiting_thread_link){r, &thread[i]};
    return true;
}

struct edges_of_link {
    struct waiting_graph *graph;
    int from;
};

static void add_edge_to_rank(void *data, const struct sem_need *need)
{
    const struct edges_of_link *edges = data;
    struct waiting_graph *graph = edges->graph;
    const struct waiting_thread_link *from = &graph->at[edges->from];
    if (from->thread && (need->op == OP_ID_NONE || graph->final->op(graph->final->data, need->op)->thread != from->thread->thread))
        return;
    for (int k = 0; k < need->n; k++)
        for (int to = 0; to < graph->n; to++)
            if (to != edges->from && graph->at[to].rank == need->ranks[k])
                graph->edge[edges->from][to] = true;
}

static void add_edge_to_thread(struct waiting_graph *graph, int from)
{
    const struct waiting_thread_link *link = &graph->at[from];
    if (link->thread->wait == THREAD_ON_END && graph->pass < 1)
        return;
    for (int to = 0; to < graph->n; to++) {
        bool is_other = to != from && graph->at[to].rank == link->rank;
        if (is_other && (link->thread->other < 0 ? graph->pass == 2 : graph->at[to].thread->thread == link->thread->other))
            graph->edge[from][to] = true;
    }
}

static void add_waiting_edges(struct waiting_graph *graph)
{
    for (int from = 0; from < graph->n; from++) {
        struct edges_of_link edges = {graph, from};
        if (!graph->at[from].thread || graph->at[from].thread->wait == THREAD_IN_CALL)
            final_needs(graph->final, graph->at[from].rank, add_edge_to_rank, &edges);
        else
            add_edge_to_thread(graph, from);
    }
}

/* ---- circles ---- */

/* The shortest way back to where it begins, in `way`; 0: there is none. */
static int find_way_back(const struct waiting_graph *graph, int start, int *way)
{
    int before[MOST_LINKS], queue[MOST_LINKS], read = 0, written = 0, n = 0;
    memset(before, -1, sizeof before);
    queue[written++] = start;
    while (read < written) {
        int from = queue[read++];
        if (graph->edge[from][start]) {
            for (int at = from; at != start; at = before[at])
                n++;
            for (int at = from, k = n; k >= 0; k--, at = at == start ? start : before[at])
                way[k] = at;
            return n + 1;
        }
        for (int to = 0; to < graph->n; to++)
            if (graph->edge[from][to] && to != start && before[to] < 0) {
                before[to] = from;
                queue[written++] = to;
            }
    }
    return 0;
}

static int find_shortest_circle(const struct waiting_graph *graph, int *circle)
{
    int best = 0, way[MOST_LINKS];
    for (int start = 0; start < graph->n; start++) {
        int n = find_way_back(graph, start, way);
        if (n && (!best || n < best)) {
            best = n;
            memcpy(circle, way, (size_t)n * sizeof *way);
        }
    }
    return best;
}

void waiting_threads_tell_circle(const struct final_state *final, void (*tell)(void *, const struct waiting_thread_link *, int n), void *data)
{
    struct waiting_graph *graph = xcalloc(1, sizeof *graph);
    struct waiting_thread_link circle[MOST_LINKS];
    int way[MOST_LINKS], n = 0;
    bool fits = true;
    graph->final = final;
    for (rank_t r = 0; r < final->ranks && fits; r++)
        fits = !final_waits(final, r) || add_links_of_rank(graph, r);
    for (graph->pass = 0; graph->pass <= 2 && fits && !n; graph->pass++) {
        add_waiting_edges(graph);
        n = find_shortest_circle(graph, way);
    }
    for (int i = 0; i < n; i++)
        circle[i] = graph->at[way[i]];
    if (n)
        tell(data, circle, n);
    free(graph);
}

/* ---- in words ---- */

char *waiting_thread_lock(const struct final_state *final, rank_t r, const struct op_thread *thread)
{
    const struct op *init = final->init ? final->init(final->data, r) : NULL;
    if (!thread->lock || !init)
        return NULL;
    struct mapped_code code = {op_tail(init), init->offset, init->place};
    return variable_name(&code, thread->lock);
}

static void put_lock_name(FILE *out, const struct final_state *final, rank_t r, const struct op_thread *thread)
{
    char *name = waiting_thread_lock(final, r, thread);
    if (name)
        fprintf(out, "the lock `%s'", name);
    else
        fputs("a lock", out);
    free(name);
}

void waiting_thread_put(FILE *out, const struct final_state *final, rank_t r, const struct op_thread *thread)
{
    switch ((enum thread_wait)thread->wait) {
    case THREAD_IN_CALL:
        fprintf(out, "is in %s", call_name(thread->call));
        break;
    case THREAD_ON_MUTEX:
        fputs("waits for ", out);
        put_lock_name(out, final, r, thread);
        if (thread->other >= 0)
            fprintf(out, " that thread %d holds", thread->other);
        break;
    case THREAD_ON_END:
        fprintf(out, "waits for thread %d to end", thread->other);
        break;
    case THREAD_ON_ANOTHER:
        fputs("waits for another thread", out);
        break;
    }
}

static void put_link_name(FILE *out, const struct waiting_thread_link *link)
{
    if (link->thread)
        fprintf(out, "thread %u of rank %d", link->thread->thread, link->rank);
    else
        fprintf(out, "rank %d", link->rank);
}

/* " waits in MPI_Recv for rank 1, whose thread 2" */
static void put_wait_for_next(FILE *out, const struct final_state *final, const struct waiting_thread_link *link,
                              const struct waiting_thread_link *next, bool is_last)
{
    if (!link->thread || link->thread->wait == THREAD_IN_CALL) {
        fprintf(out, " waits in %s for ", call_name(link->thread ? link->thread->call : final_call(final, link->rank)->call));
        if (next->thread && !is_last)
            fprintf(out, "rank %d, whose thread %u", next->rank, next->thread->thread);
        else
            put_link_name(out, next);
        fputs(next->thread || is_last ? "" : ", which", out);
        return;
    }
    fputs(" waits for ", out);
    if (link->thread->wait == THREAD_ON_MUTEX) {
        put_lock_name(out, final, link->rank, link->thread);
        fputs(" of ", out);
    } else if (link->thread->wait == THREAD_ON_END) {
        fputs("the end of ", out);
    }
    put_link_name(out, next);
    fputs(is_last ? "" : ", which", out);
}

void waiting_threads_put_circle(FILE *out, const struct final_state *final, const struct waiting_thread_link *link, int n)
{
    put_link_name(out, &link[0]);
    for (int i = 0; i < n; i++)
        put_wait_for_next(out, final, &link[i], &link[(i + 1) % n], i + 1 == n);
    fputc('\n', out);
}
