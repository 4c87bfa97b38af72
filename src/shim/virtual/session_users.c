#include "shim/virtual/session_users.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* What the dynamic section of a part says of its symbols and relocations. */
struct symbol_uses {
    const ElfW(Sym) *symbols;
    const char *names;
    struct {
        const ElfW(Rela) *at;
        size_t bytes;
    } list[2];
};

static void read_dynamic_entry(struct symbol_uses *uses, const ElfW(Dyn) *entry)
{
    switch (entry->d_tag) {
    case DT_SYMTAB:
        uses->symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
        break;
    case DT_STRTAB:
        uses->names = (const char *)entry->d_un.d_ptr;
        break;
    case DT_RELA:
        uses->list[0].at = (const ElfW(Rela) *)entry->d_un.d_ptr;
        break;
    case DT_RELASZ:
        uses->list[0].bytes = entry->d_un.d_val;
        break;
    case DT_JMPREL:
        uses->list[1].at = (const ElfW(Rela) *)entry->d_un.d_ptr;
        break;
    case DT_PLTRELSZ:
        uses->list[1].bytes = entry->d_un.d_val;
        break;
    }
}

/* In C, in Fortran, and for either of its modules; of the many names of a large program few are looked through. */
static bool begins_session(const char *name)
{
    return strchr("MmPp_", name[0]) && strcasestr(name, "mpi_session_init") != NULL;
}

static bool refers_to_session_init(const struct symbol_uses *uses)
{
    if (!uses->symbols || !uses->names)
        return false;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; uses->list[k].at && i < uses->list[k].bytes / sizeof *uses->list[k].at; i++) {
            const ElfW(Sym) *symbol = &uses->symbols[ELF64_R_SYM(uses->list[k].at[i].r_info)];
            if (symbol->st_shndx == SHN_UNDEF && begins_session(uses->names + symbol->st_name))
                return true;
        }
    return false;
}

/* The libraries of MPI, whose Fortran calls the rest, and ours refer to everything; the kernel's part has no relocations, and lies as it is in the file. */
static bool is_part_of_program(const char *path)
{
    static const char *const others[] = {"libmpi", "libpmpi", "libtourney", "linux-vdso"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    return true;
}

/* Parts are listed in the order in which they were loaded. */
static struct {
    size_t parts;            /* that were looked at */
    unsigned long long gone; /* so many had been unloaded by then */
    bool refer;              /* one of these parts does */
} known;

struct look {
    size_t part;
    bool found;
};

static int look_at_part(struct dl_phdr_info *module, size_t size, void *data)
{
    struct look *look = data;
    struct symbol_uses uses = {0};
    (void)size;
    if (module->dlpi_subs != known.gone) {
        known.gone = module->dlpi_subs;
        known.parts = 0;
    }
    if (look->part++ < known.parts || !is_part_of_program(module->dlpi_name))
        return 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            read_dynamic_entry(&uses, entry);
    }
    look->found |= refers_to_session_init(&uses);
    return look->found;
}

bool session_may_follow(void)
{
    struct look look = {0};
    if (!known.refer)
        dl_iterate_phdr(look_at_part, &look);
    return known.refer || look.found;
}

void session_users_look_early(void)
{
    struct look look = {0};
    dl_iterate_phdr(look_at_part, &look);
    known.parts = look.part;
    known.refer = look.found;
}
