#include "diagnosis/complaint_groups.h"

#include <string.h>

#include "call/calls.h"
#include "call/complaint.h"
#include "symbols/site.h"
#include "words/describe.h"
#include "words/text.h"

/* The place beside it is known by its offset in a file (call/complaint.h). */
static bool is_same_complaint(const struct op *a, const struct op *b)
{
    return a->tag == b->tag && a->place == b->place && a->call == b->call && a->signature == b->signature;
}

static struct complaint_group *group_of_complaint(complaint_groups_t *all, const struct op *op)
{
    for (size_t i = 0; i < all->n; i++)
        if (is_same_complaint(all->at[i].op, op))
            return &all->at[i];
    vec_push(all, (struct complaint_group){.op = op});
    return &vec_last(all);
}

void complaint_groups_add(complaint_groups_t *all, rank_t r, const struct op *op)
{
    struct complaint_group *it = group_of_complaint(all, op);
    for (size_t i = 0; i < it->ranks.n; i++)
        if (it->ranks.at[i] == r)
            return;
    vec_push(&it->ranks, r);
}

void complaint_groups_release(complaint_groups_t *all)
{
    for (size_t i = 0; i < all->n; i++)
        vec_release(&all->at[i].ranks);
    vec_release(all);
}

/* "rank 2", "ranks 0-3, 7" */
static void put_ranks(FILE *out, const struct finding *finding)
{
    const rank_t *rank = finding->ranks.at;
    size_t n = finding->ranks.n;
    fprintf(out, "rank%s ", n == 1 ? "" : "s");
    for (size_t i = 0, last; i < n; i = last + 1) {
        last = i;
        while (last + 1 < n && rank[last + 1] == rank[last] + 1)
            last++;
        fprintf(out, "%s%d", i ? ", " : "", rank[i]);
        if (last > i)
            fprintf(out, "-%d", rank[last]);
    }
}

static int by_complaining_rank(const void *a, const void *b)
{
    return *(const rank_t *)a - *(const rank_t *)b;
}

static struct site site_of_complaint(const struct op *op, rank_t r, struct symbols *symbols, const char *file,
                                     uint64_t offset)
{
    struct trace_place place = {.rank = r, .address = op->place};
    symbols_file_place(symbols, file, offset, &place);
    struct site site = site_of_place(r, &place);
    site.call = xstrdup(call_name(op->call));
    site.thread = op->thread;
    return site;
}

/* "ring.c:41 in main", and where the call is that it has to do with. */
static void put_places(FILE *out, const struct finding *finding)
{
    const struct site *site = finding->places.at;
    fputs(site[0].place, out);
    if (finding->places.n > 1 && strcmp(site[0].place, site[1].place) != 0)
        fprintf(out, ", pending since %s", site[1].place);
}

static char *message_of_complaint(const struct op *op, const struct finding *finding)
{
    struct text text;
    text_open(&text);
    describe_text(text.out, complaint_text(op));
    fputs(" (", text.out);
    put_places(text.out, finding);
    fputc(')', text.out);
    return text_close(&text);
}

static char *text_of_complaint(const struct op *op, const struct finding *finding)
{
    struct text text;
    text_open(&text);
    fprintf(text.out, "tourney: %s: ", finding->severity);
    describe_text(text.out, complaint_text(op));
    fputs(", on ", text.out);
    put_ranks(text.out, finding);
    if (op->thread && finding->ranks.n == 1)
        fprintf(text.out, ", thread %u", op->thread);
    fputs("  at ", text.out);
    put_places(text.out, finding);
    fprintf(text.out, "  [%s]\n", finding->kind);
    return text_close(&text);
}

struct finding complaint_group_finding(const struct complaint_group *it, const struct policy *policy,
                                       struct symbols *symbols)
{
    const char *kind = complaint_name(it->op->complaint);
    enum severity severity = policy_severity(policy, kind, complaint_severity(it->op->complaint));
    struct finding finding = {.kind = xstrdup(kind),
                              .severity = xstrdup(severity_name(severity)),
                              .critical = -1};
    for (size_t i = 0; i < it->ranks.n; i++)
        vec_push(&finding.ranks, it->ranks.at[i]);
    qsort(finding.ranks.at, finding.ranks.n, sizeof *finding.ranks.at, by_complaining_rank);
    vec_push(&finding.places,
             site_of_complaint(it->op, it->ranks.at[0], symbols, complaint_file(it->op), it->op->offset));
    if (complaint_other_file(it->op))
        vec_push(&finding.places,
                 site_of_complaint(it->op, it->ranks.at[0], symbols, complaint_other_file(it->op), it->op->signature));
    finding.message = message_of_complaint(it->op, &finding);
    finding.text = text_of_complaint(it->op, &finding);
    return finding;
}
