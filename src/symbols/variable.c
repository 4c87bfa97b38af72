#include "symbols/variable.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/mem.h"

/* The address that the file itself gives to what stands at this offset. */
static bool find_address_in_file(Elf *elf, uint64_t offset, uint64_t *address)
{
    size_t n;
    GElf_Phdr part;
    for (size_t i = 0; elf_getphdrnum(elf, &n) == 0 && i < n; i++) {
        if (!gelf_getphdr(elf, (int)i, &part) || part.p_type != PT_LOAD || offset < part.p_offset || offset - part.p_offset >= part.p_filesz)
            continue;
        *address = offset - part.p_offset + part.p_vaddr;
        return true;
    }
    return false;
}

static char *name_of_symbol(Elf *elf, const GElf_Shdr *table, const GElf_Sym *symbol, uint64_t inside)
{
    const char *name = elf_strptr(elf, table->sh_link, symbol->st_name);
    if (!name || !*name)
        return NULL;
    return inside ? xformat("%s+0x%" PRIx64, name, inside) : xstrdup(name);
}

static char *find_variable(Elf *elf, uint64_t address)
{
    GElf_Shdr table;
    GElf_Sym symbol;
    char *name = NULL;
    for (Elf_Scn *section = NULL; !name && (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, &table) || (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && !name && gelf_getsym(data, i, &symbol); i++)
            if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && address >= symbol.st_value &&
                address - symbol.st_value < symbol.st_size)
                name = name_of_symbol(elf, &table, &symbol, address - symbol.st_value);
    }
    return name;
}

char *variable_name(const struct mapped_code *code, uint64_t address)
{
    int fd = open(code->path, O_RDONLY | O_CLOEXEC);
    uint64_t of_code;
    char *name = NULL;
    if (fd < 0)
        return NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF && find_address_in_file(elf, code->offset, &of_code))
        name = find_variable(elf, address - code->address + of_code);
    elf_end(elf);
    close(fd);
    return name;
}
