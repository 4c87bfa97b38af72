#include "shim/guard/region.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/gate/heap.h"
#include "shim/shim.h"

/* Of the preloaded library. */
#pragma weak tourney_heap_begin_anew

enum { PAGE = 4096, LINE = 128 };

struct region_span {
    uintptr_t start, end;
};

static struct {
    struct region_span data;     /* of the executable, behind what is made read-only when it is loaded */
    uintptr_t heap_start; /* 0: not met yet */
    uintptr_t heap_fresh; /* behind all that was ever used before MPI_Init returned */
    struct gate_heap own; /* tourney's */
} all;

extern void *__libc_stack_end; /* where main()'s stack began, about */

static int see_data_of_executable(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    uintptr_t constant = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
        if (p->p_type == PT_LOAD && p->p_flags & PF_W)
            all.data = (struct region_span){start, end};
        if (p->p_type == PT_GNU_RELRO)
            constant = (end + PAGE - 1) & -PAGE;
    }
    if (all.data.start < constant)
        all.data.start = constant;
    return 1; /* the executable is the first, and all we want */
}

/* Only a block that fits nowhere else is cut from the end of the heap. */
void region_open(void)
{
    enum { LARGE = 1 << 16 };
    char *block = malloc(LARGE);
    dl_iterate_phdr(see_data_of_executable, NULL);
    all.heap_fresh = ((uintptr_t)block + PAGE - 1) & -PAGE;
    if (shim.job)
        region_find((uintptr_t)block, (uintptr_t)block + 1); /* so that the heap is known; otherwise fences ask */
    free(block);
    if (tourney_heap_begin_anew)
        all.own = tourney_heap_begin_anew();
}

static bool is_in_own_heap(uintptr_t start, uintptr_t end)
{
    return all.own.start <= start && end <= all.own.end && start < end;
}

static enum memory_region in_own_heap(uintptr_t start)
{
    return start < all.own.fresh ? REGION_OLD : REGION_HEAP;
}

static enum memory_region in_heap(uintptr_t start)
{
    return start < all.heap_fresh ? REGION_OLD : REGION_HEAP;
}

enum memory_region region_guess(uintptr_t start, uintptr_t end)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (all.data.start <= start && end <= all.data.end)
        return REGION_DATA;
    if (all.heap_start && all.heap_start <= start && end <= (uintptr_t)sbrk(0))
        return in_heap(start);
    if (is_in_own_heap(start, end))
        return in_own_heap(start);
    if (here <= start && end <= (uintptr_t)__libc_stack_end)
        return REGION_STACK;
    return REGION_UNKNOWN;
}

/* Of a line of /proc/self/maps. */
static enum memory_region judge_mapping(const char *line, uintptr_t start, uintptr_t end)
{
    uintptr_t from, to;
    char mode[5], name[LINE] = "";
    unsigned long inode;
    if (sscanf(line, "%lx-%lx %4s %*x %*s %lu %127s", &from, &to, mode, &inode, name) < 4)
        return REGION_UNKNOWN;
    bool heap = strcmp(name, "[heap]") == 0;
    if (heap && !all.heap_start)
        all.heap_start = from;
    if (start < from || to < end)
        return REGION_UNKNOWN;
    if (mode[0] != 'r' || mode[1] != 'w' || mode[3] != 'p')
        return REGION_OTHER;
    return heap ? in_heap(start) : inode || (*name == '[' && strncmp(name, "[anon", 5) != 0) ? REGION_OTHER : REGION_MAPPED;
}

/* Reads line by line; of a long one the rest is no loss. */
static enum memory_region ask_kernel(int fd, uintptr_t start, uintptr_t end)
{
    char text[PAGE], line[LINE];
    size_t length = 0;
    enum memory_region region = REGION_UNKNOWN;
    for (ssize_t n; region == REGION_UNKNOWN && (n = read(fd, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < n && region == REGION_UNKNOWN; i++) {
            if (text[i] != '\n') {
                line[length] = text[i];
                length += length + 1 < sizeof line;
                continue;
            }
            line[length] = 0;
            length = 0;
            region = judge_mapping(line, start, end);
        }
    return region == REGION_UNKNOWN ? REGION_OTHER : region;
}

enum memory_region region_find(uintptr_t start, uintptr_t end)
{
    enum memory_region region = region_guess(start, end);
    int fd = region == REGION_UNKNOWN ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return region == REGION_UNKNOWN ? REGION_OTHER : region;
    region = ask_kernel(fd, start, end);
    close(fd);
    return region;
}
