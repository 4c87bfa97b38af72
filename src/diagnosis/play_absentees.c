#include "diagnosis/play_absentees.h"

#include <string.h>

#include "result/kinds.h"
#include "symbols/site.h"
#include "words/describe.h"
#include "words/text.h"

static bool finalization_is_complete(const struct final_state *final)
{
    int code;
    for (rank_t r = 0; r < final->ranks; r++) {
        enum rank_stand stand = final->stand(final->data, r, &code);
        if (stand != RANK_FINALIZED && stand != RANK_UNBORN)
            return false;
    }
    return true;
}

static void add_present_members(const struct final_state *final, struct symbols *symbols, op_id part,
                                struct finding *finding)
{
    const rank_t *member;
    int members = sem_members(final->sem, sem_view(final->sem, part).context, &member);
    for (int p = 0; p < members; p++) {
        op_id id = sem_coll_part(final->sem, part, p);
        if (!id)
            continue;
        vec_push(&finding->ranks, member[p]);
        vec_push(&finding->places, site_of_op(final, symbols, member[p], final->op(final->data, id), -1));
    }
}

static char *text_of_absence(const struct finding *finding, const rank_t *absent, int n)
{
    enum { SHOWN = 12 };
    struct text text;
    text_open(&text);
    fprintf(text.out, "tourney: %s  [%s]\n", finding->message, finding->kind);
    for (size_t i = 0; i < finding->places.n && i < SHOWN; i++)
        fprintf(text.out, "  rank %-4d %s  at %s\n", finding->places.at[i].rank, finding->places.at[i].text,
                finding->places.at[i].place);
    if (finding->places.n > SHOWN)
        fprintf(text.out, "  and %zu more\n", finding->places.n - SHOWN);
    fputs("  ", text.out);
    describe_ranks(text.out, absent, n, " and ");
    fputs(" never called it\n", text.out);
    return text_close(&text);
}

static struct finding finding_of(const struct final_state *final, struct symbols *symbols, op_id part)
{
    rank_t *absent = xcalloc((size_t)final->ranks, sizeof *absent);
    int n = sem_coll_absent(final->sem, part, absent);
    struct finding finding = {.kind = xstrdup(KIND_COLLECTIVE_MISSING),
                              .severity = xstrdup(kind_severity(KIND_COLLECTIVE_MISSING)),
                              .message = xstrdup("a collective was not called by all members of its communicator"),
                              .critical = -1};
    add_present_members(final, symbols, part, &finding);
    finding.text = text_of_absence(&finding, absent, n);
    free(absent);
    return finding;
}

/* What is missing at one place again and again is told once. */
static bool is_known_absence(const findings_t *all, const struct finding *finding)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->at[i].places.at[0].place, finding->places.at[0].place) == 0)
            return true;
    return false;
}

void play_absentees_add(const struct final_state *final, struct symbols *symbols, findings_t *all)
{
    int n = finalization_is_complete(final) ? sem_unjoined(final->sem, NULL, 0) : 0;
    op_id *part = xcalloc((size_t)n + 1, sizeof *part);
    sem_unjoined(final->sem, part, n);
    for (int i = 0; i < n; i++) {
        struct finding finding = finding_of(final, symbols, part[i]);
        if (is_known_absence(all, &finding))
            finding_release(&finding);
        else
            vec_push(all, finding);
    }
    free(part);
}
