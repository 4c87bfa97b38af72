#include "shim/virtual/destructors.h"

#include <fnmatch.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/core/module.h"
#include "shim/noise.h"
#include "shim/shim.h"

enum { RUN_HERE = 8 };

/* A module, as the linker has it. */
struct loaded_library {
    uintptr_t base;
    ElfW(Dyn) *entry;             /* its dynamic section; NULL: it has none */
    const char *strings, *name;   /* by which others say that they need it */
    bool is_library;              /* MPI's */
    bool is_idle;                 /* its destructors do nothing that anybody could see */
    bool is_below, is_of_program; /* needed by the MPI library; without it */
    bool is_reached;              /* scratch */
};

struct destructor_state {
    unsigned long long loads, unloads;
    struct loaded_library *module; /* owned; the first one is the program */
    int count, room;
};

/* What was found out, for the modules that were there then. */
static struct {
    unsigned long long loads, unloads;
    bool here; /* they are run here, in this order: */
    int count;
    struct {
        uintptr_t base;
        const ElfW(Dyn) *entry;
    } module[RUN_HERE];
} known;

/* ---- what is loaded ---- */

/* These have none but those that the compiler gives to every module. */
static bool is_idle(const char *name)
{
    static const char *const pattern[] = {"libtourney.so", "libc.so*",  "libm.so*",  "libmvec.so*",
                                          "libpthread.so*", "libdl.so*", "librt.so*", "libgcc_s.so*"};
    for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++)
        if (fnmatch(pattern[i], name, 0) == 0)
            return true;
    return false;
}

static const ElfW(Dyn) *find_entry(const ElfW(Dyn) *entry, ElfW(Sxword) tag)
{
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry;
    return NULL;
}

/* The linker has made addresses of them, but not in what it cannot write to. */
static const void *address_in(const struct loaded_library *m, const ElfW(Dyn) *entry)
{
    uintptr_t at = entry->d_un.d_ptr;
    return (const void *)(at < m->base ? m->base + at : at);
}

static const char *name_of_library(const struct loaded_library *m, const char *path)
{
    const ElfW(Dyn) *own = find_entry(m->entry, DT_SONAME);
    const char *base = strrchr(path, '/');
    return own && m->strings ? m->strings + own->d_un.d_val : base ? base + 1 : path;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct destructor_state *process = data;
    struct loaded_library m = {.base = info->dlpi_addr};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            m.entry = (ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    const ElfW(Dyn) *strings = find_entry(m.entry, DT_STRTAB);
    m.strings = strings ? address_in(&m, strings) : NULL;
    m.name = name_of_library(&m, info->dlpi_name);
    m.is_library = module_kind_of(info->dlpi_name) == MODULE_LIBRARY;
    m.is_idle = is_idle(m.name);
    if (process->count == process->room) {
        process->room = 2 * process->room + 64;
        process->module = shim_realloc(process->module, process->room * sizeof *process->module);
    }
    process->module[process->count++] = m;
    process->loads = info->dlpi_adds;
    process->unloads = info->dlpi_subs;
    return 0;
}

static bool is_named(const struct loaded_library *m, const char *name)
{
    return strcmp(m->name, name) == 0;
}

/* All that a module needs, itself included; unless `through`, nothing of the MPI library or behind it. */
static void reach_needed_libraries(struct destructor_state *process, struct loaded_library *from, bool through)
{
    if (from->is_reached || (from->is_library && !through))
        return;
    from->is_reached = true;
    for (const ElfW(Dyn) *e = from->entry; from->strings && (e = find_entry(e, DT_NEEDED)); e++)
        for (int i = 0; i < process->count; i++)
            if (is_named(&process->module[i], from->strings + e->d_un.d_val))
                reach_needed_libraries(process, &process->module[i], through);
}

static void forget_reached(struct destructor_state *process)
{
    for (int i = 0; i < process->count; i++)
        process->module[i].is_reached = false;
}

/* Whatever was loaded for no reason that is known is the program's. */
static void find_owners(struct destructor_state *process)
{
    struct loaded_library *m = process->module, *end = m + process->count;
    for (; m < end; m++)
        if (m->is_library)
            reach_needed_libraries(process, m, true);
    for (m = process->module; m < end; m++)
        m->is_below = m->is_reached;
    forget_reached(process);
    for (m = process->module; m < end; m++)
        if (!m->is_below || m == process->module)
            reach_needed_libraries(process, m, false);
    for (m = process->module; m < end; m++)
        m->is_of_program = m->is_reached;
    forget_reached(process);
}

static struct destructor_state look_at_process(void)
{
    struct destructor_state process = {0};
    dl_iterate_phdr(add_module, &process);
    find_owners(&process);
    return process;
}

/* ---- whose are run ---- */

static bool has_destructors(const struct loaded_library *m)
{
    const ElfW(Dyn) *size = find_entry(m->entry, DT_FINI_ARRAYSZ);
    return (size && size->d_un.d_val) || find_entry(m->entry, DT_FINI);
}

static bool is_run(const struct loaded_library *m)
{
    return m->is_of_program && !m->is_idle && has_destructors(m);
}

/* What needs another module, by whatever way, ends before it. */
static bool ends_before(struct destructor_state *process, struct loaded_library *a, const struct loaded_library *b)
{
    if (a == process->module || b == process->module)
        return a == process->module;
    reach_needed_libraries(process, a, true);
    bool before = b->is_reached;
    forget_reached(process);
    return before;
}

/* Puts one more in order; false: that depends on how the linker does it, as where each of two needs the other. */
static bool put_in_order(struct destructor_state *process, struct loaded_library **order, int count,
                         struct loaded_library *m)
{
    int at = 0;
    while (at < count && ends_before(process, order[at], m))
        at++;
    for (int i = 0; i < count; i++)
        if (ends_before(process, m, order[i]) != (i >= at))
            return false;
    memmove(order + at + 1, order + at, (size_t)(count - at) * sizeof *order);
    order[at] = m;
    return true;
}

/* The linker counts what it has in other name spaces, but does not show it. */
static bool is_all_seen(const struct destructor_state *process)
{
    return process->loads - process->unloads == (unsigned long long)process->count;
}

static bool find_order(struct destructor_state *process)
{
    struct loaded_library *order[RUN_HERE];
    known.count = 0;
    for (struct loaded_library *m = process->module; m < process->module + process->count; m++)
        if (is_run(m) && (known.count == RUN_HERE || !put_in_order(process, order, known.count++, m)))
            return false;
    for (int i = 0; i < known.count; i++) {
        known.module[i].base = order[i]->base;
        known.module[i].entry = order[i]->entry;
    }
    return is_all_seen(process);
}

void destructors_look(void)
{
    struct destructor_state process = look_at_process();
    known.loads = process.loads;
    known.unloads = process.unloads;
    known.here = find_order(&process);
    free(process.module);
}

/* ---- running them ---- */

static int compare_loads(struct dl_phdr_info *info, size_t size, void *same)
{
    (void)size;
    *(bool *)same = info->dlpi_adds == known.loads && info->dlpi_subs == known.unloads;
    return 1;
}

/* As the linker does it. */
static void run_destructors(uintptr_t base, const ElfW(Dyn) *entry)
{
    const ElfW(Dyn) *array = find_entry(entry, DT_FINI_ARRAY), *size = find_entry(entry, DT_FINI_ARRAYSZ);
    const ElfW(Dyn) *last = find_entry(entry, DT_FINI);
    void (*const *function)(void) = array ? (void (*const *)(void))(base + array->d_un.d_ptr) : NULL;
    for (size_t i = array && size ? size->d_un.d_val / sizeof *function : 0; i-- > 0;)
        function[i]();
    if (last)
        ((void (*)(void))(base + last->d_un.d_ptr))();
}

static void make_writable(const void *at)
{
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)(NOISE_PAGE - 1);
    mprotect((void *)page, (uintptr_t)at - page + sizeof(ElfW(Dyn)), PROT_READ | PROT_WRITE);
}

/* The linker looks at the size when it comes to the destructors of a module. */
static void spare(const struct loaded_library *m)
{
    ElfW(Dyn) *size = (ElfW(Dyn) *)find_entry(m->entry, DT_FINI_ARRAYSZ);
    if (!size)
        return;
    make_writable(size);
    size->d_un.d_val = 0;
}

void destructors_spare(void)
{
    struct destructor_state process = look_at_process();
    for (int i = 0; i < process.count; i++)
        if (!process.module[i].is_of_program)
            spare(&process.module[i]);
    free(process.module);
}

bool destructors_run(void)
{
    bool same = false;
    dl_iterate_phdr(compare_loads, &same);
    if (!same)
        destructors_look();
    if (!known.here)
        destructors_spare();
    for (int i = 0; known.here && i < known.count; i++)
        run_destructors(known.module[i].base, known.module[i].entry);
    return known.here;
}
