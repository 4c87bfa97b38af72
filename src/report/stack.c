#include "report/stack.h"

#include <string.h>

static bool is_in(const struct trace_place *place, const char *module)
{
    return place->module && strstr(place->module, module);
}

/* Not of tourney, nor of what every program stands on. */
static bool is_users(const struct trace_place *place)
{
    static const char *const names[] = {"/libtourney", "/libc.so",       "/libm.so",
                                        "/libgfortran.so", "/libstdc++.so", "[vdso]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_in(place, names[i]))
            return false;
    return place->module && !(place->function && strncmp(place->function, "_start", 6) == 0);
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
        struct trace_place place = frame(symbols, process, address[n - 1]);
        if (is_users(&place))
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
        begun = begun || is_users(&place);
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
