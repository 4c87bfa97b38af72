#include "shim/core/module.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/core/script.h"
#include "shim/library/library.h"
#include "shim/shim.h"

struct loaded_module {
    uintptr_t start, end;
    uintptr_t shift; /* from addresses to offsets in the file */
    char *path;      /* owned, as is all of a snapshot; by nobody */
    enum module_kind kind;
};

/*
 * What was loaded at some time.  Never changed once it is known to others, since
 * any thread may ask; a new one takes its place when something was loaded.
 */
struct snapshot {
    unsigned long long loads; /* how many loads the linker had seen */
    struct loaded_module *module;
    int count;
    _Atomic int last;         /* the one found last: nearly always the right one */
};

static _Atomic(struct snapshot *) current;

/* Beside those that the MPI library has brought. */
static const struct {
    const char *pattern;
    enum module_kind kind;
} names[] = {
    {"MPI.*so", MODULE_PYTHON},
    {"libtourney.so", MODULE_RUNTIME},  /* the gate stands in front of functions of the C library, too */
    {"libtourney-faults.so", MODULE_RUNTIME},
    {"libtourney-coverage.so", MODULE_RUNTIME},
    {"libtourney*.so", MODULE_LIBRARY}, /* MPI functions that end in a jump to another one come back to us */
    {"libpmix*.so*", MODULE_LIBRARY}, /* from here on, what MPI is built on and nobody else calls */
    {"libuc[mpst]*.so*", MODULE_LIBRARY},
    {"libfabric.so*", MODULE_LIBRARY},
    {"libpsm*.so*", MODULE_LIBRARY},
    {"libibverbs.so*", MODULE_LIBRARY},
    {"librdmacm.so*", MODULE_LIBRARY},
    {"libefa.so*", MODULE_LIBRARY},
    {"libc.so*", MODULE_RUNTIME},
    {"libc-*.so", MODULE_RUNTIME},
    {"libm.so*", MODULE_RUNTIME},
    {"libmvec.so*", MODULE_RUNTIME},
    {"libgcc_s.so*", MODULE_RUNTIME},
    {"libgfortran.so*", MODULE_RUNTIME},
    {"libgomp.so*", MODULE_RUNTIME},
    {"libiomp5.so*", MODULE_RUNTIME},
    {"libomp.so*", MODULE_RUNTIME},
    {"libquadmath.so*", MODULE_RUNTIME},
    {"libstdc++.so*", MODULE_RUNTIME},
};

static bool is_one_of(const char *const *pattern, const char *file)
{
    while (*pattern && fnmatch(*pattern, file, 0) != 0)
        pattern++;
    return *pattern;
}

static const char *library_path(void)
{
    static const char *path;
    Dl_info info;
    if (!path)
        path = real.Init && dladdr((void *)real.Init, &info) ? info.dli_fname : "";
    return *path ? path : "no library";
}

enum module_kind module_kind_of(const char *path)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    if (!strcmp(path, library_path()))
        return MODULE_LIBRARY; /* whatever its file is called */
    if (is_one_of(library_traits.binding, base))
        return MODULE_BINDING;
    if (is_one_of(library_traits.file, base))
        return MODULE_LIBRARY;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fnmatch(names[i].pattern, base, 0) == 0)
            return names[i].kind;
    return *path ? MODULE_SHARED : MODULE_PROGRAM;
}

/* The linker does not call the executable by its name. */
static char *path_of_module(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = *name ? -1 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (length >= 0)
        path[length] = 0;
    const char *found = length >= 0 ? path : name;
    return strcpy(shim_alloc(strlen(found) + 1), found);
}

static int add_loaded_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    struct snapshot *s = arg;
    enum module_kind kind = module_kind_of(info->dlpi_name);
    s->loads = info->dlpi_adds;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        s->module = shim_realloc(s->module, (s->count + 1) * sizeof *s->module);
        s->module[s->count++] = (struct loaded_module){start, start + segment->p_memsz, start - segment->p_offset,
                                                       path_of_module(info->dlpi_name), kind};
    }
    return 0;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(unsigned long long *)arg = info->dlpi_adds;
    return 1;
}

/* The old one stays: another thread may be reading it, and there are few. */
static struct snapshot *take_snapshot(void)
{
    struct snapshot *s = shim_alloc(sizeof *s);
    *s = (struct snapshot){0};
    dl_iterate_phdr(add_loaded_module, s);
    atomic_store(&current, s);
    return s;
}

static bool module_holds(const struct loaded_module *m, uintptr_t at)
{
    return m->start <= at && at < m->end;
}

static const struct loaded_module *find_module(struct snapshot *s, uintptr_t at)
{
    int last = atomic_load_explicit(&s->last, memory_order_relaxed);
    for (int tried = 0, i = last; tried < s->count; tried++, i = (i + 1) % s->count)
        if (module_holds(&s->module[i], at)) {
            if (i != last)
                atomic_store_explicit(&s->last, i, memory_order_relaxed);
            return &s->module[i];
        }
    return NULL;
}

/* NULL: another one than the one found last, or none. */
static const struct loaded_module *module_as_before(const struct snapshot *s, const void *address)
{
    const struct loaded_module *m = s ? &s->module[atomic_load_explicit(&s->last, memory_order_relaxed)] : NULL;
    return m && module_holds(m, (uintptr_t)address) ? m : NULL;
}

/* An address in none of the modules is of one loaded since, or made at run time. */
static const struct loaded_module *module_at(const void *address)
{
    struct snapshot *s = atomic_load(&current);
    const struct loaded_module *m = module_as_before(s, address);
    if (m)
        return m;
    m = s ? find_module(s, (uintptr_t)address) : NULL;
    if (!m) {
        unsigned long long loads = 0;
        dl_iterate_phdr(count_loads, &loads);
        if (!s || s->loads != loads)
            m = find_module(take_snapshot(), (uintptr_t)address);
    }
    return m;
}

/* No script is where a module is, so the module is looked for first where that is quick. */
enum module_kind module_kind_at(const void *address)
{
    const struct loaded_module *m = module_as_before(atomic_load(&current), address);
    const struct script *script = m ? NULL : script_at(address);
    m = m || script ? m : module_at(address);
    return m ? m->kind : script && script->is_library ? MODULE_SHARED : MODULE_PROGRAM;
}

bool module_span(const void *address, uintptr_t *start, uintptr_t *end)
{
    const struct loaded_module *m = module_at(address);
    if (m) {
        *start = m->start;
        *end = m->end;
    }
    return m != NULL;
}

uint64_t module_offset(const void *address, const char **path)
{
    const struct script *script = script_at(address);
    const struct loaded_module *m = script ? NULL : module_at(address);
    *path = script ? script->path : m ? m->path : "";
    return script ? (uintptr_t)address - script->start : m ? (uintptr_t)address - m->shift : 0;
}

uint64_t module_loads(void)
{
    const struct snapshot *s = atomic_load(&current);
    uint64_t loads = s ? s->loads : 0;
    for (int i = 0; script_nth(i); i++)
        loads++;
    return loads;
}

void module_each(void (*see)(const struct module_range *, void *), void *data)
{
    const struct snapshot *s = atomic_load(&current);
    for (int i = 0; s && i < s->count; i++) {
        const struct loaded_module *m = &s->module[i];
        see(&(struct module_range){m->start, m->end, m->shift, m->path}, data);
    }
    const struct script *script;
    for (int i = 0; (script = script_nth(i)); i++)
        if (script->path)
            see(&(struct module_range){script->start, script->end, script->start, script->path}, data);
}
