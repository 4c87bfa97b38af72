/*
 * Functions are found in a table per compilation unit, made when the unit is
 * met first: one walk over its tree serves all its places, and finds functions
 * that lie outside of the function they are contained in, as in Fortran.
 */
#include "symbols/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"

enum { DEPTH = 64 }; /* of nesting; deeper is not looked */

struct dwarf_function {
    Dwarf_Addr low, high;
    Dwarf_Die die;
};

struct unit {
    VEC(struct dwarf_function) functions; /* owns; the innermost of two that overlap is the shorter */
};

struct line_segment {
    uint64_t offset, size, address;
};

struct source {
    int fd; /* owns; to see whether the file changes */
    struct stat opened;
    Dwfl *dwfl; /* owns */
    Dwfl_Module *module;
    VEC(struct line_segment) segments; /* owns, as all that follow */
    struct map unit_of;           /* offset of the unit */
    VEC(struct unit) units;
    VEC(char *) texts;
};

static bool same_build(Dwfl_Module *module, int fd)
{
    const unsigned char *ours;
    GElf_Addr where;
    const void *theirs;
    int length = dwfl_module_build_id(module, &ours, &where);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    bool same = elf && length > 0 && dwelf_elf_gnu_build_id(elf, &theirs) == length &&
                memcmp(ours, theirs, (size_t)length) == 0;
    elf_end(elf);
    return same;
}

/* Beside the file, as `objcopy --add-gnu-debuglink` leaves it. */
static int open_debug_link(Dwfl_Module *module, const char *path, const char *link, char **found)
{
    static const char *const folder[] = {"%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s"};
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash || !link || strchr(link, '/'))
        return -1;
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++) {
        char name[PATH_MAX];
        if (snprintf(name, sizeof name, folder[i], (int)(slash - path), path, link) >= (int)sizeof name)
            continue;
        int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd >= 0 && same_build(module, fd)) {
            *found = xstrdup(name);
            return fd;
        }
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/*
 * In place of the library's standard way, which also asks servers: a verifier
 * must not begin to download in the middle of a run.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *path,
                          const char *link, GElf_Word sum, char **found)
{
    int fd = dwfl_build_id_find_debuginfo(module, data, name, base, path, link, sum, found);
    if (fd < 0)
        fd = open_debug_link(module, path, link, found);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

static void read_segments(struct source *source, Elf *elf)
{
    size_t n = 0;
    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;
        if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_LOAD)
            vec_push(&source->segments, (struct line_segment){head.p_offset, head.p_filesz, head.p_vaddr});
    }
}

static bool report(struct source *source, const char *path)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = find_debuginfo,
        .section_address = dwfl_offline_section_address,
    };
    int fd = fcntl(source->fd, F_DUPFD_CLOEXEC, 3);
    GElf_Addr bias;
    source->dwfl = dwfl_begin(&callbacks);
    if (fd < 0 || !source->dwfl) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    source->module = dwfl_report_offline(source->dwfl, path, path, fd);
    if (!source->module) {
        close(fd);
        return false;
    }
    dwfl_report_end(source->dwfl, NULL, NULL);
    Elf *elf = dwfl_module_getelf(source->module, &bias);
    if (!elf)
        return false;
    read_segments(source, elf);
    return true;
}

struct source *source_open(int fd, const char *path)
{
    struct source *source = xcalloc(1, sizeof *source);
    source->fd = fd;
    if (fstat(fd, &source->opened) == 0 && S_ISREG(source->opened.st_mode) && report(source, path))
        return source;
    source_free(source);
    return NULL;
}

void source_free(struct source *source)
{
    if (source->dwfl)
        dwfl_end(source->dwfl);
    close(source->fd);
    for (size_t i = 0; i < source->units.n; i++)
        vec_release(&source->units.at[i].functions);
    for (size_t i = 0; i < source->texts.n; i++)
        free(source->texts.at[i]);
    vec_release(&source->segments);
    vec_release(&source->units);
    vec_release(&source->texts);
    map_release(&source->unit_of);
    free(source);
}

bool source_is_intact(const struct source *source)
{
    struct stat now;
    return fstat(source->fd, &now) == 0 && now.st_size == source->opened.st_size &&
           now.st_mtim.tv_sec == source->opened.st_mtim.tv_sec && now.st_mtim.tv_nsec == source->opened.st_mtim.tv_nsec;
}

static void add_functions(struct unit *unit, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth > DEPTH || dwarf_child(parent, &die) != 0)
        return;
    do {
        Dwarf_Addr base, low, high;
        ptrdiff_t at = 0;
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            while ((at = dwarf_ranges(&die, at, &base, &low, &high)) > 0)
                vec_push(&unit->functions, (struct dwarf_function){low, high, die});
            add_functions(unit, &die, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_lexical_block:
            add_functions(unit, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_low(const void *a, const void *b)
{
    const struct dwarf_function *left = a, *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return (left->high < right->high) - (left->high > right->high);
}

static struct unit *unit_of(struct source *source, Dwarf_Die *die)
{
    struct map_key key = map_key(dwarf_dieoffset(die));
    uint32_t number;
    if (!map_get(&source->unit_of, key, &number)) {
        struct unit unit = {0};
        Dwarf_Die split;
        uint8_t type;
        /* With -gsplit-dwarf the tree is in another file. */
        if (dwarf_cu_info(die->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton &&
            split.cu)
            add_functions(&unit, &split, 0);
        else
            add_functions(&unit, die, 0);
        if (unit.functions.n > 0)
            qsort(unit.functions.at, unit.functions.n, sizeof *unit.functions.at, by_low);
        number = (uint32_t)source->units.n;
        vec_push(&source->units, unit);
        map_put(&source->unit_of, key, number);
    }
    return &source->units.at[number];
}

static Dwarf_Die *function_at(struct unit *unit, Dwarf_Addr pc)
{
    size_t low = 0, high = unit->functions.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unit->functions.at[middle].low <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0) {
        struct dwarf_function *function = &unit->functions.at[--low];
        if (pc < function->high)
            return &function->die;
    }
    return NULL;
}

/* The calls inlined at this place, from the outermost in; returns how many. */
static int inlined_at(const Dwarf_Die *function, Dwarf_Addr pc, Dwarf_Die call[DEPTH])
{
    Dwarf_Die parent = *function, die;
    int n = 0;
    for (int depth = 0; depth < DEPTH && n < DEPTH; depth++) {
        bool inside = false;
        if (dwarf_child(&parent, &die) != 0)
            break;
        do {
            int tag = dwarf_tag(&die);
            inside = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && dwarf_haspc(&die, pc) > 0;
        } while (!inside && dwarf_siblingof(&die, &die) == 0);
        if (!inside)
            break;
        if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
            call[n++] = die;
        parent = die;
    }
    return n;
}

/* Full, if the debug information says from where it counts. */
static const char *full_path(struct source *source, Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr_integrate(unit, DW_AT_comp_dir, &attribute));
    char *path;
    if (!file || file[0] == '/' || !folder)
        return file;
    if (strncmp(file, "./", 2) == 0)
        file += 2;
    if (asprintf(&path, "%s/%s", folder, file) < 0)
        return file;
    vec_push(&source->texts, path);
    return path;
}

static bool is_of_the_system(const char *file)
{
    return file && (strncmp(file, "/usr/", 5) == 0 || strncmp(file, "/opt/", 5) == 0);
}

static int number_in_attribute(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0 || value > INT_MAX)
        return 0;
    return (int)value;
}

/*
 * The innermost inlined function that is the user's own: an inline wrapper from
 * a library's header is as good as the call that it wraps.
 */
static void leave_system_headers(struct source *source, Dwarf_Die *unit, Dwarf_Die *function, Dwarf_Die *call, int n,
                                 struct source_spot *spot)
{
    Dwarf_Files *files = NULL;
    size_t nfiles = 0;
    struct source_spot outer = *spot;
    dwarf_getsrcfiles(unit, &files, &nfiles);
    while (n > 0 && is_of_the_system(outer.file)) {
        Dwarf_Die *inner = &call[--n];
        size_t file = (size_t)number_in_attribute(inner, DW_AT_call_file);
        if (!files || file >= nfiles)
            return;
        outer.file = full_path(source, unit, dwarf_filesrc(files, file, NULL, NULL));
        outer.line = number_in_attribute(inner, DW_AT_call_line);
        outer.function = dwarf_diename(n > 0 ? &call[n - 1] : function);
    }
    if (!is_of_the_system(outer.file))
        *spot = outer;
}

/* Not every compiler writes the table from addresses to units. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    while (!unit || dwarf_haspc(unit, address - *bias) <= 0) {
        unit = dwfl_module_nextcu(module, unit, bias);
        if (!unit)
            return NULL;
    }
    return unit;
}

static void find_source_line(struct source *source, Dwarf_Addr address, struct source_spot *spot)
{
    Dwarf_Die call[DEPTH];
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_at(source->module, address, &bias);
    if (!unit)
        return;
    Dwarf_Addr pc = address - bias;
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    if (line) {
        spot->file = full_path(source, unit, dwarf_linesrc(line, NULL, NULL));
        dwarf_lineno(line, &spot->line);
    }
    Dwarf_Die *function = function_at(unit_of(source, unit), pc);
    if (!function)
        return;
    Dwarf_Addr entry;
    if (dwarf_entrypc(function, &entry) == 0)
        spot->inside = pc - entry;
    int n = inlined_at(function, pc, call);
    spot->function = dwarf_diename(n > 0 ? &call[n - 1] : function);
    leave_system_headers(source, unit, function, call, n, spot);
}

/* The symbol table is searched from end to end, so it is the last to be asked. */
static void find_symbol(struct source *source, Dwarf_Addr address, struct source_spot *spot)
{
    GElf_Sym symbol;
    GElf_Off inside = 0;
    const char *name = dwfl_module_addrinfo(source->module, address, &inside, &symbol, NULL, NULL, NULL);
    if (name) {
        spot->function = name;
        spot->inside = inside;
    }
}

bool source_find(struct source *source, uint64_t offset, struct source_spot *spot)
{
    GElf_Addr bias = 0;
    *spot = (struct source_spot){0};
    dwfl_module_getelf(source->module, &bias);
    for (size_t i = 0; i < source->segments.n; i++) {
        const struct line_segment *segment = &source->segments.at[i];
        if (offset < segment->offset || offset - segment->offset >= segment->size)
            continue;
        spot->address = offset - segment->offset + segment->address;
        find_source_line(source, spot->address + bias, spot);
        if (!spot->function || !spot->file || spot->line <= 0)
            find_symbol(source, spot->address + bias, spot);
        return true;
    }
    return false;
}
