#include "call/signature.h"

#include <string.h>

/* Sums are polynomials over the elements, modulo a prime: those of repetitions come by squaring. */
static const uint64_t prime = (UINT64_C(1) << 61) - 1, base = UINT64_C(0x1a2b3c4d5e6f7081);

static uint64_t times_mod(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b % prime);
}

static uint64_t plus_mod(uint64_t a, uint64_t b)
{
    return (a + b) % prime;
}

static uint64_t power(uint64_t n)
{
    uint64_t result = 1;
    for (uint64_t square = base % prime; n; n >>= 1, square = times_mod(square, square))
        if (n & 1)
            result = times_mod(result, square);
    return result;
}

/* A sum and how many elements it is over. */
struct sum {
    uint64_t value, elements;
};

static struct sum joined(struct sum a, struct sum b)
{
    return (struct sum){plus_mod(times_mod(a.value, power(b.elements)), b.value), a.elements + b.elements};
}

static struct sum repeated(struct sum sum, uint64_t times)
{
    struct sum result = {0};
    for (; times; times >>= 1, sum = joined(sum, sum))
        if (times & 1)
            result = joined(result, sum);
    return result;
}

static void add_signature_run(struct signature *s, struct signature_run run)
{
    struct signature_run *last = s->runs && s->runs <= SIGNATURE_RUNS ? &s->run[s->runs - 1] : NULL;
    if (s->runs == SIGNATURE_LONG || run.n == 0)
        return;
    if (last && last->basic == run.basic && last->size == run.size)
        last->n += run.n;
    else if (s->runs < SIGNATURE_RUNS)
        s->run[s->runs++] = run;
    else
        s->runs = SIGNATURE_LONG;
}

static void add_runs(struct signature *s, const struct signature *more, uint64_t times)
{
    if (more->runs == SIGNATURE_LONG) {
        s->runs = SIGNATURE_LONG;
    } else if (more->runs == 1) {
        add_signature_run(s, (struct signature_run){more->run[0].basic, more->run[0].size, more->run[0].n * times});
    } else if (more->runs) {
        for (uint64_t i = 0; i < times && s->runs != SIGNATURE_LONG; i++)
            for (uint32_t k = 0; k < more->runs; k++)
                add_signature_run(s, more->run[k]);
    }
}

void signature_add(struct signature *s, const struct signature *more, uint64_t times)
{
    if (times == 0 || more->elements == 0)
        return;
    struct sum sum = joined((struct sum){s->sum, s->elements},
                            repeated((struct sum){more->sum, more->elements}, times));
    add_runs(s, more, times);
    s->sum = sum.value;
    s->elements = sum.elements;
    s->bytes += more->bytes * times;
    s->fits_any |= more->fits_any;
}

void signature_add_basic(struct signature *s, uint32_t basic, uint32_t size)
{
    struct signature one = {.elements = 1,
                            .bytes = size,
                            .sum = (basic + 1) * UINT64_C(0x9e3779b97f4a7c15) % prime,
                            .fits_any = basic_fits_any(basic),
                            .runs = 1,
                            .run = {{basic, size, 1}}};
    signature_add(s, &one, 1);
}

uint64_t signature_id(const struct signature *s)
{
    uint64_t id = (s->sum ^ s->elements * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15) ^ s->bytes;
    return id ? id : 1;
}

/* ---- as it travels ---- */

static uint32_t runs_told(const struct signature *s)
{
    return s->runs == SIGNATURE_LONG ? 0 : s->runs;
}

size_t signature_size(const struct signature *s)
{
    return sizeof s->sum + runs_told(s) * sizeof *s->run;
}

void signature_write(const struct signature *s, void *to)
{
    uint64_t sum = s->sum << 1 | s->fits_any; /* it has 61 bits */
    memcpy(to, &sum, sizeof sum);
    memcpy((char *)to + sizeof sum, s->run, runs_told(s) * sizeof *s->run);
}

bool signature_read(struct signature *s, const struct op *op)
{
    size_t name = op_round(strnlen(op_tail(op), op_tail_size(op)) + 1);
    const char *at = (const char *)op_tail(op) + name;
    uint64_t sum;
    if (!op->signature || op->items > SIGNATURE_RUNS ||
        op_tail_size(op) < name + sizeof sum + op->items * sizeof *s->run)
        return false;
    memcpy(&sum, at, sizeof sum);
    *s = (struct signature){.elements = (uint64_t)op->count,
                            .bytes = op->bytes,
                            .sum = sum >> 1,
                            .fits_any = sum & 1,
                            .runs = op->items || !op->count ? op->items : SIGNATURE_LONG};
    memcpy(s->run, at + sizeof sum, op->items * sizeof *s->run);
    return true;
}
