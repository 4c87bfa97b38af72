#include "call/dynamic.h"

static bool are_ranks(const rank_t *rank, uint32_t n, int ranks)
{
    for (uint32_t i = 0; i < n; i++)
        if (rank[i] < 0 || rank[i] >= ranks)
            return false;
    return true;
}

static uint32_t count_birth_words(const char *words, uint32_t bytes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bytes; i++)
        n += words[i] == 0;
    return n;
}

bool birth_is_sound(const struct birth *birth, size_t bytes, int ranks)
{
    if (bytes < sizeof *birth || birth->parents > (uint32_t)ranks || birth->siblings > (uint32_t)ranks ||
        birth->index >= birth->siblings || birth->words <= BIRTH_ARGUMENTS || birth_size(birth) != bytes)
        return false;
    const char *words = birth_words(birth);
    return are_ranks(birth_parents(birth), birth->parents + birth->siblings, ranks) && birth->bytes &&
           words[birth->bytes - 1] == 0 && count_birth_words(words, birth->bytes) == birth->words;
}
