#include "shim/leaving.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "shim/channel.h"
#include "shim/module.h"
#include "shim/noise.h"

static void make_writable(const void *at)
{
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)(NOISE_PAGE - 1);
    mprotect((void *)page, (uintptr_t)at - page + sizeof(ElfW(Dyn)), PROT_READ | PROT_WRITE);
}

/* The linker looks at the size when it comes to the destructors of a module. */
static void forget_destructors(ElfW(Dyn) *entry)
{
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_FINI_ARRAYSZ) {
            make_writable(entry);
            entry->d_un.d_val = 0;
        }
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_DYNAMIC && module_kind_of(info->dlpi_name) == MODULE_LIBRARY)
            forget_destructors((ElfW(Dyn) *)(info->dlpi_addr + segment->p_vaddr));
    }
    return 0;
}

/*
 * What the MPI library and those below it have made belongs to all copies of a rank: none of them puts it away.  The
 * program's own handlers and destructors run: they may be where it calls MPI_Finalize, even those from before MPI_Init.
 */
static void spare_libraries(int code, void *unused)
{
    (void)code, (void)unused;
    if (channel_head()->copied)
        dl_iterate_phdr(look_at_module, NULL);
}

void leaving_watch(void)
{
    on_exit(spare_libraries, NULL);
}
