#include "shim/module.h"

#include <fnmatch.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shim/shim.h"

struct module {
    uintptr_t start, end;
    enum module_kind kind;
};

static struct {
    struct module *module;
    int count;
    int last; /* the one found last: nearly always the right one */
} table;

static const struct {
    const char *pattern;
    enum module_kind kind;
} names[] = {
    {"libmpichfort.so*", MODULE_BINDING},
    {"libmpifort.so*", MODULE_BINDING},
    {"libmpichcxx.so*", MODULE_BINDING},
    {"libmpicxx.so*", MODULE_BINDING},
    {"libmpi_*.so*", MODULE_BINDING},
    {"libtourney*.so", MODULE_LIBRARY}, /* MPI functions that end in a jump to another one come back to us */
    {"libmpich.so*", MODULE_LIBRARY},
    {"libmpi.so*", MODULE_LIBRARY},
    {"libpmpi.so*", MODULE_LIBRARY},
    {"libopen-*.so*", MODULE_LIBRARY},
    {"libmca_*.so*", MODULE_LIBRARY},
    {"mca_*.so*", MODULE_LIBRARY},
    {"libpmix*.so*", MODULE_LIBRARY},
    {"libuc[mpst]*.so*", MODULE_LIBRARY},
};

static enum module_kind kind_of(const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fnmatch(names[i].pattern, base, 0) == 0)
            return names[i].kind;
    return MODULE_PROGRAM;
}

static int add(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    enum module_kind kind = kind_of(info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        table.module = shim_realloc(table.module, (table.count + 1) * sizeof *table.module);
        table.module[table.count++] = (struct module){start, start + segment->p_memsz, kind};
    }
    return 0;
}

static bool holds(const struct module *m, uintptr_t at)
{
    return m->start <= at && at < m->end;
}

static bool find(uintptr_t at)
{
    for (int i = 0; i < table.count; i++)
        if (holds(&table.module[i], at)) {
            table.last = i;
            return true;
        }
    return false;
}

/* An address in none of the modules is of one loaded since, or made at run time. */
enum module_kind module_kind_at(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (table.count && holds(&table.module[table.last], at))
        return table.module[table.last].kind;
    if (find(at))
        return table.module[table.last].kind;
    table.count = table.last = 0;
    dl_iterate_phdr(add, NULL);
    return find(at) ? table.module[table.last].kind : MODULE_PROGRAM;
}
