#include "predict/formula.h"

#include <stdarg.h>
#include <stdlib.h>

void formula_clause(struct formula *f, const int *literals, size_t n)
{
    vec_clear(&f->clause);
    for (size_t i = 0; i < n; i++) {
        if (literals[i] == LIT_TRUE)
            return;
        if (literals[i] != LIT_FALSE)
            vec_push(&f->clause, literals[i]);
    }
    sat_add(f->sat, f->clause.at, (int)f->clause.n);
}

/* Without the constants; false: one of them is LIT_FALSE. */
static bool simplify(const int *list, size_t n, literals *rest)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] == LIT_FALSE)
            return false;
        if (list[i] != LIT_TRUE)
            vec_push(rest, list[i]);
    }
    return true;
}

static int new_and(struct formula *f, literals *part)
{
    int all = sat_variable(f->sat);
    for (size_t i = 0; i < part->n; i++) {
        CLAUSE(f, -all, part->at[i]);
        part->at[i] = -part->at[i];
    }
    vec_push(part, all);
    formula_clause(f, part->at, part->n);
    return all;
}

int formula_and(struct formula *f, const int *list, size_t n)
{
    literals rest = {0};
    int all;
    if (!simplify(list, n, &rest))
        all = LIT_FALSE;
    else if (rest.n <= 1)
        all = rest.n == 0 ? LIT_TRUE : rest.at[0];
    else
        all = new_and(f, &rest);
    vec_release(&rest);
    return all;
}

int formula_or(struct formula *f, const int *list, size_t n)
{
    literals negated = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&negated, -list[i]);
    int all = -formula_and(f, negated.at, negated.n);
    vec_release(&negated);
    return all;
}

void formula_one(struct formula *f, const int *list, size_t n)
{
    enum { FEW = 5 };
    if (n <= FEW) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n; k++)
                CLAUSE(f, -list[i], -list[k]);
        return;
    }
    int before = list[0]; /* one of those up to here */
    for (size_t i = 1; i < n; i++) {
        CLAUSE(f, -before, -list[i]);
        if (i + 1 == n)
            break;
        int now = sat_variable(f->sat);
        CLAUSE(f, -before, now);
        CLAUSE(f, -list[i], now);
        before = now;
    }
}

/* Of two halves that are counted, the sum. */
static void merge(struct formula *f, const int *a, size_t na, const int *b, size_t nb, int *sum, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = sat_variable(f->sat);
    for (size_t i = 0; i <= na; i++)
        for (size_t k = 0; k <= nb; k++) {
            if (i + k > 0 && i + k <= n) /* at least i and at least k */
                CLAUSE(f, i ? -a[i - 1] : LIT_FALSE, k ? -b[k - 1] : LIT_FALSE, sum[i + k - 1]);
            if (i + k < n) /* not more than i, not more than k */
                CLAUSE(f, i < na ? a[i] : LIT_FALSE, k < nb ? b[k] : LIT_FALSE, -sum[i + k]);
        }
}

void formula_count(struct formula *f, const int *list, size_t n, size_t most, int *least)
{
    if (n <= 1) {
        for (size_t i = 0; i < most; i++)
            least[i] = i < n ? list[i] : LIT_FALSE;
        return;
    }
    size_t half = n / 2, other = n - half, sum = n < most ? n : most;
    size_t na = half < most ? half : most, nb = other < most ? other : most;
    int *a = xcalloc(na + nb + 1, sizeof *a), *b = a + na;
    formula_count(f, list, half, na, a);
    formula_count(f, list + half, other, nb, b);
    merge(f, a, na, b, nb, least, sum);
    for (size_t i = sum; i < most; i++)
        least[i] = LIT_FALSE;
    free(a);
}

void formula_name(struct formula *f, int literal, const char *format, ...)
{
    if (!f->names || abs(literal) == LIT_TRUE)
        return;
    va_list args;
    va_start(args, format);
    fprintf(f->names, "c %d ", literal);
    vfprintf(f->names, format, args);
    fputc('\n', f->names);
    va_end(args);
}

bool formula_holds(const struct formula *f, int literal)
{
    return literal == LIT_TRUE || (literal != LIT_FALSE && sat_value(f->sat, literal));
}

void formula_release(struct formula *f)
{
    vec_release(&f->clause);
}
