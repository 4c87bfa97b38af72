#include "symbols/stack.h"

#include <string.h>

static bool is_in(const struct trace_place *place, const char *module)
{
    return place->module && strstr(place->module, module);
}

/* That of a Fortran program is made by the compiler, and calls the one that the user wrote. */
static bool is_fortran_main(const struct trace_place *place)
{
    const char *ending = place->file ? strrchr(place->file, '.') : NULL;
    return ending && (ending[1] == 'f' || ending[1] == 'F') && place->function && strcmp(place->function, "main") == 0;
}

/* A file that is not of tourney, nor of what every program stands on. */
static bool is_users_file(const char *module)
{
    static const char *const names[] = {"/libtourney", "/libc.so",       "/libm.so",
                                        "/libgfortran.so", "/libstdc++.so", "[vdso]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (module && strstr(module, names[i]))
            return false;
    return module;
}

static bool is_users_place(const struct trace_place *place)
{
    return is_users_file(place->module) && !(place->function && strncmp(place->function, "_start", 6) == 0) &&
           !is_fortran_main(place);
}

static struct trace_place frame(struct symbols *symbols, pid_t process, uint64_t address)
{
    struct trace_place place = {0};
    symbols_place(symbols, process, address, &place);
    return place;
}

void stack_tell(struct symbols *symbols, pid_t process, size_t n, const uint64_t *address,
                void (*tell)(void *, const struct trace_place *, const char *call), void *data)
{
    bool begun = false;
    for (; n > 0; n--) {
        if (!is_users_file(symbols_module(symbols, process, address[n - 1])))
            continue; /* the C library is large, and takes a while to read */
        struct trace_place place = frame(symbols, process, address[n - 1]);
        if (is_users_place(&place))
            break;
    }
    for (size_t i = 0; i < n; i++) {
        struct trace_place place = frame(symbols, process, address[i]);
        bool ours = is_in(&place, "/libtourney");
        if (ours && place.function && strncmp(place.function, "MPI_", 4) == 0) {
            char call[128];
            snprintf(call, sizeof call, "%.*s", (int)strcspn(place.function, "+"), place.function);
            tell(data, &place, call);
        }
        begun = begun || is_users_place(&place);
        if (begun && !ours && place.module)
            tell(data, &place, NULL);
    }
}

bool stack_asserts(struct symbols *symbols, pid_t process, size_t n, const uint64_t *address)
{
    for (size_t i = 0; i < n; i++) {
        struct trace_place place = frame(symbols, process, address[i]);
        if (place.function && strncmp(place.function, "__assert", 8) == 0)
            return true;
    }
    return false;
}
