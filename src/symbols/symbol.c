#include "symbols/symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "call/lines.h"
#include "symbols/script.h"
#include "symbols/source.h"

enum { PROCESSES_MAX = 4096, PATH_ROOM = 64 };

struct loaded_file {
    uint64_t start, end, offset;
    uint32_t module;
};

struct symbol_process {
    pid_t pid;
    uint64_t started; /* tells it from others with the same number */
    VEC(struct loaded_file) mappings; /* owns; by address, as the kernel lists them */
};

/* A file as it was mapped: another inode under the same name is another module. */
struct symbol_module {
    char *path; /* owns */
    char device[16];
    uint64_t inode;
    bool deleted;
    bool opened;
    bool is_script;        /* its bytes stand for lines (call/lines.h) */
    bool changed;          /* since it was opened */
    struct source *source; /* owns; NULL: cannot be read, or not opened yet */
};

struct symbols {
    struct map process_of;           /* by pid */
    VEC(struct symbol_process) processes;   /* owns */
    VEC(struct symbol_module) modules;      /* owns */
    struct map place_of;             /* by module and offset */
    VEC(struct trace_place) places;  /* owns */
    VEC(char *) texts;               /* owns */
};

struct symbols *symbols_new(void)
{
    return xcalloc(1, sizeof(struct symbols));
}

static void forget_processes(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->processes.n; i++)
        vec_release(&symbols->processes.at[i].mappings);
    vec_clear(&symbols->processes);
    map_release(&symbols->process_of);
}

static void close_module(struct symbol_module *module)
{
    if (module->source)
        source_free(module->source);
    module->source = NULL;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    forget_processes(symbols);
    for (size_t i = 0; i < symbols->modules.n; i++) {
        close_module(&symbols->modules.at[i]);
        free(symbols->modules.at[i].path);
    }
    for (size_t i = 0; i < symbols->texts.n; i++)
        free(symbols->texts.at[i]);
    vec_release(&symbols->processes);
    vec_release(&symbols->modules);
    vec_release(&symbols->places);
    vec_release(&symbols->texts);
    map_release(&symbols->place_of);
    free(symbols);
}

/* In clock ticks since the machine was started; 0: there is no such process. */
static uint64_t started(pid_t pid)
{
    char path[PATH_ROOM], text[1024];
    uint64_t ticks = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    /* The name of the program may contain anything: count from where it ends. */
    const char *at = strrchr(text, ')');
    if (!at || sscanf(at + 1, " %*c%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%*s%" SCNu64, &ticks) != 1)
        return 0;
    return ticks;
}

static bool is_module_intact(struct symbol_module *module)
{
    if (module->source && !source_is_intact(module->source)) {
        close_module(module);
        module->changed = true;
    }
    return !module->changed;
}

static uint32_t module_of(struct symbols *symbols, const char *path, const char *device, uint64_t inode)
{
    static const char mark[] = " (deleted)";
    size_t length = strlen(path), mark_length = sizeof mark - 1;
    bool deleted = length > mark_length && strcmp(path + length - mark_length, mark) == 0;
    if (deleted)
        length -= mark_length;
    for (size_t i = symbols->modules.n; i-- > 0;) {
        struct symbol_module *module = &symbols->modules.at[i];
        if (module->inode == inode && strcmp(module->device, device) == 0 && strlen(module->path) == length &&
            strncmp(module->path, path, length) == 0 && is_module_intact(module)) {
            module->deleted = deleted;
            return (uint32_t)i;
        }
    }
    struct symbol_module module = {.path = xmemdup(path, length + 1, 1), .inode = inode, .deleted = deleted};
    module.path[length] = 0;
    snprintf(module.device, sizeof module.device, "%s", device);
    vec_push(&symbols->modules, module);
    return (uint32_t)symbols->modules.n - 1;
}

/* The kernel writes a newline in a name as \012. */
static void unescape(char *path)
{
    char *to = path;
    for (const char *at = path; *at; at++) {
        if (strncmp(at, "\\012", 4) == 0) {
            *to++ = '\n';
            at += 3;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
}

static void add_mapping(struct symbols *symbols, struct symbol_process *process, char *line)
{
    struct loaded_file mapping = {0};
    char rights[8], device[16];
    uint64_t inode;
    int at = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %15s %" SCNu64 " %n", &mapping.start, &mapping.end,
               rights, &mapping.offset, device, &inode, &at) < 6 ||
        !(strchr(rights, 'x') || lines_have(mapping.start)) || !line[at])
        return;
    unescape(line + at);
    mapping.module = module_of(symbols, line + at, device, inode);
    vec_push(&process->mappings, mapping);
}

static struct symbol_process *find_process(struct symbols *symbols, pid_t pid)
{
    uint32_t number;
    return map_get(&symbols->process_of, map_key((uint64_t)pid), &number) ? &symbols->processes.at[number] : NULL;
}

static struct symbol_process *make_process(struct symbols *symbols, pid_t pid)
{
    if (symbols->processes.n >= PROCESSES_MAX)
        forget_processes(symbols);
    map_put(&symbols->process_of, map_key((uint64_t)pid), (uint32_t)symbols->processes.n);
    vec_push(&symbols->processes, (struct symbol_process){.pid = pid});
    return &vec_last(&symbols->processes);
}

/* A zombie has a start and no memory: what was known of it before stays. */
static struct symbol_process *read_process(struct symbols *symbols, pid_t pid, uint64_t start)
{
    struct symbol_process read = {.pid = pid, .started = start}, *known = find_process(symbols, pid);
    char path[PATH_ROOM], *line = NULL;
    size_t room = 0;
    ssize_t n;
    if (known && known->started != start) {
        symbols_forget(symbols, pid);
        known = NULL;
    }
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    if (!maps)
        return known;
    while ((n = getline(&line, &room, maps)) > 0) {
        if (line[n - 1] == '\n')
            line[n - 1] = 0;
        add_mapping(symbols, &read, line);
    }
    free(line);
    fclose(maps);
    if (read.mappings.n == 0)
        return known;
    if (!known)
        known = make_process(symbols, pid);
    vec_release(&known->mappings);
    *known = read;
    return known;
}

void symbols_tell(struct symbols *symbols, pid_t pid, const char *path, uint64_t start, uint64_t end)
{
    struct symbol_process *process = find_process(symbols, pid);
    struct stat file;
    if (stat(path, &file) != 0)
        return;
    if (!process)
        process = make_process(symbols, pid);
    size_t at = 0;
    while (at < process->mappings.n && process->mappings.at[at].start < start)
        at++;
    if (at < process->mappings.n && process->mappings.at[at].start == start) {
        process->mappings.at[at].end = end;
        return;
    }
    vec_push(&process->mappings, (struct loaded_file){0});
    memmove(process->mappings.at + at + 1, process->mappings.at + at,
            (process->mappings.n - 1 - at) * sizeof *process->mappings.at);
    process->mappings.at[at] =
        (struct loaded_file){.start = start, .end = end, .module = module_of(symbols, path, "", file.st_ino)};
}

bool symbols_read(struct symbols *symbols, pid_t pid)
{
    uint64_t start = started(pid);
    return start && read_process(symbols, pid, start);
}

void symbols_forget(struct symbols *symbols, pid_t pid)
{
    struct symbol_process *process = find_process(symbols, pid);
    if (!process)
        return;
    map_remove(&symbols->process_of, map_key((uint64_t)pid));
    vec_release(&process->mappings);
    *process = vec_pop(&symbols->processes);
    if (process != symbols->processes.at + symbols->processes.n)
        map_put(&symbols->process_of, map_key((uint64_t)process->pid), (uint32_t)(process - symbols->processes.at));
}

static const struct loaded_file *mapping_at(const struct symbol_process *process, uint64_t address)
{
    size_t low = 0, high = process ? process->mappings.n : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct loaded_file *mapping = &process->mappings.at[middle];
        if (address < mapping->start)
            high = middle;
        else if (address >= mapping->end)
            low = middle + 1;
        else
            return mapping;
    }
    return NULL;
}

/* Some file systems put numbers of their own into the upper half of an inode's. */
static int open_inode(const char *path, uint64_t inode)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &status) != 0 || (uint32_t)status.st_ino != (uint32_t)inode)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool is_elf(int fd)
{
    char magic[SELFMAG] = {0};
    return pread(fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic && memcmp(magic, ELFMAG, sizeof magic) == 0;
}

/* The file itself, even if it has no name any more, or a new one has its name. */
static void open_module(struct symbol_module *module, pid_t pid, const struct loaded_file *mapping)
{
    char link[PATH_ROOM];
    int fd = -1;
    module->opened = true;
    if (module->inode == 0)
        return;
    if (!module->deleted)
        fd = open_inode(module->path, module->inode);
    if (fd < 0) {
        snprintf(link, sizeof link, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, mapping->start, mapping->end);
        fd = open_inode(link, module->inode);
    }
    if (fd < 0) {
        snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
        fd = open_inode(link, module->inode);
    }
    if (fd >= 0 && !(module->is_script = !is_elf(fd)))
        module->source = source_open(fd, module->path);
    else if (fd >= 0)
        close(fd);
}

/* Own copies: a module may be closed again. */
static const char *keep_text(struct symbols *symbols, const char *text)
{
    if (!text)
        return NULL;
    vec_push(&symbols->texts, xstrdup(text));
    return vec_last(&symbols->texts);
}

static const char *keep_with_offset(struct symbols *symbols, const char *function, uint64_t inside)
{
    char *text;
    if (asprintf(&text, "%s+0x%" PRIx64, function, inside) < 0)
        return keep_text(symbols, function);
    vec_push(&symbols->texts, text);
    return text;
}

static struct trace_place line_of_script(struct symbols *symbols, const struct symbol_module *module, uint64_t offset)
{
    struct trace_place place = {.module = module->path, .offset = offset + 1};
    char *function;
    if (offset >= LINES_SLOT || !script_find(module->path, (int)offset + 1, &function))
        return place;
    place.file = keep_text(symbols, module->path);
    place.line = (int)offset + 1;
    place.function = keep_text(symbols, function);
    free(function);
    return place;
}

static struct trace_place look_up_place(struct symbols *symbols, struct symbol_module *module, pid_t pid,
                                        const struct loaded_file *mapping, uint64_t offset)
{
    struct trace_place place = {.module = module->path, .offset = offset + 1};
    struct source_spot spot;
    if (!module->opened)
        open_module(module, pid, mapping);
    if (module->is_script)
        return line_of_script(symbols, module, offset);
    if (!is_module_intact(module) || !module->source || !source_find(module->source, offset, &spot))
        return place;
    place.offset = spot.address + 1;
    if (spot.file && spot.line > 0) {
        place.function = keep_text(symbols, spot.function);
        place.file = keep_text(symbols, spot.file);
        place.line = spot.line;
    } else if (spot.function) {
        place.function = keep_with_offset(symbols, spot.function, spot.inside + 1);
    }
    return place;
}

static void fill_place(struct trace_place *out, uint64_t address, const struct trace_place *found)
{
    rank_t rank = out->rank;
    *out = *found;
    out->rank = rank;
    out->address = address;
}

static void find_place(struct symbols *symbols, pid_t pid, const struct loaded_file *mapping, uint64_t offset,
                       uint64_t address, struct trace_place *out)
{
    struct map_key key = map_key2(mapping->module, offset);
    uint32_t number;
    if (!map_get(&symbols->place_of, key, &number)) {
        number = (uint32_t)symbols->places.n;
        vec_push(&symbols->places, look_up_place(symbols, &symbols->modules.at[mapping->module], pid, mapping, offset));
        map_put(&symbols->place_of, key, number);
    }
    fill_place(out, address, &symbols->places.at[number]);
}

static const struct loaded_file *find_mapping(struct symbols *symbols, pid_t pid, uint64_t call)
{
    uint64_t start = started(pid);
    struct symbol_process *process = find_process(symbols, pid);
    if (start && process && process->started != start)
        process = NULL;
    const struct loaded_file *mapping = mapping_at(process, call);
    return !mapping && start ? mapping_at(read_process(symbols, pid, start), call) : mapping;
}

const char *symbols_module(struct symbols *symbols, pid_t pid, uint64_t address)
{
    const struct loaded_file *mapping = find_mapping(symbols, pid, address - 1);
    return mapping ? symbols->modules.at[mapping->module].path : NULL;
}

bool symbols_place(struct symbols *symbols, pid_t pid, uint64_t address, struct trace_place *out)
{
    uint64_t call = address - 1; /* the next instruction may be another line's */
    const struct loaded_file *mapping = find_mapping(symbols, pid, call);
    if (!mapping) {
        fill_place(out, address, &(struct trace_place){0});
        return false;
    }
    find_place(symbols, pid, mapping, call - mapping->start + mapping->offset, address, out);
    return true;
}

bool symbols_file_place(struct symbols *symbols, const char *path, uint64_t offset, struct trace_place *out)
{
    struct stat file;
    if (!*path || stat(path, &file) != 0)
        return false;
    struct loaded_file mapping = {.module = module_of(symbols, path, "", file.st_ino)};
    find_place(symbols, 0, &mapping, offset, out->address, out);
    return true;
}
