#include "outcome/chapter_rest.h"

void chapter_rest_init(struct chapter_rest *rest, int ranks)
{
    *rest = (struct chapter_rest){.ranks = ranks, .kept = xcalloc((size_t)ranks, sizeof *rest->kept)};
}

void chapter_rest_release(struct chapter_rest *rest)
{
    for (rank_t r = 0; r < rest->ranks; r++)
        vec_release(&rest->kept[r]);
    free(rest->kept);
    *rest = (struct chapter_rest){0};
}

void chapter_rest_add(struct chapter_rest *rest, struct op_name name, bool again)
{
    vec_push(&rest->kept[name.rank], ((struct kept_op){name.op, again}));
}

static int compare_kept(const void *a, const void *b)
{
    const struct kept_op *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_kept(kept_ops_t *kept)
{
    size_t n = 0;
    if (kept->n)
        qsort(kept->at, kept->n, sizeof *kept->at, compare_kept);
    for (size_t i = 0; i < kept->n; i++)
        if (n && kept->at[n - 1].number == kept->at[i].number)
            kept->at[n - 1].again |= kept->at[i].again;
        else
            kept->at[n++] = kept->at[i];
    kept->n = n;
}

void chapter_rest_sort(struct chapter_rest *rest)
{
    for (rank_t r = 0; r < rest->ranks; r++)
        sort_kept(&rest->kept[r]);
}

uint32_t chapter_rest_place(const struct chapter_rest *rest, rank_t r, uint32_t number)
{
    const kept_ops_t *kept = &rest->kept[r];
    size_t low = 0, high = kept->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (kept->at[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

bool chapter_rest_tells(const struct chapter_rest *rest, struct op_name name)
{
    const kept_ops_t *kept = &rest->kept[name.rank];
    uint32_t at = chapter_rest_place(rest, name.rank, name.op);
    return at < kept->n && kept->at[at].number == name.op && kept->at[at].again;
}
