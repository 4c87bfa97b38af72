#include "shim/guard/variables.h"

#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include "arch/machine.h"

static struct {
    uintptr_t moved; /* the executable is loaded so far from where it was linked */
    uintptr_t start, end, code_start, code_end;
    const struct variables_head *head; /* NULL: nothing is known */
    const struct variables_object *object;
    const struct variables_static *statics;
    const struct variables_code *code;
    const struct variables_local *local;
    const struct variables_type *type;
    const struct variables_number *number;
    const char *text;
} table;

extern void *__libc_stack_end; /* where main()'s stack began, about */

/* ---- the file ---- */

static int see_segments_of_executable(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    table.moved = info->dlpi_addr;
    table.start = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
        table.start = start < table.start ? start : table.start;
        table.end = end > table.end ? end : table.end;
        if (p->p_flags & PF_X) {
            table.code_start = start;
            table.code_end = end;
        }
    }
    return 1; /* the executable is the first */
}

/* The process may be another program, which a script has started. */
static bool is_of_this_program(const struct variables_head *head)
{
    struct stat file;
    return head->magic == VARIABLES_MAGIC && stat("/proc/self/exe", &file) == 0 && head->device == file.st_dev &&
           head->inode == file.st_ino;
}

static void take_arrays(const struct variables_head *head)
{
    const char *at = (const char *)(head + 1);
#define TAKE(array, number)                                                                                            \
    table.array = (const void *)at;                                                                                    \
    at += (number) * sizeof *table.array;
    TAKE(object, head->objects)
    TAKE(statics, head->statics)
    TAKE(code, head->codes)
    TAKE(local, head->locals)
    TAKE(type, head->types)
    TAKE(number, head->numbers)
#undef TAKE
    table.text = at;
    table.head = head;
}

void variables_open(void)
{
    const char *path = getenv(VARIABLES_ENV);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat file;
    if (fd < 0)
        return;
    void *map = MAP_FAILED;
    if (fstat(fd, &file) == 0 && (size_t)file.st_size > sizeof *table.head)
        map = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map != MAP_FAILED && is_of_this_program(map)) {
        dl_iterate_phdr(see_segments_of_executable, NULL);
        take_arrays(map);
    } else if (map != MAP_FAILED) {
        munmap(map, (size_t)file.st_size);
    }
}

const char *variables_text(uint64_t at)
{
    return table.text + at;
}

/* ---- static variables ---- */

/* The last of those, sorted by their first word, that begin at or before an address; NULL: none does. */
static const void *last_before(const void *array, uint64_t n, size_t size, uint64_t address)
{
    uint64_t low = 0, high = n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, start;
        memcpy(&start, (const char *)array + middle * size, sizeof start);
        if (start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? (const char *)array + (low - 1) * size : NULL;
}

static bool find_static(uintptr_t address, struct variable *found)
{
    uint64_t at = address - table.moved;
    const struct variables_object *object =
        last_before(table.object, table.head->objects, sizeof *table.object, at);
    const struct variables_static *typed =
        last_before(table.statics, table.head->statics, sizeof *table.statics, at);
    if (!object || at >= object->end)
        return false;
    *found = (struct variable){.start = object->start + table.moved,
                               .end = object->end + table.moved,
                               .name = variables_text(object->name)};
    if (typed && at < typed->end) {
        found->name = variables_text(typed->name);
        found->typed_start = typed->start + table.moved;
        found->type = typed->type ? &table.type[typed->type] : NULL;
    }
    return true;
}

/* ---- local variables ---- */

struct unwound_frame {
    uintptr_t code, stack_pointer, frame_pointer;
};

struct stack_walk {
    uintptr_t address;
    struct unwound_frame frame; /* the one seen last */
    struct variable *found;
    bool success;
};

/* All that shares memory with what was found already is part of it, and then nobody knows of what type it is. */
static void join_local(struct variable *found, const struct variables_local *local, uintptr_t start)
{
    if (!found->name) {
        *found = (struct variable){start, start + local->size, variables_text(local->name), start,
                                   local->type ? &table.type[local->type] : NULL};
        return;
    }
    found->type = NULL;
    found->start = start < found->start ? start : found->start;
    found->end = start + local->size > found->end ? start + local->size : found->end;
}

static bool find_in_frame(const struct unwound_frame *frame, uintptr_t cfa, uintptr_t address, struct variable *found)
{
    uint64_t at = frame->code - 1 - table.moved; /* of the call, not of what comes next */
    const struct variables_code *code = last_before(table.code, table.head->codes, sizeof *table.code, at);
    const uintptr_t base[] = {[BASE_CFA] = cfa, [BASE_FRAME] = frame->frame_pointer, [BASE_STACK] = frame->stack_pointer};
    if (!code || at >= code->end)
        return false;
    for (uint32_t i = code->first; i < code->first + code->n; i++) {
        const struct variables_local *local = &table.local[i];
        uintptr_t start = base[local->base] + (uintptr_t)local->offset;
        uintptr_t low = found->name ? found->start : address, high = found->name ? found->end : address + 1;
        if (local->start <= at && at < local->end && start < high && low < start + local->size)
            join_local(found, local, start);
    }
    return found->name != NULL;
}

/* The frame seen before this one ends where this one's stack pointer was, which is its CFA. */
static _Unwind_Reason_Code see_frame(struct _Unwind_Context *context, void *arg)
{
    struct stack_walk *walk = arg;
    uintptr_t stack_pointer = _Unwind_GetCFA(context);
    struct unwound_frame *last = &walk->frame;
    if (last->code && walk->address < stack_pointer) {
        bool in_frame = last->stack_pointer <= walk->address;
        bool in_program = table.code_start <= last->code && last->code <= table.code_end;
        walk->success = in_frame && in_program && find_in_frame(last, stack_pointer, walk->address, walk->found);
        return _URC_END_OF_STACK;
    }
    *last = (struct unwound_frame){_Unwind_GetIP(context), stack_pointer, _Unwind_GetGR(context, MACHINE_FRAME_POINTER)};
    return _URC_NO_REASON;
}

static bool find_local(uintptr_t address, struct variable *found)
{
    struct stack_walk walk = {.address = address, .found = found};
    found->name = NULL;
    _Unwind_Backtrace(see_frame, &walk);
    return walk.success;
}

bool variables_find(uintptr_t address, struct variable *found)
{
    if (!table.head)
        return false;
    if (table.start <= address && address < table.end)
        return find_static(address, found);
    bool on_stack = (uintptr_t)__builtin_frame_address(0) <= address && address < (uintptr_t)__libc_stack_end;
    return on_stack && find_local(address, found);
}

const struct variables_number *variables_number_at(const struct variables_type *type, uint64_t offset)
{
    uint64_t at = offset % type->period;
    if (offset >= type->size)
        return NULL;
    for (uint32_t i = type->first; i < type->first + type->n; i++)
        if (table.number[i].at <= at && at - table.number[i].at < table.number[i].bytes)
            return &table.number[i];
    return NULL;
}
