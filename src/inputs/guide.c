#include "inputs/guide.h"

#include <string.h>

enum {
    TRIM_TRIES = 24,  /* to make an input shorter that is kept */
    TRIM_LEAST = 64,  /* bytes: below that there is little to win */
};

void guide_init(struct guide *guide, uint64_t seed, uint64_t most, try_fn *try, void *data)
{
    *guide = (struct guide){.dice = {seed}, .most = most, .try = try, .data = data};
}

static void kept_input_release(struct kept_input *kept)
{
    vec_release(&kept->bytes);
    vec_release(&kept->features);
    vec_release(&kept->solutions);
}

void guide_release(struct guide *guide)
{
    vec_release_each(&guide->kept, kept_input_release);
    map_release(&guide->features);
    map_release(&guide->relations);
}

bool features_include(const uint32_t *some, size_t n, const uint32_t *all, size_t m)
{
    size_t j = 0;
    for (size_t i = 0; i < n; i++) {
        while (j < m && all[j] < some[i])
            j++;
        if (j == m || all[j] != some[i])
            return false;
    }
    return true;
}

static void note_relation(struct guide *guide, uint64_t place, enum relation relation)
{
    map_put(&guide->relations, map_key(place), map_find(&guide->relations, map_key(place), 0) | relation);
}

static struct observation observe(struct guide *guide, const input_bytes_t *input, uint32_t from)
{
    struct observation seen = {0};
    guide->tries++;
    guide->try(guide->data, input, from, &seen);
    observation_settle(&seen);
    guide->tells = guide->tells || seen.tells;
    for (size_t i = 0; i < seen.compared.n; i++)
        note_relation(guide, seen.compared.at[i].place, compared_relation(&seen.compared.at[i]));
    for (size_t i = 0; i < seen.texts.n; i++)
        note_relation(guide, seen.texts.at[i].place, compared_text_relation(&seen.texts.at[i]));
    return seen;
}

static bool shows_news(const struct guide *guide, const struct observation *seen)
{
    for (size_t i = 0; i < seen->features.n; i++)
        if (!map_find(&guide->features, map_key(seen->features.at[i]), 0))
            return true;
    return false;
}

/* Takes input and observation. */
static uint32_t keep_input(struct guide *guide, input_bytes_t *input, uint32_t from, struct observation *seen)
{
    uint32_t number = (uint32_t)guide->kept.n;
    struct kept_input kept = {.from = from == GUIDE_NOTHING ? number : from, .failed = seen->failed};
    for (size_t i = 0; i < seen->features.n; i++) {
        vec_push(&kept.features, seen->features.at[i]);
        if (!map_find(&guide->features, map_key(seen->features.at[i]), 0))
            map_put(&guide->features, map_key(seen->features.at[i]), number + 1);
    }
    vec_copy(&kept.bytes, input);
    vec_release(input);
    if (kept.bytes.n <= INPUT_MOST)
        solutions_find(&kept.solutions, &kept.bytes, seen);
    observation_release(seen);
    vec_push(&guide->kept, kept);
    return number;
}

/* Leaves out what is not needed to show as much as the input does. */
static void trim(struct guide *guide, input_bytes_t *input, uint32_t from, struct observation *seen)
{
    int left = TRIM_TRIES;
    for (size_t block = input->n / 2; block >= TRIM_LEAST / 4 && input->n >= TRIM_LEAST; block /= 2)
        for (size_t at = 0; at + block <= input->n && left && !guide_is_over(guide); left--) {
            input_bytes_t shorter;
            vec_copy(&shorter, input);
            input_replace(&shorter, at, block, NULL, 0);
            struct observation again = observe(guide, &shorter, from);
            if (features_include(seen->features.at, seen->features.n, again.features.at, again.features.n)) {
                vec_release(input);
                observation_release(seen);
                *input = shorter;
                *seen = again;
            } else {
                vec_release(&shorter);
                observation_release(&again);
                at += block;
            }
        }
}

uint32_t guide_begin_with(struct guide *guide, const input_bytes_t *given, bool anyway)
{
    input_bytes_t input;
    struct observation seen = observe(guide, given, GUIDE_NOTHING);
    if (!anyway && !shows_news(guide, &seen)) {
        observation_release(&seen);
        return GUIDE_NOTHING;
    }
    vec_copy(&input, given);
    return keep_input(guide, &input, GUIDE_NOTHING, &seen);
}

/* ---- what is tried next ---- */

/* The next change of this input whose comparison has not been seen to go that way; NULL: there is none. */
static const struct solution *next_unseen(struct guide *guide, struct kept_input *kept)
{
    for (; kept->tried < kept->solutions.n; kept->tried++) {
        const struct solution *solution = &kept->solutions.at[kept->tried];
        if (!(map_find(&guide->relations, map_key(solution->place), 0) & solution->relation)) {
            kept->tried++;
            return solution;
        }
    }
    return NULL;
}

static input_bytes_t changed_by(const struct kept_input *kept, const struct solution *solution)
{
    input_bytes_t input;
    vec_copy(&input, &kept->bytes);
    input_replace(&input, solution->at, solution->cut, solution->with, solution->bytes);
    return input;
}

/* Inputs that may be changed; the latest come more often. */
static uint32_t some_kept(struct guide *guide)
{
    uint64_t n = guide->kept.n, a = dice_throw(&guide->dice, n), b = dice_throw(&guide->dice, n);
    return (uint32_t)(a > b ? a : b);
}

static input_bytes_t next_input(struct guide *guide, uint32_t *from)
{
    for (uint32_t i = (uint32_t)guide->kept.n; i-- > 0;) {
        const struct solution *solution = next_unseen(guide, &guide->kept.at[i]);
        if (solution) {
            *from = i;
            return changed_by(&guide->kept.at[i], solution);
        }
    }
    *from = some_kept(guide);
    struct kept_input *kept = &guide->kept.at[*from];
    if (guide->turn++ % 2 && kept->stale < kept->solutions.n)
        return changed_by(kept, &kept->solutions.at[kept->stale++]);
    input_bytes_t input;
    vec_copy(&input, &kept->bytes);
    if (input.n <= INPUT_MOST)
        input_mutate(&input, &guide->kept.at[some_kept(guide)].bytes, &guide->dice);
    return input;
}

uint32_t guide_go_on(struct guide *guide)
{
    uint32_t from;
    input_bytes_t input = next_input(guide, &from);
    struct observation seen = observe(guide, &input, from);
    if (!shows_news(guide, &seen)) {
        vec_release(&input);
        observation_release(&seen);
        return GUIDE_NOTHING;
    }
    trim(guide, &input, from, &seen);
    return keep_input(guide, &input, from, &seen);
}
