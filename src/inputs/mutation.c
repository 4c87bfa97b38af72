#include "inputs/mutation.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t dice_throw(struct dice *dice, uint64_t n)
{
    dice->state += 0x9e3779b97f4a7c15;
    uint64_t z = dice->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % n;
}

void input_replace(input_bytes_t *input, size_t at, size_t cut, const void *with, size_t bytes)
{
    if (input->n - cut + bytes > INPUT_MOST)
        return;
    vec_reserve(input, bytes);
    if (input->at) /* an empty one that stays empty has no memory */
        memmove(input->at + at + bytes, input->at + at + cut, input->n - at - cut);
    if (bytes)
        memcpy(input->at + at, with, bytes);
    input->n += bytes - cut;
}

static bool begins_number(const input_bytes_t *input, size_t at)
{
    bool signs = input->at[at] == '-' && at + 1 < input->n && isdigit(input->at[at + 1]);
    return (isdigit(input->at[at]) || signs) && (at == 0 || !isalnum(input->at[at - 1]));
}

bool input_next_number(const input_bytes_t *input, size_t at, size_t *first, size_t *end)
{
    while (at < input->n && !begins_number(input, at))
        at++;
    *first = *end = at;
    if (at == input->n)
        return false;
    for (++*end; *end < input->n && (isdigit(input->at[*end]) || input->at[*end] == '.'); ++*end)
        ;
    return true;
}

/* ---- one change each ---- */

static void change_byte(input_bytes_t *input, struct dice *dice)
{
    size_t at = dice_throw(dice, input->n);
    if (dice_throw(dice, 2))
        input->at[at] ^= (uint8_t)(1 << dice_throw(dice, 8));
    else
        input->at[at] = (uint8_t)dice_throw(dice, 256);
}

static const int64_t borders[] = {0, 1, -1, 2, 7, 8, 16, 64, 100, 127, 128, 255, 256, 1000, 1024, 4096, 32767, 65535, 65536, INT32_MAX, INT32_MIN};

static int64_t some_border(struct dice *dice)
{
    return borders[dice_throw(dice, sizeof borders / sizeof *borders)];
}

/* A number of 1, 2, 4 or 8 bytes, in place of what is there or beside it. */
static void change_word(input_bytes_t *input, struct dice *dice)
{
    size_t bytes = (size_t)1 << dice_throw(dice, 4);
    uint64_t value = 0;
    if (bytes > input->n)
        return;
    size_t at = dice_throw(dice, input->n - bytes + 1);
    memcpy(&value, input->at + at, bytes);
    value = dice_throw(dice, 2) ? (uint64_t)some_border(dice) : value + dice_throw(dice, 33) - 16;
    memcpy(input->at + at, &value, bytes);
}

static void change_number(input_bytes_t *input, struct dice *dice)
{
    size_t first, end;
    char text[32], old[32] = "";
    if (!input_next_number(input, dice_throw(dice, input->n), &first, &end) && !input_next_number(input, 0, &first, &end))
        return;
    memcpy(old, input->at + first, end - first < sizeof old - 1 ? end - first : sizeof old - 1);
    int64_t value = strtoll(old, NULL, 10);
    value = dice_throw(dice, 2) ? some_border(dice) : value + (int64_t)dice_throw(dice, 9) - 4;
    input_replace(input, first, end - first, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
}

static size_t some_length(size_t most, struct dice *dice)
{
    size_t length = 1 + dice_throw(dice, dice_throw(dice, 4) ? 16 : most);
    return length < most ? length : most;
}

static void drop_block(input_bytes_t *input, struct dice *dice)
{
    size_t at = dice_throw(dice, input->n);
    input_replace(input, at, some_length(input->n - at, dice), NULL, 0);
}

/* Puts in a part of `from`, which may be the input itself. */
static void put_in_block(input_bytes_t *input, const input_bytes_t *from, struct dice *dice)
{
    if (!from->n)
        return;
    size_t at = dice_throw(dice, from->n), bytes = some_length(from->n - at, dice);
    uint8_t *copy = xmemdup(from->at + at, bytes, 1);
    input_replace(input, dice_throw(dice, input->n + 1), 0, copy, bytes);
    free(copy);
}

static void put_in_bytes(input_bytes_t *input, struct dice *dice)
{
    uint8_t some[8];
    size_t bytes = 1 + dice_throw(dice, sizeof some);
    for (size_t i = 0; i < bytes; i++)
        some[i] = (uint8_t)dice_throw(dice, 256);
    input_replace(input, dice_throw(dice, input->n + 1), 0, some, bytes);
}

void input_mutate(input_bytes_t *input, const input_bytes_t *other, struct dice *dice)
{
    for (uint64_t left = (uint64_t)1 << dice_throw(dice, 4); left; left--)
        switch (input->n ? dice_throw(dice, 8) : 7) {
        case 0:
        case 1:
            change_byte(input, dice);
            break;
        case 2:
            change_word(input, dice);
            break;
        case 3:
            change_number(input, dice);
            break;
        case 4:
            drop_block(input, dice);
            break;
        case 5:
            put_in_block(input, input, dice);
            break;
        case 6:
            put_in_block(input, other, dice);
            break;
        default:
            put_in_bytes(input, dice);
        }
}
