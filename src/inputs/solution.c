#include "inputs/solution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inputs/mutation.h"

enum {
    MOST_PLACES = 32,    /* in the input, for one form of a number */
    MOST_SHIFTED = 64,   /* the same for numbers that are taken to be off by a constant */
    MOST_SOLUTIONS = 4096, /* for one input */
};

/* ---- how it is ---- */

static int64_t signed_of(uint64_t value, int bytes)
{
    int shift = 64 - 8 * bytes;
    return (int64_t)(value << shift) >> shift;
}

static double real_of(uint64_t bits, int bytes)
{
    if (bytes == 8) {
        double real;
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    uint32_t low = (uint32_t)bits;
    float real;
    memcpy(&real, &low, sizeof real);
    return (double)real;
}

static enum relation relation_of(bool less, bool equal)
{
    return equal ? RELATION_EQUAL : less ? RELATION_LESS : RELATION_GREATER;
}

enum relation compared_relation(const struct compared *it)
{
    if (it->is_real) {
        double left = real_of(it->left, it->bytes), right = real_of(it->right, it->bytes);
        return relation_of(left < right, !(left < right) && !(left > right));
    }
    return relation_of(signed_of(it->left, it->bytes) < signed_of(it->right, it->bytes), it->left == it->right);
}

enum relation compared_text_relation(const struct compared_text *text)
{
    bool equal = text->bytes[0] == text->bytes[1] && memcmp(text->side[0], text->side[1], text->bytes[0]) == 0;
    return equal ? RELATION_EQUAL : RELATION_LESS;
}

/* ---- how it may become something else ---- */

/* What is looked for in the input, and what is put there. */
struct wish {
    solutions_t *found;
    const input_bytes_t *input;
    uint64_t place;
    enum relation relation;
};

static void add_solution(const struct wish *wish, size_t at, size_t cut, const void *with, size_t bytes)
{
    if (wish->found->n == MOST_SOLUTIONS || at > UINT32_MAX)
        return;
    struct solution solution = {wish->place, wish->relation, (uint32_t)at, (uint32_t)cut, (uint8_t)bytes, {0}};
    memcpy(solution.with, with, bytes);
    vec_push(wish->found, solution);
}

static void replace_each(const struct wish *wish, const void *old, size_t old_bytes, const void *with, size_t bytes)
{
    const uint8_t *start = wish->input->at, *from = start;
    for (int n = 0; n < MOST_PLACES && wish->input->n; n++) {
        const uint8_t *at = memmem(from, wish->input->n - (size_t)(from - start), old, old_bytes);
        if (!at)
            return;
        add_solution(wish, (size_t)(at - start), old_bytes, with, bytes);
        from = at + 1;
    }
}

static uint64_t turned(uint64_t value, int bytes)
{
    return __builtin_bswap64(value) >> (64 - 8 * bytes);
}

static bool fits(uint64_t value, int bytes, int narrow)
{
    uint64_t low = bytes == 8 ? value : value & (((uint64_t)1 << 8 * bytes) - 1);
    return low < (uint64_t)1 << 8 * narrow || signed_of(value, bytes) == signed_of(value, narrow);
}

/* As the machine has it, or the other way round; also narrower, since numbers are widened before they are compared. */
static void replace_bytes(const struct wish *wish, uint64_t old, uint64_t new, int bytes)
{
    for (int width = bytes; width; width /= 2) {
        if (width < bytes && !(fits(old, bytes, width) && fits(new, bytes, width)))
            return;
        uint64_t old_turned = turned(old, width), new_turned = turned(new, width);
        replace_each(wish, &old, (size_t)width, &new, (size_t)width);
        if (width > 1)
            replace_each(wish, &old_turned, (size_t)width, &new_turned, (size_t)width);
    }
}

/* Numbers in digits that are this one, as strtod reads them. */
static void replace_digits(const struct wish *wish, double old, const char *new)
{
    size_t first = 0, end = 0;
    for (int n = 0; n < MOST_PLACES && input_next_number(wish->input, end, &first, &end); n++) {
        char text[32] = "";
        if (end - first >= sizeof text)
            continue;
        memcpy(text, wish->input->at + first, end - first);
        double value = strtod(text, NULL);
        if (!(value < old) && !(value > old))
            add_solution(wish, first, end - first, new, strlen(new));
    }
}

static void wish_number(const struct wish *wish, uint64_t old, uint64_t new, int bytes)
{
    char text[32];
    replace_bytes(wish, old, new, bytes);
    snprintf(text, sizeof text, "%" PRId64, signed_of(new, bytes));
    replace_digits(wish, (double)signed_of(old, bytes), text);
}

static void wish_real(const struct wish *wish, uint64_t old, double new, int bytes)
{
    char text[32];
    float narrow = (float)new;
    if (bytes == 8)
        replace_each(wish, &old, 8, &new, 8);
    else
        replace_each(wish, &old, 4, &narrow, 4);
    snprintf(text, sizeof text, bytes == 8 ? "%.17g" : "%.9g", new);
    replace_digits(wish, real_of(old, bytes), text);
}

static enum relation mirrored(enum relation relation)
{
    return relation == RELATION_EQUAL ? relation : relation == RELATION_LESS ? RELATION_GREATER : RELATION_LESS;
}

/* The number `old`, which is on the left or not, is to be like the other one, greater or less. */
static void solve_side(const struct wish *base, const struct compared *it, bool left)
{
    uint64_t old = left ? it->left : it->right, other = left ? it->right : it->left;
    static const enum relation all[] = {RELATION_EQUAL, RELATION_GREATER, RELATION_LESS};
    for (int i = 0; i < 3; i++) {
        struct wish wish = *base;
        wish.relation = left ? all[i] : mirrored(all[i]);
        if (wish.relation == compared_relation(it))
            continue;
        double real = it->is_real ? real_of(other, it->bytes) : 0;
        double near = it->bytes == 8 ? nextafter(real, i == 1 ? INFINITY : -INFINITY)
                                     : (double)nextafterf((float)real, i == 1 ? INFINITY : -INFINITY);
        if (it->is_real)
            wish_real(&wish, old, i ? near : real, it->bytes);
        else
            wish_number(&wish, old, other + (i == 1) - (i == 2), it->bytes);
    }
}

/* Adds a difference to each number of the input that is as wide: first those at multiples of its width. */
static void shift_bytes(const struct wish *wish, uint64_t difference, int bytes, bool aligned)
{
    for (size_t at = 0, n = 0; at + (size_t)bytes <= wish->input->n && n < MOST_SHIFTED; at++) {
        uint64_t value = 0;
        if ((at % (size_t)bytes == 0) != aligned)
            continue;
        memcpy(&value, wish->input->at + at, (size_t)bytes);
        uint64_t other = turned(turned(value, bytes) + difference, bytes);
        value += difference;
        add_solution(wish, at, (size_t)bytes, &value, (size_t)bytes);
        if (bytes > 1)
            add_solution(wish, at, (size_t)bytes, &other, (size_t)bytes);
        n++;
    }
}

static void shift_digits(const struct wish *wish, int64_t difference)
{
    size_t first = 0, end = 0;
    for (int n = 0; n < MOST_PLACES && input_next_number(wish->input, end, &first, &end); n++) {
        char text[32] = "";
        if (end - first >= sizeof text)
            continue;
        memcpy(text, wish->input->at + first, end - first);
        int64_t value = (int64_t)((uint64_t)strtoll(text, NULL, 10) + (uint64_t)difference);
        add_solution(wish, first, end - first, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
    }
}

/* The number on the right is taken to be one of the input plus a constant; so is that on the left, if it is no constant, with the other sign. */
static void solve_shifted(const struct wish *base, const struct compared *it, bool aligned, bool equal)
{
    static const enum relation all[] = {RELATION_EQUAL, RELATION_GREATER, RELATION_LESS};
    struct wish wish = *base;
    if (it->is_real || it->bytes < 2 || it->left == it->right)
        return;
    for (int side = 0; side < (it->is_constant ? 1 : 2); side++)
        for (int i = equal ? 0 : 1; i < (equal ? 1 : 3); i++) {
            uint64_t difference = side ? it->right - it->left + (i == 1) - (i == 2) : it->left - it->right - (i == 1) + (i == 2);
            wish.relation = all[i];
            if (wish.relation == compared_relation(it))
                continue;
            if (aligned)
                shift_digits(&wish, signed_of(difference, it->bytes));
            shift_bytes(&wish, difference, it->bytes, aligned);
        }
}

static void solve_text(const struct wish *base, const struct compared_text *text)
{
    struct wish wish = *base;
    wish.relation = RELATION_EQUAL;
    for (int side = 0; side < 2 && compared_text_relation(text) != RELATION_EQUAL; side++)
        if (text->bytes[side])
            replace_each(&wish, text->side[side], text->bytes[side], text->side[!side], text->bytes[!side]);
}

void solutions_find(solutions_t *found, const input_bytes_t *input, const struct observation *seen)
{
    for (size_t i = 0; i < seen->texts.n; i++)
        solve_text(&(struct wish){found, input, seen->texts.at[i].place, 0}, &seen->texts.at[i]);
    for (size_t i = 0; i < seen->compared.n; i++) {
        struct wish wish = {found, input, seen->compared.at[i].place, 0};
        solve_side(&wish, &seen->compared.at[i], false);
        if (!seen->compared.at[i].is_constant)
            solve_side(&wish, &seen->compared.at[i], true);
    }
    for (int pass = 0; pass < 4; pass++) /* the likeliest first */
        for (size_t i = 0; i < seen->compared.n; i++)
            solve_shifted(&(struct wish){found, input, seen->compared.at[i].place, 0}, &seen->compared.at[i], pass < 2, pass % 2 == 0);
}
