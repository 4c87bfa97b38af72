#include "states/memory_object.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"
#include "call/heap_map.h"
#include "call/variables.h"
#include "world/machine_limits.h"
#include "world/variables.h"

enum { MOST_STACK = 1 << 20, PAGE = 4096, MOST_CALLERS = WIRE_STACK_DEPTH };

/* What an executable or a library says of its variables; all of it NULL: nothing. */
struct module_variables {
    const struct variables_head *head;
    size_t bytes;
    const struct variables_object *object;
    const struct variables_static *statics;
    const struct variables_code *code;
    const struct variables_local *local;
    const char *text;
    bool is_moved; /* addresses in it count from where it is loaded */
};

/* A file as it is mapped, and what follows it without a name: variables that begin as zeros. */
struct loaded_module {
    uint64_t start, end;
    char *path; /* owns */
    bool read;
    struct module_variables variables;
};

struct memory_namer {
    struct symbols *symbols;
    pid_t pid;
    struct wire_sleep sleep;
    VEC(struct loaded_module) module;
    uint64_t stack_start, stack_end;
    uint64_t heap_start, heap_end;     /* the C library's */
    struct {
        uint64_t start, end;
    } c_library;                       /* its code */
    size_t callers;
    uint64_t caller[MOST_CALLERS];     /* return addresses, the innermost first, */
    uint64_t slot[MOST_CALLERS];       /* and where they are on the stack; as far as they were found */
};

struct memory_namer *memory_namer_new(struct symbols *symbols)
{
    struct memory_namer *namer = xcalloc(1, sizeof *namer);
    namer->symbols = symbols;
    return namer;
}

static void release_module(struct loaded_module *module)
{
    free(module->path);
    if (module->variables.head)
        munmap((void *)module->variables.head, module->variables.bytes);
}

void memory_namer_free(struct memory_namer *namer)
{
    vec_release_each(&namer->module, release_module);
    free(namer);
}

/* ---- what is mapped ---- */

static const char *base_name_of_module(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool name_begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void see_mapping(struct memory_namer *namer, uint64_t start, uint64_t end, const char *mode, const char *path)
{
    struct loaded_module *last = namer->module.n ? &vec_last(&namer->module) : NULL;
    if (mode[2] == 'x' && name_begins_with(base_name_of_module(path), "libc.so")) {
        namer->c_library.start = start;
        namer->c_library.end = end;
    }
    if (strcmp(path, "[stack]") == 0) {
        namer->stack_start = start;
        namer->stack_end = end;
    } else if (strcmp(path, "[heap]") == 0) {
        namer->heap_start = start;
        namer->heap_end = end;
    } else if (last && (strcmp(last->path, path) == 0 || (!*path && last->end == start))) {
        last->end = end;
    } else if (*path == '/') {
        vec_push(&namer->module, (struct loaded_module){start, end, xstrdup(path), false, {0}});
    }
}

/* Once: what a rank loads later has no name. */
static void read_all_mappings(struct memory_namer *namer)
{
    char path[32], line[PATH_MAX + 128], name[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)namer->pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        uint64_t start, end;
        char mode[5];
        *name = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*s %*u %4095[^\n]", &start, &end, mode, name) >= 3)
            see_mapping(namer, start, end, mode, name);
    }
    if (file)
        fclose(file);
}

static struct loaded_module *loaded_module_at(struct memory_namer *namer, uint64_t address)
{
    for (size_t i = 0; i < namer->module.n; i++)
        if (namer->module.at[i].start <= address && address < namer->module.at[i].end)
            return &namer->module.at[i];
    return NULL;
}

/* The program itself is mapped first. */
static const char *owner_of_module(const struct memory_namer *namer, const struct loaded_module *module)
{
    static const char *const known[][2] = {{"libtourney", "tourney"},   {"libmpi", "MPI library"},
                                           {"libopen-", "MPI library"}, {"libpmi", "MPI library"},
                                           {"libuc", "MPI library"},    {"libc.so", "C library"},
                                           {"ld-linux", "C library"},   {"libpthread", "C library"}};
    const char *name = base_name_of_module(module->path);
    if (module == &namer->module.at[0])
        return "program";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (name_begins_with(name, known[i][0]))
            return known[i][1];
    return name;
}

/* ---- variables ---- */

static bool is_moved_file(const char *path)
{
    enum { TYPE_AT = 16, FIXED = 2 };
    unsigned char head[TYPE_AT + 2] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool read_all = fd >= 0 && read(fd, head, sizeof head) == sizeof head;
    if (fd >= 0)
        close(fd);
    return !read_all || head[TYPE_AT] != FIXED;
}

static void take_variables(struct module_variables *variables)
{
    const char *at = (const char *)(variables->head + 1);
    variables->object = (const void *)at;
    variables->statics = (const void *)(variables->object + variables->head->objects);
    variables->code = (const void *)(variables->statics + variables->head->statics);
    variables->local = (const void *)(variables->code + variables->head->codes);
    const struct variables_type *type = (const void *)(variables->local + variables->head->locals);
    const struct variables_number *number = (const void *)(type + variables->head->types);
    variables->text = (const char *)(number + variables->head->numbers);
}

static void read_variables(struct loaded_module *module)
{
    struct stat file;
    module->read = true;
    int fd = variables_make(module->path);
    void *map = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &file) == 0)
        map = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (map == MAP_FAILED)
        return;
    module->variables = (struct module_variables){.head = map, .bytes = (size_t)file.st_size,
                                                  .is_moved = is_moved_file(module->path)};
    take_variables(&module->variables);
}

static const struct module_variables *variables_of(struct loaded_module *module)
{
    if (!module->read)
        read_variables(module);
    return module->variables.head ? &module->variables : NULL;
}

static bool find_module_variable(const struct module_variables *variables, uint64_t address, const char **name, uint64_t *start)
{
    for (uint64_t i = 0; i < variables->head->statics; i++)
        if (variables->statics[i].start <= address && address < variables->statics[i].end) {
            *name = variables->text + variables->statics[i].name;
            *start = variables->statics[i].start;
            return true;
        }
    for (uint64_t i = 0; i < variables->head->objects; i++)
        if (variables->object[i].start <= address && address < variables->object[i].end) {
            *name = variables->text + variables->object[i].name;
            *start = variables->object[i].start;
            return true;
        }
    return false;
}

/* Blocks are known to the preloaded library by their addresses. */
static bool is_of_blocks(const struct loaded_module *module)
{
    return strcmp(base_name_of_module(module->path), "libtourney.so") == 0;
}

static struct memory_object name_in_module(struct memory_namer *namer, struct loaded_module *module, uint64_t address)
{
    const struct module_variables *variables = variables_of(module);
    uint64_t base = variables && !variables->is_moved ? 0 : module->start, start;
    const char *name, *owner = owner_of_module(namer, module);
    if (variables && find_module_variable(variables, address - base, &name, &start))
        return (struct memory_object){xformat("variable %s", name), owner, address - base - start, is_of_blocks(module)};
    return (struct memory_object){xformat("variables of %s", base_name_of_module(module->path)), owner,
                                  address - module->start, is_of_blocks(module)};
}

/* ---- blocks of the heap ---- */

static bool read_process_memory(pid_t pid, uint64_t address, void *to, size_t bytes)
{
    struct iovec local = {to, bytes}, remote = {(void *)address, bytes};
    return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

/* A block begins at most so far before an address, at a multiple of `step`. */
static bool find_block_of(const struct memory_namer *namer, uint64_t address, uint64_t most, uint64_t step,
                          uint64_t *start, struct heap_site *site)
{
    uint64_t low = address > HEAP_MAP_START + most ? address - most : HEAP_MAP_START;
    for (uint64_t at = address & -step; at >= low; at -= step) {
        if (!read_process_memory(namer->pid, heap_map_site(at), site, sizeof *site))
            return false;
        if (site->caller) {
            *start = at;
            return address - at < site->size;
        }
    }
    return false;
}

static struct memory_object name_in_heap(struct memory_namer *namer, uint64_t address)
{
    bool small = address < HEAP_MAP_START + HEAP_MAP_SMALL;
    uint64_t start, most = small ? HEAP_MAP_LARGEST_SMALL : UINT64_C(1) << 28;
    struct heap_site site;
    struct trace_place place;
    char text[512];
    if (!find_block_of(namer, address, most, small ? HEAP_MAP_GRAIN : HEAP_MAP_PAGE, &start, &site))
        return (struct memory_object){xstrdup("memory that is free, or tourney's own"), "tourney", 0, false};
    symbols_place(namer->symbols, namer->pid, site.caller, &place);
    struct loaded_module *module = loaded_module_at(namer, site.caller);
    return (struct memory_object){xformat("block of %" PRIu64 " bytes from %s", site.size,
                                          trace_place_format(&place, text, sizeof text)),
                                  module ? owner_of_module(namer, module) : "unknown", address - start, false};
}

/* ---- the stack ---- */

/* The function that calls main(), of the C library, is not among the callers that a rank tells. */
static bool may_call_main(const struct memory_namer *namer, uint64_t address)
{
    return namer->c_library.start <= address && address < namer->c_library.end;
}

/*
 * Where return addresses are on the stack, from the outermost inwards: tourney keeps copies of the innermost one on the
 * stack, too, below the place where it belongs.
 */
static size_t find_stack_slots(struct memory_namer *namer, const struct stack *callers, const uint64_t *word, size_t words)
{
    size_t n = callers->depth < MOST_CALLERS - 1 ? callers->depth : MOST_CALLERS - 1, at = words;
    uint64_t start = namer->sleep.stack & -sizeof *word;
    for (size_t i = n; i-- > 0;) {
        while (at > 0 && word[at - 1] != callers->address[i])
            at--;
        if (at-- == 0)
            return 0;
        namer->caller[i] = word[at];
        namer->slot[i] = start + at * sizeof *word;
    }
    for (at = n ? (namer->slot[n - 1] - start) / sizeof *word + 1 : words; at < words; at++)
        if (may_call_main(namer, word[at])) {
            namer->caller[n] = word[at];
            namer->slot[n] = start + at * sizeof *word;
            return n + 1;
        }
    return n;
}

static void find_callers(struct memory_namer *namer, const struct stack *callers)
{
    size_t bytes = namer->stack_end - namer->sleep.stack;
    namer->callers = 0;
    if (namer->sleep.stack < namer->stack_start || namer->sleep.stack >= namer->stack_end)
        return;
    bytes = bytes < MOST_STACK ? bytes & -sizeof(uint64_t) : MOST_STACK;
    uint64_t *word = xmalloc(bytes);
    if (read_process_memory(namer->pid, namer->sleep.stack & -sizeof *word, word, bytes))
        namer->callers = find_stack_slots(namer, callers, word, bytes / sizeof *word);
    free(word);
}

/* A frame ends with the return address of its own function; above that one counts from it. */
static const char *local_at(struct memory_namer *namer, size_t frame, uint64_t address, uint64_t *start)
{
    struct loaded_module *module = loaded_module_at(namer, namer->caller[frame]);
    const struct module_variables *variables = module && machine_calls_push() ? variables_of(module) : NULL;
    uint64_t end = namer->slot[frame + 1] + sizeof(uint64_t);
    uint64_t at = namer->caller[frame] - 1 - (variables && variables->is_moved ? module->start : 0);
    for (uint64_t i = 0; variables && i < variables->head->codes; i++) {
        const struct variables_code *code = &variables->code[i];
        if (at < code->start || code->end <= at)
            continue;
        for (uint32_t j = code->first; j < code->first + code->n; j++) {
            const struct variables_local *local = &variables->local[j];
            uint64_t base = local->base == BASE_STACK   ? namer->slot[frame] + sizeof(uint64_t)
                            : local->base == BASE_FRAME ? end - 2 * sizeof(uint64_t)
                                                        : end;
            *start = base + (uint64_t)local->offset;
            if (local->start <= at && at < local->end && *start <= address && address < *start + local->size)
                return variables->text + local->name;
        }
    }
    return NULL;
}

static struct memory_object name_on_stack(struct memory_namer *namer, uint64_t address)
{
    size_t frame = 0;
    struct trace_place place;
    uint64_t start = address;
    if (!namer->callers)
        return (struct memory_object){xstrdup("stack"), "unknown", namer->stack_end - address, false};
    if (address < namer->slot[0] + sizeof(uint64_t))
        return (struct memory_object){xstrdup("stack of the MPI call"), "tourney", address - namer->sleep.stack, false};
    while (frame + 1 < namer->callers && namer->slot[frame + 1] + sizeof(uint64_t) <= address)
        frame++;
    symbols_place(namer->symbols, namer->pid, namer->caller[frame], &place);
    const char *function = place.function ? place.function : "a function without a name";
    const char *local = frame + 1 < namer->callers ? local_at(namer, frame, address, &start) : NULL;
    struct loaded_module *module = loaded_module_at(namer, namer->caller[frame]);
    const char *owner = module ? owner_of_module(namer, module) : "unknown";
    if (local)
        return (struct memory_object){xformat("local variable %s of %s", local, function), owner, address - start, false};
    return (struct memory_object){xformat("stack frame of %s", function), owner, address - namer->slot[frame], false};
}

/* ---- all of them ---- */

void memory_namer_look(struct memory_namer *namer, pid_t pid, const struct wire_sleep *sleep,
                       const struct stack *callers)
{
    namer->pid = pid;
    namer->sleep = *sleep;
    if (!namer->module.n)
        read_all_mappings(namer);
    find_callers(namer, callers);
}

struct memory_object memory_namer_find(struct memory_namer *namer, uint64_t address)
{
    if (HEAP_MAP_START <= address && address < HEAP_MAP_START + HEAP_MAP_BYTES)
        return name_in_heap(namer, address);
    if (HEAP_MAP_TABLES <= address && address < HEAP_MAP_SITES + HEAP_MAP_BYTES)
        return (struct memory_object){xstrdup("what is known of blocks"), "tourney", 0, true};
    if (namer->stack_start <= address && address < namer->stack_end)
        return name_on_stack(namer, address);
    if (namer->heap_start <= address && address < namer->heap_end)
        return (struct memory_object){xstrdup("heap of the C library"), "C library", address - namer->heap_start, false};
    struct loaded_module *module = loaded_module_at(namer, address);
    if (module)
        return name_in_module(namer, module, address);
    return (struct memory_object){xstrdup("memory without a name"), "unknown", 0, false};
}
