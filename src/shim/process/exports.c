#include "shim/process/exports.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct exports exports_of(void *library)
{
    struct exports exports = {.library = library};
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return exports;
    exports.base = map->l_addr;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *at = (const void *)entry->d_un.d_ptr; /* the loader has made it an address */
        if (entry->d_tag == DT_GNU_HASH)
            exports.hash = at;
        else if (entry->d_tag == DT_SYMTAB)
            exports.symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            exports.names = at;
        else if (entry->d_tag == DT_VERSYM)
            exports.versions = at;
    }
    return exports;
}

static uint32_t hash_of_name(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Defined here, as a function or variable, and in no version that has to be asked for. */
static bool is_plain_symbol(const struct exports *exports, uint32_t number)
{
    enum { HIDDEN_VERSION = 0x8000 };
    const ElfW(Sym) *symbol = &exports->symbols[number];
    int type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS && (type == STT_FUNC || type == STT_OBJECT) &&
           !(exports->versions && exports->versions[number] & HIDDEN_VERSION);
}

/* The table: how many buckets, the first symbol in it, words of a filter and its shift; the filter; the buckets; for each symbol its hash, of which the last bit ends a bucket. */
static void *find_in_table(const struct exports *exports, const char *name)
{
    const uint32_t *table = exports->hash, hash = hash_of_name(name);
    uint32_t buckets = table[0], first = table[1], words = table[2];
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(table + 4);
    const uint32_t *bucket = (const uint32_t *)(filter + words), *hashes = bucket + buckets;
    uint32_t number = buckets ? bucket[hash % buckets] : 0;
    for (bool last = number < first; !last; number++) {
        uint32_t other = hashes[number - first];
        if ((other | 1) == (hash | 1) && !strcmp(exports->names + exports->symbols[number].st_name, name) && is_plain_symbol(exports, number))
            return (void *)(exports->base + exports->symbols[number].st_value);
        last = other & 1;
    }
    return NULL;
}

void *exports_find(const struct exports *exports, const char *name)
{
    bool readable = exports->hash && exports->symbols && exports->names;
    void *found = readable ? find_in_table(exports, name) : NULL;
    return found ? found : dlsym(exports->library, name);
}
