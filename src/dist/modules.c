#include "dist/modules.h"

#include <string.h>

#include "base/hash.h"

static uint64_t module_start(const char *path)
{
    return (hash_bytes(0, path, strlen(path)) | 1) << MODULE_BITS;
}

/* Names that happen to have one number are one file; the places of the second are then told wrongly. */
static struct module_file *find_module_file(struct modules *modules, const char *path)
{
    uint64_t start = module_start(path);
    for (size_t i = 0; i < modules->file.n; i++)
        if (modules->file.at[i].start == start)
            return &modules->file.at[i];
    vec_push(&modules->file, (struct module_file){xstrdup(path), start});
    return &vec_last(&modules->file);
}

uint64_t module_place(struct modules *modules, const char *path, uint64_t offset)
{
    return module_place_in(find_module_file(modules, path)->start, offset);
}

void modules_release(struct modules *modules)
{
    for (size_t i = 0; i < modules->file.n; i++)
        free(modules->file.at[i].path);
    vec_release(&modules->file);
}
