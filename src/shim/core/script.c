#include "shim/core/script.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call/lines.h"
#include "shim/shim.h"

enum { SCRIPTS = 64 };

/* Those that were met; never changed, since any thread may look, and added to under Python's lock. */
static struct known {
    char *name; /* as Python calls it; owned, by nobody */
    struct script script; /* without a path: it cannot be mapped */
} known[SCRIPTS];
static _Atomic int count;

const struct script *script_nth(int i)
{
    return i < atomic_load_explicit(&count, memory_order_acquire) ? &known[i].script : NULL;
}

const struct script *script_at(const void *address)
{
    const struct script *script;
    for (int i = 0; (script = script_nth(i)); i++)
        if (script->start <= (uintptr_t)address && (uintptr_t)address < script->end)
            return script;
    return NULL;
}

/* ---- scripts get addresses ---- */

static bool map_at_some_slot(struct script *script, int fd, size_t bytes, uint64_t wanted)
{
    for (int tries = 0; tries < SCRIPTS; tries++) {
        uintptr_t at = LINES_START + (wanted + (uint64_t)tries) % LINES_SLOTS * LINES_SLOT;
        void *map = mmap((void *)at, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
        if (map == (void *)at) {
            script->start = at;
            script->end = at + LINES_SLOT;
            return true;
        }
        if (map != MAP_FAILED) /* by a kernel that does not know MAP_FIXED_NOREPLACE */
            munmap(map, bytes);
    }
    return false;
}

static uint64_t number_of_script(const char *path)
{
    uint64_t number = 0;
    for (; *path; path++)
        number = (number ^ (unsigned char)*path) * UINT64_C(0x9e3779b97f4a7c15);
    return number >> 32;
}

static void map_script(struct script *script, const char *name)
{
    char path[PATH_MAX];
    struct stat file;
    int fd = realpath(name, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0 && (uint64_t)file.st_size < LINES_SLOT &&
        map_at_some_slot(script, fd, (size_t)file.st_size, number_of_script(path)))
        script->path = strcpy(shim_alloc(strlen(path) + 1), path);
    script->is_library = strstr(path, "/site-packages/") || strstr(path, "/dist-packages/") || strstr(path, "/lib/python3");
    close(fd);
}

static const struct script *script_named(const char *name)
{
    int n = atomic_load_explicit(&count, memory_order_relaxed);
    for (int i = 0; i < n; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i].script;
    if (n == SCRIPTS)
        return NULL;
    known[n].name = strcpy(shim_alloc(strlen(name) + 1), name);
    map_script(&known[n].script, name);
    atomic_store_explicit(&count, n + 1, memory_order_release);
    return &known[n].script;
}

/* ---- asking Python, whose library we are not linked to ---- */

#define PYTHON(X)                                                                                                      \
    X(int, Py_IsInitialized, (void))                                                                                   \
    X(int, PyGILState_Ensure, (void))                                                                                  \
    X(void, PyGILState_Release, (int))                                                                                 \
    X(void *, PyErr_Occurred, (void))                                                                                  \
    X(void, PyErr_Clear, (void))                                                                                       \
    X(void, Py_IncRef, (void *))                                                                                       \
    X(void, Py_DecRef, (void *))                                                                                       \
    X(void *, PyEval_GetFrame, (void))                                                                                 \
    X(void *, PyFrame_GetBack, (void *))                                                                               \
    X(void *, PyFrame_GetCode, (void *))                                                                               \
    X(int, PyFrame_GetLineNumber, (void *))                                                                            \
    X(void *, PyObject_GetAttrString, (void *, const char *))                                                          \
    X(const char *, PyUnicode_AsUTF8, (void *))

#define MEMBER(type, name, arguments) type(*name) arguments;
#define FIND(type, name, arguments) complete &= (python.name = (type(*) arguments)dlsym(RTLD_DEFAULT, #name)) != NULL;

static struct {
    PYTHON(MEMBER)
} python;

/* Python 3.9 has all of them. */
static bool is_python_there(void)
{
    static enum { UNKNOWN, ABSENT, PRESENT } known_to_be;
    if (known_to_be == UNKNOWN) {
        bool complete = true;
        PYTHON(FIND)
        known_to_be = complete ? PRESENT : ABSENT;
    }
    return known_to_be == PRESENT && python.Py_IsInitialized();
}

/* What the import machinery does has no file, and what mpi4py does it does for its caller. */
static bool is_users_script(const char *name)
{
    return name[0] != '<' && !strstr(name, "/mpi4py/");
}

/* Where a frame is, if it is in a file of the user's. */
static const void *place_in(void *frame)
{
    const void *place = NULL;
    void *code = python.PyFrame_GetCode(frame), *name = python.PyObject_GetAttrString(code, "co_filename");
    const char *text = name ? python.PyUnicode_AsUTF8(name) : NULL;
    int line = python.PyFrame_GetLineNumber(frame);
    const struct script *script = text && is_users_script(text) && line > 0 ? script_named(text) : NULL;
    if (script && script->path && (uint64_t)line < LINES_SLOT)
        place = (const void *)(script->start + (uintptr_t)line);
    if (name)
        python.Py_DecRef(name);
    python.Py_DecRef(code);
    python.PyErr_Clear();
    return place;
}

static size_t places_of(uint64_t *place, size_t most)
{
    size_t n = 0;
    void *frame = python.PyEval_GetFrame();
    if (frame)
        python.Py_IncRef(frame);
    while (frame && n < most) {
        void *back = python.PyFrame_GetBack(frame);
        place[n] = (uintptr_t)place_in(frame);
        n += place[n] != 0;
        python.Py_DecRef(frame);
        frame = back;
    }
    if (frame)
        python.Py_DecRef(frame);
    return n;
}

/* What is called while an exception is on its way must not get into the way of it. */
size_t script_places(uint64_t *place, size_t most)
{
    if (!is_python_there())
        return 0;
    int lock = python.PyGILState_Ensure();
    size_t n = python.PyErr_Occurred() ? 0 : places_of(place, most);
    python.PyGILState_Release(lock);
    return n;
}

const void *script_place(void)
{
    uint64_t place;
    return script_places(&place, 1) ? (const void *)(uintptr_t)place : NULL;
}
