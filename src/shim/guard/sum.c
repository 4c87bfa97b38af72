#include "shim/guard/sum.h"

#include <stdbool.h>
#include <string.h>

/* Where a sum begins: a word that no program is likely to have in its buffers, since one that is like the sum hides its neighbour. */
static const uint64_t beginning = UINT64_C(0x2d358dccaa6c78a5);

static uint64_t mix_word(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

/* All bits of the product depend on all of both. */
static uint64_t fold_words(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Buffers begin anywhere. */
static uint64_t word_of_buffer(const char *bytes, size_t nth)
{
    uint64_t word;
    memcpy(&word, bytes + nth * sizeof word, sizeof word);
    return word;
}

/* Four products that do not wait for each other. */
static inline __attribute__((always_inline)) uint64_t mix_sample(uint64_t sum, const char *sample)
{
    return fold_words(word_of_buffer(sample, 0) ^ UINT64_C(0xa0761d6478bd642f), word_of_buffer(sample, 1) ^ sum) ^
           fold_words(word_of_buffer(sample, 2) ^ UINT64_C(0xe7037ed1a0b428db), word_of_buffer(sample, 3) ^ sum) ^
           fold_words(word_of_buffer(sample, 4) ^ UINT64_C(0x8ebc6af09c88c6e3), word_of_buffer(sample, 5) ^ sum) ^
           fold_words(word_of_buffer(sample, 6) ^ UINT64_C(0x589965cc75374cc3), word_of_buffer(sample, 7) ^ sum);
}
_Static_assert(SAMPLE_BYTES == 8 * sizeof(uint64_t), "so many words are mixed");

/* Of less than a sample. */
static uint64_t sum_of_words(const char *bytes, size_t n)
{
    uint64_t sum = beginning;
    for (; n >= sizeof sum; n -= sizeof sum, bytes += sizeof sum)
        sum = mix_word(sum, word_of_buffer(bytes, 0));
    if (n) {
        uint64_t word = n;
        memcpy(&word, bytes, n);
        sum = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
    }
    return sum;
}

/* The last sample may have bytes in common with the one before. */
uint64_t sum_of_buffer(const char *bytes, size_t n, size_t samples)
{
    if (n < SAMPLE_BYTES)
        return sum_of_words(bytes, n);
    uint64_t sum = mix_sample(beginning, bytes + n - SAMPLE_BYTES);
    bool whole = n <= samples * SAMPLE_BYTES;
    size_t step = whole ? SAMPLE_BYTES : n / samples;
    for (size_t left = whole ? (n - 1) / SAMPLE_BYTES : samples; left > 0; left--, bytes += step)
        sum = mix_sample(sum, bytes);
    return sum;
}
